/// The keys of the case file as its reader asks for them; `cleave info --keys` and `--schema` are made from this table.
///
/// The reader states key, meaning, unit, range or words, and default in one line, see Section. Given a KeyTable, it
/// also records them there, together with its branches: contents of a case file on which it continues differently.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <type_traits>
#include <vector>

#include "case/form.hpp"
#include "case/tree.hpp"
#include "case/yaml_text.hpp"
#include "cleave/case/names.hpp"

namespace cleave::case_file {

/// Documentation of a key for the user.
struct Meaning {
  std::string text;
  std::string unit = "-";
  std::string otherwise{};  ///< default in words, if it differs from the initial value in the reader
};

/// Properties of a value that are known before it is read.
struct Facts {
  Forms forms;
  std::string initial;  ///< default value, or empty
};

// One function for each overload of Node::read, with the same arguments.
template <class T>
requires std::is_arithmetic_v<T> Facts facts_of(const T& value, const Range& range = finite()) {
  if constexpr (std::is_integral_v<T>) return {whole_number(range), std::to_string(value)};
  return {number(range), number_text(static_cast<double>(value))};
}

inline Facts facts_of(const std::string& value) { return {any_text(), value}; }

inline Facts facts_of(const std::string& value, const std::vector<std::string>& allowed) {
  return {words(allowed), value};
}

template <class Enum>
Facts facts_of(const Enum& value, const Names<Enum>& names) {
  std::vector<std::string> allowed;
  for (const auto& entry : names) allowed.push_back(entry.first);
  return {words(allowed), name_of(value, names)};
}

template <class T, std::size_t n>
Facts facts_of(const std::array<T, n>& values, const Range& range = finite()) {
  std::string initial;
  for (const T& value : values) initial += (initial.empty() ? "[" : ", ") + facts_of(value).initial;
  return {list_of(facts_of(T{}, range).forms, n), initial + "]"};
}

template <class T>
Facts facts_of(const std::optional<T>& value, const char* word, const Range& range = finite()) {
  return {either(words({word}), facts_of(T{}, range).forms), value ? facts_of(*value).initial : word};
}

/// Text in place of a default for a required key.
inline const char* const must_be_given = "required";

/// A key of the case file, merged from all branches of the reader.
struct KeyRow {
  std::string path;                    ///< `0` is any index of a list, `any_name` a name that the user chooses
  std::string meaning, unit, initial;  ///< Markdown
  std::vector<Forms> forms;            ///< of each branch
  std::vector<std::string> choices;    ///< keys of which exactly one must be given; empty: none
  std::string second_spelling;         ///< alternative name of the key; or none
  bool always_required = true;         ///< required in every case that has the section
};

/// The keys in the order in which the reader asks for them.
class KeyTable {
 public:
  /// A possible content of a case file, as overrides (see apply_override) of a previous branch.
  using Branch = std::vector<std::string>;

  /// The reader starts again at the root.
  void start();
  /// The reader asks for a key, with any meaning.
  void ask(const std::string& path);
  void describe(const std::string& path, const Meaning& meaning, const Facts& facts, bool required);
  /// Exactly one of these keys of a section must be given: one branch for each.
  void alternatives(const std::string& section, const std::vector<std::string>& keys);
  void second_spelling(const std::string& path, const std::string& other) { spellings_[path] = other; }
  void branch(const Branch& overrides) { branches_.push_back(overrides); }
  /// The reader has finished. Returns the branches that it has recorded.
  std::vector<Branch> finish();

  /// Throws std::logic_error, with the key, if a key has no meaning.
  std::vector<KeyRow> rows() const;

 private:
  KeyRow& row(const std::string& path);

  std::vector<KeyRow> rows_;
  std::size_t last_ = 0;                          ///< index of the row asked for last
  std::set<std::string> required_;                ///< paths of required keys, since start()
  std::set<std::string> sections_;                ///< sections with keys asked for since start()
  std::set<std::string> earlier_sections_;        ///< sections before start()
  std::map<std::string, std::string> spellings_;  ///< second spelling, by path
  std::vector<Branch> branches_;
};

/// Path of the section that contains the key; empty: the root.
std::string section_of(const std::string& path);

/// Placeholder in paths for a name that the user chooses.
inline const char* const any_name = "NAME";

/// Runs `read`, which reads a case from its tree, through all branches and returns all keys.
std::vector<KeyRow> describe_keys(const std::function<void(const Value& root, Report& report)>& read);

/// The keys as a Markdown table.
std::string table_of(const std::vector<KeyRow>& rows);

/// JSON schema, draft 7, which editors support. Numbers must be numbers; quoted ones, which the reader accepts with a
/// note, are invalid.
std::string schema_of(const std::vector<KeyRow>& rows, const std::string& title);

}  // namespace cleave::case_file
