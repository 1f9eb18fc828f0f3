/// Collects every error of a case file, so that the user sees them all at once.
#pragma once

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

}  // namespace cleave::case_file
