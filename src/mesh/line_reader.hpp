/// Reading a text file line by line, with messages that name the line.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <string>
#include <string_view>
#include <type_traits>

#include "cleave/core/error.hpp"
#include "cleave/core/types.hpp"

namespace cleave {

/// The words of one line, read from left to right.
class Words {
 public:
  explicit Words(std::string_view text) : text_(text) {}

  /// The next word, empty at the end of the line.
  std::string_view next() {
    const auto begin = std::min(text_.find_first_not_of(" \t"), text_.size());
    const auto end = std::min(text_.find_first_of(" \t", begin), text_.size());
    const std::string_view word = text_.substr(begin, end - begin);
    text_.remove_prefix(end);
    return word;
  }

  /// Reads a number that fills the next word; false when there is none, or a whole number is too large for its type.
  /// "nan" and "inf" are numbers of type double.
  template <class Number>
  bool read(Number& value) {
    std::string_view word = next();
    if (word.starts_with('+')) word.remove_prefix(1);
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (std::is_integral_v<Number> && error == std::errc::result_out_of_range) too_large_ = word;
    return error == std::errc() && end == word.data() + word.size();
  }

  std::string_view rest() const { return text_; }
  /// The last whole number that was too large to be read; empty: none was.
  std::string_view too_large() const { return too_large_; }

 private:
  std::string_view text_;
  std::string_view too_large_;
};

class LineReader {
 public:
  explicit LineReader(const std::filesystem::path& file);

  /// Goes to the next line that is not blank; false at the end of the file.
  bool next();
  /// The same, but the end of the file is an error; `expected` says what is missing.
  std::string_view require(std::string_view expected);

  std::string_view line() const { return line_; }
  int number() const { return number_; }

  /// Throws InputError about the current line: a number of it that is too large or, if there is none, `otherwise`.
  [[noreturn]] void fail_numbers(const Words& words, const std::string& otherwise) const;
  /// Throws InputError "file:line: message" about the current line, or about line `number`.
  [[noreturn]] void fail(const std::string& message) const { fail_at(number_, message); }
  [[noreturn]] void fail_at(int number, const std::string& message) const;

 private:
  std::string file_;
  std::string text_;
  std::string_view left_;
  std::string_view line_;
  int number_ = 0;
};

}  // namespace cleave
