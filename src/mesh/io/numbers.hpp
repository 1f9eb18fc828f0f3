/// Reader and writer of the numbers of a mesh file: words of a text, or bytes of a binary file.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "cleave/core/types.hpp"
#include "mesh/io/input_file.hpp"

namespace cleave {

/// The argument `what` of all members describes the number in messages: "the number of nodes".
class NumberReader {
 public:
  /// @param comment  start of comments, which end with the line
  explicit NumberReader(InputFile& file, char comment = '\0') : file_(file), comment_(comment) {}

  /// An integer of 32 bits.
  Index integer(std::string_view what) { return number<Index>(what); }
  /// An integer of 64 bits.
  std::int64_t large(std::string_view what) { return number<std::int64_t>(what); }
  double real(std::string_view what) { return number<double>(what); }

  /// A count that is not negative. A binary file must have room for that many items of `least_bytes` each.
  std::int64_t count(std::string_view what, std::int64_t least_bytes) {
    const std::int64_t count = large(what);
    check_count(count, what, least_bytes);
    return count;
  }
  void check_count(std::int64_t count, std::string_view what, std::int64_t least_bytes) const {
    if (count < 0) file_.fail(fmt::format("{} is {}, below 0", what, count));
    if (file_.is_binary() && count > file_.bytes_left() / least_bytes)
      file_.fail(fmt::format("{} is {}, but only {} bytes follow: the file is truncated, or the number is wrong", what,
                             count, file_.bytes_left()));
  }

 private:
  template <class Number>
  Number number(std::string_view what) {
    if (file_.is_binary()) return file_.value<Number>(what);
    const std::string_view word = file_.word(what, comment_);
    Words words(word);
    Number value{};
    if (words.read(value)) return value;
    file_.fail_numbers(words, fmt::format("expected {}, found '{}'{}", what, word,
                                          word.starts_with('$') ? ": the section is truncated" : ""));
  }

  InputFile& file_;
  char comment_;
};

class NumberWriter {
 public:
  explicit NumberWriter(bool binary) : binary_(binary) {}

  bool is_binary() const { return binary_; }
  /// Numbers of 32 bits, of 64 bits and real ones, by their types. A text has as many digits of real numbers as are
  /// needed to read them back exactly.
  template <class... Numbers>
  void put(Numbers... values) {
    (number(values), ...);
  }
  /// Ends a line of a text.
  void end_line() {
    if (!binary_) text_.back() = '\n';
  }
  /// Numbers of a line of their own.
  template <class... Numbers>
  void line(Numbers... values) {
    put(values...);
    end_line();
  }
  void words(std::string_view text) { text_ += text; }

  std::size_t size() const { return text_.size(); }
  std::string take() { return std::move(text_); }

 private:
  template <class Number>
  void number(Number value) {
    static_assert(std::is_same_v<Number, Index> || std::is_same_v<Number, std::int64_t> ||
                  std::is_same_v<Number, double>);
    if (binary_) {
      text_.append(reinterpret_cast<const char*>(&value), sizeof value);
    } else {
      fmt::format_to(std::back_inserter(text_), "{} ", value);
    }
  }

  bool binary_;
  std::string text_;
};

}  // namespace cleave
