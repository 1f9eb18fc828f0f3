/// The case file as a tree of values with their places, before keys are interpreted.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "case/report.hpp"

namespace cleave::case_file {

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
