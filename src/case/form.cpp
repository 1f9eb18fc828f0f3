#include "case/form.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "case/yaml_text.hpp"

namespace cleave::case_file {

std::string Range::text() const {
  if (std::isinf(low) && std::isinf(high)) return "finite";
  if (std::isinf(high)) return fmt::format("{} {}", with_low ? ">=" : ">", number_text(low));
  if (std::isinf(low)) return fmt::format("{} {}", with_high ? "<=" : "<", number_text(high));
  return fmt::format("in {}{}, {}{}", with_low ? '[' : '(', number_text(low), number_text(high), with_high ? ']' : ')');
}

namespace {

/// The kind of number with its range; the kind alone for an unlimited range.
std::string number_of(const char* kind, const Range& range) {
  const bool all = std::isinf(range.low) && std::isinf(range.high);
  return all ? kind : fmt::format("{} {}", kind, range.text());
}

/// Description of a list. Texts in a list are names, and so are words, of which there may be many.
std::string list_text(const Form& list) {
  if (!list.pattern.empty()) return in_code(list.pattern);
  const Form::Kind kind = list.items.front().kind;
  const std::string count = list.count > 0 ? fmt::format("{} ", list.count) : "";
  if (kind == Form::Kind::text || kind == Form::Kind::word) return "list of " + count + "names";
  if (kind == Form::Kind::map) return "list of " + count + "maps";
  return fmt::format("list{}, each a {}", list.count > 0 ? fmt::format(" of {}", list.count) : "", text_of(list.items));
}

std::string text_of_one(const Form& form) {
  switch (form.kind) {
    case Form::Kind::number:
      return number_of("number", form.range);
    case Form::Kind::whole:
      return number_of("whole number", form.range);
    case Form::Kind::text:
      return "text";
    case Form::Kind::word:
      return in_code(form.word);
    case Form::Kind::list:
      return list_text(form);
    case Form::Kind::map:
      break;
  }
  return "map";
}

}  // namespace

Forms number(const Range& range) { return {{.kind = Form::Kind::number, .range = range}}; }
Forms whole_number(const Range& range) { return {{.kind = Form::Kind::whole, .range = range}}; }
Forms any_text() { return {{.kind = Form::Kind::text}}; }
Forms any_map() { return {{.kind = Form::Kind::map}}; }

Forms words(const std::vector<std::string>& words) {
  Forms forms;
  for (const std::string& word : words) forms.push_back({.kind = Form::Kind::word, .word = word});
  return forms;
}

Forms list_of(const Forms& items, std::size_t count, const std::string& pattern) {
  return {{.kind = Form::Kind::list, .items = items, .count = count, .pattern = pattern}};
}

Forms either(Forms first, const Forms& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

std::string text_of(const Forms& forms) {
  std::vector<std::string> each;
  for (const Form& form : forms) each.push_back(text_of_one(form));
  return fmt::format("{}", fmt::join(each, ", "));
}

std::vector<std::string> words_of(const Forms& forms) {
  std::vector<std::string> words;
  for (const Form& form : forms)
    if (form.kind == Form::Kind::word) words.push_back(form.word);
  return words;
}

std::string in_code(const std::string& text) { return "`" + text + "`"; }

}  // namespace cleave::case_file
