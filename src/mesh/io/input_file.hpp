/// Reading of mesh files, text or binary, with messages that name the place.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>
#include <type_traits>

#include "cleave/core/error.hpp"
#include "cleave/core/types.hpp"

namespace cleave {

/// A place in a file: the line, from 1, of a text; the byte, from 0, of a binary file.
using Place = std::int64_t;
/// The file alone, for messages about the whole of it.
inline constexpr Place no_place = -1;

/// The words of one line, from left to right.
class Words {
 public:
  explicit Words(std::string_view text) : text_(text) {}

  /// The next word; empty at the end of the line.
  std::string_view next() {
    const auto begin = std::min(text_.find_first_not_of(" \t"), text_.size());
    const auto end = std::min(text_.find_first_of(" \t", begin), text_.size());
    const std::string_view word = text_.substr(begin, end - begin);
    text_.remove_prefix(end);
    return word;
  }

  /// Reads the next word as a number; false if it is none, or an integer too large for its type. "nan" and "inf" are
  /// numbers of type double.
  template <class Number>
  bool read(Number& value) {
    std::string_view word = next();
    if (word.starts_with('+')) word.remove_prefix(1);
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (std::is_integral_v<Number> && error == std::errc::result_out_of_range) {
      too_large_ = word;
      most_ = static_cast<std::int64_t>(std::numeric_limits<Number>::max());
    }
    return error == std::errc() && end == word.data() + word.size();
  }

  std::string_view rest() const { return text_; }
  /// The last integer that was too large; empty if there was none.
  std::string_view too_large() const { return too_large_; }
  /// The largest value of its type.
  std::int64_t most() const { return most_; }

 private:
  std::string_view text_;
  std::string_view too_large_;
  std::int64_t most_ = 0;
};

/// A file in memory, read from its beginning to its end: by lines, by words across lines, or by bytes. Every message is
/// an InputError with the last place read: "file:line: message" or "file: byte N: message".
class InputFile {
 public:
  /// @param expected  for messages: "a mesh"
  explicit InputFile(const std::filesystem::path& file, const std::string& expected = "a mesh");

  const std::string& name() const { return file_; }
  /// From now on places are bytes.
  void set_binary() { binary_ = true; }
  bool is_binary() const { return binary_; }

  /// Advances to the next line; false at the end of the file.
  bool next_line();
  /// Advances to the next line that is not blank; false at the end of the file.
  bool next();
  /// The same, but the end of the file is an error; `expected` names the missing text.
  std::string_view require(std::string_view expected);
  std::string_view line() const { return line_; }

  /// The next word, also on a later line; the end of the file is an error. Skips text from `comment` to the end of a
  /// line.
  std::string_view word(std::string_view expected, char comment = '\0');
  /// Whether there is another word.
  bool has_word(char comment = '\0');
  /// The next `count` bytes.
  std::string_view bytes(std::size_t count, std::string_view expected);
  template <class T>
  T value(std::string_view expected) {
    T value;
    std::memcpy(&value, bytes(sizeof value, expected).data(), sizeof value);
    return value;
  }
  /// Advances past the next occurrence of a text; the end of the file is an error.
  void skip_past(std::string_view text);
  /// Moves to a byte of the file.
  void seek(std::int64_t byte);

  /// Frees the bytes; afterwards only messages are possible.
  void forget() {
    left_ = line_ = {};
    std::string().swap(text_);  // an assignment would keep the memory
  }

  std::int64_t position() const { return static_cast<std::int64_t>(text_.size() - left_.size()); }
  std::int64_t bytes_left() const { return static_cast<std::int64_t>(left_.size()); }

  /// The last place read.
  Place place() const { return binary_ ? byte_ : number_; }
  /// "line 12" or "byte 812".
  std::string text_of(Place place) const { return fmt::format("{} {}", binary_ ? "byte" : "line", place); }

  /// Reports a number of `words` that is too large; if there is none, `otherwise`.
  [[noreturn]] void fail_numbers(const Words& words, const std::string& otherwise) const;
  [[noreturn]] void fail(const std::string& message) const { fail_at(place(), message); }
  [[noreturn]] void fail_at(Place place, const std::string& message) const;

 private:
  void skip_blanks(char comment);

  std::string file_;
  std::string text_;
  std::string_view left_;
  std::string_view line_;
  Place number_ = 0;    // last line read
  Place newlines_ = 0;  // before `left_`
  Place byte_ = 0;      // start of the last bytes read
  bool binary_ = false;
};

}  // namespace cleave
