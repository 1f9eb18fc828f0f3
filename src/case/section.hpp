/// Checked reader: returns typed values of the case file and reports all their errors.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "case/form.hpp"
#include "case/key_table.hpp"
#include "case/tree.hpp"
#include "cleave/case/names.hpp"
#include "cleave/core/nearest_name.hpp"
#include "cleave/core/types.hpp"

namespace cleave::case_file {

/// A value with its key path. `read` converts and checks it; on an error it reports it, leaves `out` unchanged and
/// returns false.
class Node {
 public:
  Node(const Value& value, std::string path, Report& report)
      : value_(&value), path_(std::move(path)), report_(&report) {}

  /// Accepts a quoted number too, with a note.
  bool read(double& out, const Range& range = finite()) const;
  bool read(int& out, const Range& range = finite()) const;
  bool read(Step& out, const Range& range = finite()) const;
  bool read(std::uint64_t& out, const Range& range = finite()) const;
  /// Text that is neither empty nor very long; a number is read as its text.
  bool read(std::string& out) const;
  /// One of the given words.
  bool read(std::string& out, const std::vector<std::string>& words) const;

  template <class Enum>
  bool read(Enum& out, const Names<Enum>& names) const {
    std::vector<std::string> words;
    for (const auto& entry : names) words.push_back(entry.first);
    std::string word;
    if (!read(word, words)) return false;
    for (const auto& [name, value] : names) {
      if (name == word) out = value;
    }
    return true;
  }

  /// A list of exactly n values in the range.
  template <class T, std::size_t n>
  bool read(std::array<T, n>& out, const Range& range = finite()) const {
    if (value_->kind != Value::Kind::list || value_->items.size() != n) {
      return fail_expected_numbers(n);
    }
    std::array<T, n> values = out;
    bool good = true;
    for (std::size_t i = 0; i < n; ++i) good = item(i).read(values[i], range) && good;
    if (good) out = values;
    return good;
  }

  /// A value, or the word that has the effect of leaving it out.
  template <class T>
  bool read(std::optional<T>& out, const char* word, const Range& range = finite()) const {
    if (is_word(word)) {
      out.reset();
      return true;
    }
    T value{};
    if (!or_word(word).read(value, range)) return false;
    out = value;
    return true;
  }

  /// The items of a list; for another value reports an error and returns none.
  std::vector<Node> items() const;

  bool is_word(const std::string& word) const;
  bool is_list() const { return value_->kind == Value::Kind::list; }
  /// The same node; its messages name `word` as a further choice.
  Node or_word(const std::string& word) const;

  /// Reports `message` about this value.
  void fail(const std::string& message) const;
  /// Reports "expected ..., found ..."; returns false.
  bool fail_expected(const std::string& expected) const;

  const Value& value() const { return *value_; }
  const std::string& path() const { return path_; }
  Report& report() const { return *report_; }

 private:
  std::optional<double> number() const;
  bool fail_expected_number(const char* what) const;
  bool fail_expected_numbers(std::size_t n) const;
  template <class Integer>
  bool read_integer(Integer& out, const Range& range) const;
  bool check(double number, const Range& range) const;
  Node item(std::size_t i) const { return {value_->items[i], path_ + "." + std::to_string(i), *report_}; }

  const Value* value_;
  std::string path_;
  Report* report_;
  std::string word_;
};

/// A map of the case file. Keys that are asked for become valid; at the end of its life the section reports the
/// remaining keys of the file as unknown.
///
/// A section may be absent from the file. Then no key is missing and all values keep their defaults.
///
/// Every key has a meaning, which `cleave info --keys` and `--schema` print with its other properties.
class Section {
 public:
  /// The section of a map; another value is reported and counts as absent.
  explicit Section(const Node& node);
  ~Section();
  Section(const Section&) = delete;
  Section& operator=(const Section&) = delete;

  bool given() const { return map_ != nullptr; }

  /// Reads a required value. `check` is a range, words or names, see Node::read. Returns whether the value is given and
  /// valid.
  template <class T, class... Check>
  bool required(const std::string& key, T& out, const Meaning& meaning, const Check&... check) {
    if (report_->keys()) note_value(key, meaning, facts_of(out, check...), true);
    const std::optional<Node> node = look_up_required(key);
    return node && node->read(out, check...);
  }

  /// Reads an optional value; `out` holds its default. Returns whether the value is given and valid.
  template <class T, class... Check>
  bool optional(const std::string& key, T& out, const Meaning& meaning, const Check&... check) {
    if (report_->keys()) note_value(key, meaning, facts_of(out, check...), false);
    const std::optional<Node> node = look_up(key);
    return node && node->read(out, check...);
  }

  Section required_section(const std::string& key, const Meaning& meaning);
  /// An optional section, which may also be set to `absent_word`.
  Section optional_section(const std::string& key, const Meaning& meaning, const std::string& absent_word = {});

  /// Whether the file has a value for a key that is read elsewhere.
  bool has(const std::string& key);
  /// The value of an optional key. `forms` describes it for the user and checks nothing.
  std::optional<Node> optional_node(const std::string& key, const Meaning& meaning, const Forms& forms);
  /// The value of a required key; empty, and reported, if it is missing.
  std::optional<Node> required_node(const std::string& key, const Meaning& meaning, const Forms& forms);

  /// The only one of these keys in the file; empty if there are none or several. This is reported, unless the report of
  /// an unknown key explains why there is none.
  std::string exactly_one(const std::vector<std::string>& keys);

  /// Reports these keys as invalid here, with the reason.
  void exclude(const std::vector<std::string>& keys, const std::string& reason);

  /// Accepts `other` in place of `key`. Call it before either is read.
  void second_spelling(const std::string& key, const std::string& other);

  /// Accepts these keys without reading them, when another error leaves open whether they are valid.
  void allow(const std::vector<std::string>& keys) { valid_.insert(valid_.end(), keys.begin(), keys.end()); }

  /// Every key of a section whose keys are names chosen by the user.
  std::vector<std::string> all_keys();

  /// The absolute path of a file named by a key. Its length is limited as that of other texts, because the resolved
  /// case contains it and is read again.
  std::filesystem::path from_root(const std::string& key, const std::filesystem::path& file);

  /// Reports `message` at a key, or at the section's line if the key is absent or empty.
  void fail(const std::string& key, const std::string& message);

  /// Line of a key; 0 if it is absent or set by an override.
  int line(const std::string& key) const;

 private:
  /// An absent section.
  Section(std::string path, Report& report) : path_(std::move(path)), report_(&report) {}
  const Entry* find(const std::string& key) const;
  std::optional<Node> look_up(const std::string& key);
  std::optional<Node> look_up_required(const std::string& key);
  void note_value(const std::string& key, const Meaning& meaning, const Facts& facts, bool required) const;
  void note_node(const std::string& key, const Meaning& meaning, const Forms& forms, bool required) const;
  void note_section(const std::string& key, const Meaning& meaning, const std::string& absent_word,
                    bool required) const;
  std::string path_of(const std::string& key) const { return path_.empty() ? key : path_ + "." + key; }

  const Value* map_ = nullptr;
  std::string path_;
  Report* report_ = nullptr;
  std::vector<std::string> valid_;  ///< in the order of the calls
  std::set<std::string> excluded_;
  std::map<std::string, std::string> other_spellings_;
};

}  // namespace cleave::case_file
