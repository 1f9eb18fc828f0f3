/// Forms of a key's value, and the range of a number: as text for the table of keys, as data for the JSON schema.
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

namespace cleave::case_file {

/// An interval of finite numbers.
struct Range {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool with_low = false;  ///< whether the bound itself is allowed
  bool with_high = false;

  bool contains(double x) const { return (with_low ? x >= low : x > low) && (with_high ? x <= high : x < high); }

  /// `finite`, `> 0`, `>= 1`, `in (0, 1]`.
  std::string text() const;
};

constexpr Range finite() { return {}; }
constexpr Range above(double low) { return {.low = low}; }
constexpr Range at_least(double low) { return {.low = low, .with_low = true}; }
constexpr Range between(double low, double high) { return {.low = low, .high = high}; }
constexpr Range from_to(double low, double high) {
  return {.low = low, .high = high, .with_low = true, .with_high = true};
}
/// (low, high]
constexpr Range above_to(double low, double high) { return {.low = low, .high = high, .with_high = true}; }

struct Form;
/// Alternative forms of a value.
using Forms = std::vector<Form>;

struct Form {
  enum class Kind { number, whole, text, word, list, map };
  Kind kind;
  Range range{};          ///< number, whole
  std::string word{};     ///< word
  Forms items{};          ///< list: forms of each value
  std::size_t count = 0;  ///< list: number of values; 0: any number
  std::string pattern{};  ///< list: notation in the table of keys; empty: a description in words
};

Forms number(const Range& range = finite());
Forms whole_number(const Range& range = finite());
Forms any_text();
Forms words(const std::vector<std::string>& words);
Forms any_map();
Forms list_of(const Forms& items, std::size_t count = 0, const std::string& pattern = {});
Forms either(Forms first, const Forms& second);

/// `number > 0`, `` `auto`, whole number in [0, 9] ``, `list of 2, each a number`, as Markdown.
std::string text_of(const Forms& forms);

/// The words among the forms.
std::vector<std::string> words_of(const Forms& forms);

std::string in_code(const std::string& text);  ///< `text`, as Markdown

}  // namespace cleave::case_file
