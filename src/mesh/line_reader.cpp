#include "mesh/line_reader.hpp"

#include <fstream>
#include <limits>

namespace cleave {

LineReader::LineReader(const std::filesystem::path& file) : file_(file.string()) {
  std::ifstream stream(file, std::ios::binary);
  std::error_code error;
  text_.resize(std::filesystem::file_size(file, error));
  if (!stream.read(text_.data(), static_cast<std::streamsize>(text_.size()))) {
    throw InputError(file_ + ": the file cannot be read: check its permissions");
  }
  left_ = text_;
}

bool LineReader::next() {
  while (!left_.empty()) {
    const auto end = std::min(left_.find('\n'), left_.size());
    line_ = left_.substr(0, end);
    left_.remove_prefix(std::min(end + 1, left_.size()));
    ++number_;
    if (line_.ends_with('\r')) line_.remove_suffix(1);
    if (line_.find_first_not_of(" \t") != std::string_view::npos) return true;
  }
  return false;
}

std::string_view LineReader::require(std::string_view expected) {
  if (!next()) fail(fmt::format("the file ends here, but {} must follow: it is truncated", expected));
  return line_;
}

void LineReader::fail_at(int number, const std::string& message) const {
  throw InputError(fmt::format("{}:{}: {}", file_, number, message));
}

void LineReader::fail_numbers(const Words& words, const std::string& otherwise) const {
  if (words.too_large().empty()) fail(otherwise);
  fail(
      fmt::format("the number {} is too large: whole numbers of a mesh go up to {}; number its nodes and elements anew",
                  words.too_large(), std::numeric_limits<Index>::max()));
}

}  // namespace cleave
