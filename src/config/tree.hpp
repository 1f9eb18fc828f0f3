/// The case file as a tree of values that know where they come from, before anything is known of their meaning.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "config/report.hpp"

namespace cleave::config {

struct Entry;

/// A YAML value.
struct Value {
  enum class Kind { nothing, scalar, list, map };
  Kind kind = Kind::nothing;
  Place place;
  std::string text;            ///< scalar
  bool quoted = false;         ///< scalar: in quotes, hence text even if it looks like a number
  std::vector<Value> items;    ///< list
  std::vector<Entry> entries;  ///< map, in the order of the file, each key once

  /// The entry of a map with that key, or nullptr.
  const Entry* find(const std::string& key) const;
  Entry* find(const std::string& key);
};

/// A key and its value. The value stands at its key's line, so that a message about either leads to the key.
struct Entry {
  std::string key;
  Value value;
};

/// What a message calls the value: `the text "abc"`, `2.5`, `a list of 3`, `a map`, `nothing`.
std::string describe(const Value& value);

/// Reads a YAML file. Reports keys that are given twice, and what is no YAML; the result is then incomplete.
Value load_tree(const std::filesystem::path& file, Report& report);

/// The same of a text.
Value parse_tree(const std::string& text, Report& report);

/// Sets one value: `key.path=value`, where a path goes through keys of maps, which are made if missing, and indices of
/// lists, from 0. No value (`time.steps=`) takes the key or list item away.
void apply_override(Value& root, const std::string& override_text, Report& report);

}  // namespace cleave::config
