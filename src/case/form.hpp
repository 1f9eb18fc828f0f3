/// Forms of a key's value: as text for the table of keys, as data for the JSON schema.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "case/range.hpp"

namespace cleave::case_file {

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
