/// The keys of the case file as their reader asks for them, of which `cleave info --keys` and `--schema` are made.
///
/// The reader says key, meaning, unit, range or words, and default in one line, see Section. Given a KeyTable, it also
/// notes them there, and notes what a case file could say for the reader to go on differently: a branch.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <type_traits>
#include <vector>

#include "config/form.hpp"
#include "config/names.hpp"
#include "config/number.hpp"
#include "config/tree.hpp"

namespace cleave::config {

/// What a key means, for the user.
struct Meaning {
  std::string text;
  std::string unit = "-";
  std::string otherwise{};  ///< what holds without the key, if that is not the value that the reader starts from
};

/// What the reader knows of a value before it has read it.
struct Facts {
  Forms forms;
  std::string initial;  ///< the value without the key, or empty
};

// One function for each form of Node::read, with the same arguments.
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

/// The default of a key that has none.
inline const char* const must_be_given = "required";

/// A key of the case file, as the reader has asked for it in any case.
struct KeyRow {
  std::string path;  ///< `0` stands for any number of a list, `any_name` for a name that the user chooses
  std::string meaning, unit, initial;  ///< Markdown
  std::vector<Forms> forms;            ///< by branch
  std::vector<std::string> choices;    ///< this key and others of its section, of which exactly one is given; or none
  std::string second_spelling;         ///< of the key; or none
  bool always_required = true;         ///< in every case that has the section
};

/// Rows in the order in which the reader asks.
class KeyTable {
 public:
  /// What a case file can say, as overrides (see apply_override) on top of what it says already.
  using Branch = std::vector<std::string>;

  /// The reader starts at the root again.
  void start();
  /// The reader asks for a key, whatever it means.
  void ask(const std::string& path);
  void describe(const std::string& path, const Meaning& meaning, const Facts& facts, bool required);
  /// Exactly one of the keys of this section is given: one branch each.
  void alternatives(const std::string& section, const std::vector<std::string>& keys);
  void second_spelling(const std::string& path, const std::string& other) { spellings_[path] = other; }
  void branch(const Branch& overrides) { branches_.push_back(overrides); }
  /// The reader is at its end. Returns the branches that it noted.
  std::vector<Branch> finish();

  /// Throws std::logic_error, naming the key, if one has no meaning.
  std::vector<KeyRow> rows() const;

 private:
  KeyRow& row(const std::string& path);

  std::vector<KeyRow> rows_;
  std::size_t last_ = 0;                          ///< the row asked for last
  std::set<std::string> required_;                ///< paths, since the start
  std::set<std::string> sections_;                ///< in which a key was asked for since the start
  std::set<std::string> earlier_sections_;        ///< before
  std::map<std::string, std::string> spellings_;  ///< the second one, by path
  std::vector<Branch> branches_;
};

/// Path of the section that has the key; empty: the root.
std::string section_of(const std::string& path);

/// The name that stands in paths for one that the user chooses.
inline const char* const any_name = "NAME";

/// Drives `read`, which reads a case from its tree, into every branch and returns all keys.
std::vector<KeyRow> describe_keys(const std::function<void(const Value& root, Report& report)>& read);

/// As a table in Markdown.
std::string table_of(const std::vector<KeyRow>& rows);

}  // namespace cleave::config
