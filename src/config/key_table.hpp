/// The keys of the case file as their reader asks for them: the table of `cleave info --keys`.
///
/// The reader says key, meaning, unit, range or words, and default in one line, see Section. Given a KeyTable, it also
/// notes them there, and notes what a case file could say for the reader to go on differently: a branch.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "config/names.hpp"
#include "config/number.hpp"
#include "config/range.hpp"
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
  std::string allowed;             ///< range or words
  std::string initial;             ///< the value without the key, or empty
  std::vector<std::string> words;  ///< all that it can be, if it is a word; or empty
};

std::string in_code(const std::string& text);                    ///< `text`, as Markdown
std::string in_code(const std::vector<std::string>& words);      ///< `a`, `b`
std::string numbers_text(const char* kind, const Range& range);  ///< the kind alone if the range says no more

// One function for each form of Node::read, with the same arguments.
template <class T>
requires std::is_arithmetic_v<T> Facts facts_of(const T& value, const Range& range = finite()) {
  if constexpr (std::is_integral_v<T>) return {numbers_text("whole number", range), std::to_string(value), {}};
  return {numbers_text("number", range), number_text(static_cast<double>(value)), {}};
}

inline Facts facts_of(const std::string& value) { return {"text", value, {}}; }

inline Facts facts_of(const std::string& value, const std::vector<std::string>& words) {
  return {in_code(words), value, words};
}

template <class Enum>
Facts facts_of(const Enum& value, const Names<Enum>& names) {
  std::vector<std::string> words;
  for (const auto& entry : names) words.push_back(entry.first);
  return {in_code(words), name_of(value, names), words};
}

template <class T, std::size_t n>
Facts facts_of(const std::array<T, n>& values, const Range& range = finite()) {
  std::string initial;
  for (const T& value : values) initial += (initial.empty() ? "[" : ", ") + facts_of(value).initial;
  return {"list of " + std::to_string(n) + ", each a " + facts_of(T{}, range).allowed, initial + "]", {}};
}

template <class T>
Facts facts_of(const std::optional<T>& value, const char* word, const Range& range = finite()) {
  return {in_code(word) + ", " + facts_of(T{}, range).allowed, value ? facts_of(*value).initial : word, {}};
}

/// Rows in the order in which the reader asks.
class KeyTable {
 public:
  /// What a case file can say, as overrides (see apply_override) on top of what it says already.
  using Branch = std::vector<std::string>;

  /// The reader starts at the root again.
  void start() { last_ = rows_.size(); }
  /// The reader asks for a key, whatever it means.
  void ask(const std::string& path);
  void describe(const std::string& path, const Meaning& meaning, const std::string& allowed,
                const std::string& initial);
  /// Exactly one of the keys of this section is given: one branch each.
  void alternatives(const std::string& section, const std::vector<std::string>& keys);
  void branch(const Branch& overrides) { branches_.push_back(overrides); }

  /// The branches noted since the last call.
  std::vector<Branch> take_branches();

  /// As Markdown. Throws std::logic_error, naming the key, if one has no meaning.
  std::string text() const;

 private:
  struct Row {
    std::string path;
    std::string meaning, unit, initial;
    std::vector<std::string> allowed;  ///< by branch
  };
  Row& row(const std::string& path);
  bool repeats_single(const Row& entry) const;

  std::vector<Row> rows_;
  std::size_t last_ = 0;                        ///< the row asked for last
  std::map<std::string, std::string> choices_;  ///< by path: this key or the others of which exactly one is given
  std::vector<Branch> branches_;
};

/// The name that stands in paths for one that the user chooses.
inline const char* const any_name = "NAME";

/// Drives `read`, which reads a case from its tree, into every branch and returns the table of all keys.
std::string describe_keys(const std::function<void(const Value& root, Report& report)>& read);

}  // namespace cleave::config
