/// Writer of the numbers of a mesh file: words of a text, or bytes of a binary file.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include "cleave/core/types.hpp"

namespace cleave {

class NumberWriter {
 public:
  explicit NumberWriter(bool binary) : binary_(binary) {}

  bool is_binary() const { return binary_; }
  void integer(Index value) { number(value); }       ///< 32 bits
  void large(std::int64_t value) { number(value); }  ///< 64 bits
  void real(double value) { number(value); }         ///< text: as many digits as needed to read it back exactly
  /// Ends a line of a text.
  void end_line() {
    if (!binary_) text_.back() = '\n';
  }
  void words(std::string_view text) { text_ += text; }

  std::size_t size() const { return text_.size(); }
  std::string take() { return std::move(text_); }

 private:
  template <class Number>
  void number(Number value) {
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
