/// A case file as a tree of values with their places, and the report of its errors.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace cleave::case_file {

/// Source of a value.
struct Place {
  int line = 0;            ///< in the case file, from 1; 0: the whole file, or an override
  std::string overriding;  ///< the `--set` argument; empty: the case file
};

class KeyTable;

/// The text, cut to the length of a message.
std::string shortened(const std::string& text);

class Report {
 public:
  /// @param file  name of the case file in messages
  /// @param keys  table in which the reader records its keys; must outlive this object
  explicit Report(std::string file, KeyTable* keys = nullptr) : file_(std::move(file)), keys_(keys) {}

  /// Records an error at key path `path`, such as `cohesive.normal.strength`; empty: no key.
  void add(const Place& place, const std::string& path, const std::string& message);

  /// Throws InputError with one line per error, first by line of the file, then for overrides, and their number.
  void throw_if_any() const;

  /// Records a remark that is no error.
  void note(const Place& place, const std::string& path, const std::string& message) {
    notes_.push_back(text_of(place, path, message));
  }
  const std::vector<std::string>& notes() const { return notes_; }

  KeyTable* keys() const { return keys_; }

 private:
  struct Error {
    Place place;
    std::string text;
  };
  std::string text_of(const Place& place, const std::string& path, const std::string& message) const;

  std::string file_;
  KeyTable* keys_;
  std::vector<Error> errors_;
  std::vector<std::string> notes_;
};

struct Entry;

/// A YAML value.
struct Value {
  enum class Kind { nothing, scalar, list, map };
  Kind kind = Kind::nothing;
  Place place;
  std::string text;            ///< scalar
  bool quoted = false;         ///< scalar: quoted, so it is text even if it looks like a number
  std::vector<Value> items;    ///< list
  std::vector<Entry> entries;  ///< map, in the order of the file, each key once

  /// The entry of a map with that key, or nullptr.
  const Entry* find(const std::string& key) const;
  Entry* find(const std::string& key);
};

/// A key and its value. The value has the line of its key, so that messages about either lead to the key.
struct Entry {
  std::string key;
  Value value;
};

/// Description of a value in messages: `the text "abc"`, `2.5`, `a list of 3`, `a map`, `nothing`.
std::string describe(const Value& value);

/// Reads a YAML file. Reports invalid YAML and repeated keys; the result is then incomplete.
Value load_tree(const std::filesystem::path& file, Report& report);

/// The same for a text.
Value parse_tree(const std::string& text, Report& report);

/// Sets one value by `key.path=value`. The path consists of keys of maps, which are created if missing, and indices of
/// lists, from 0. Without a value (`time.steps=`) the key or list item is removed.
void apply_override(Value& root, const std::string& override_text, Report& report);

}  // namespace cleave::case_file
