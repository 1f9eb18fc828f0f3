#include "mesh/io/input_file.hpp"

#include <limits>

#include "cleave/core/file_text.hpp"
#include "cleave/core/machine.hpp"

namespace cleave {

InputFile::InputFile(const std::filesystem::path& file, const std::string& expected) : file_(file.string()) {
  try {
    text_ = file_text(file, static_cast<std::uintmax_t>(available_memory()), expected + " that fits into memory");
  } catch (const InputError& wrong) {
    throw InputError(fmt::format("{}: {}", file_, wrong.what()));
  }
  left_ = text_;
}

bool InputFile::next_line() {
  if (left_.empty()) return false;
  byte_ = position();
  const auto end = std::min(left_.find('\n'), left_.size());
  line_ = left_.substr(0, end);
  left_.remove_prefix(std::min(end + 1, left_.size()));
  number_ = ++newlines_;
  if (line_.ends_with('\r')) line_.remove_suffix(1);
  return true;
}

bool InputFile::next() {
  while (next_line())
    if (line_.find_first_not_of(" \t") != std::string_view::npos) return true;
  return false;
}

std::string_view InputFile::require(std::string_view expected) {
  if (!next()) fail(fmt::format("the file ends here, but {} must follow: it is truncated", expected));
  return line_;
}

void InputFile::skip_blanks(char comment) {
  while (!left_.empty()) {
    const char c = left_.front();
    if (c == comment && comment != '\0') {
      left_.remove_prefix(std::min(left_.find('\n'), left_.size()));
      continue;
    }
    if (c != ' ' && c != '\t' && c != '\r' && c != '\n') return;
    if (c == '\n') ++newlines_;
    left_.remove_prefix(1);
  }
}

bool InputFile::has_word(char comment) {
  skip_blanks(comment);
  return !left_.empty();
}

std::string_view InputFile::word(std::string_view expected, char comment) {
  if (!has_word(comment)) fail(fmt::format("the file ends here, but {} must follow: it is truncated", expected));
  number_ = newlines_ + 1;
  byte_ = position();
  const std::string_view word = left_.substr(0, std::min(left_.find_first_of(" \t\r\n"), left_.size()));
  left_.remove_prefix(word.size());
  return word;
}

std::string_view InputFile::bytes(std::size_t count, std::string_view expected) {
  byte_ = position();
  if (count > left_.size())
    fail(fmt::format("the file has {} more bytes, but {} must follow: it is truncated", left_.size(), expected));
  const std::string_view bytes = left_.substr(0, count);
  left_.remove_prefix(count);
  return bytes;
}

void InputFile::skip_past(std::string_view text) {
  byte_ = position();
  const std::size_t at = left_.find(text);
  if (at == std::string_view::npos) fail(fmt::format("{} must follow, but the file ends: it is truncated", text));
  left_.remove_prefix(at + text.size());
}

void InputFile::seek(std::int64_t byte) {
  if (byte < 0 || byte > static_cast<std::int64_t>(text_.size()))
    fail(fmt::format("something stands at byte {}, but the file has {}: it is truncated", byte, text_.size()));
  left_ = std::string_view(text_).substr(static_cast<std::size_t>(byte));
}

void InputFile::fail_at(Place place, const std::string& message) const {
  if (place == no_place) throw InputError(fmt::format("{}: {}", file_, message));
  throw InputError(binary_ ? fmt::format("{}: byte {}: {}", file_, place, message)
                           : fmt::format("{}:{}: {}", file_, place, message));
}

void InputFile::fail_numbers(const Words& words, const std::string& otherwise) const {
  if (words.too_large().empty()) fail(otherwise);
  fail(fmt::format("the number {} is too large: numbers go up to {} here", words.too_large(), words.most()));
}

}  // namespace cleave
