/// Collects every error of a case file, so that the user sees them all at once.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace cleave::config {

/// Where a value comes from.
struct Place {
  int line = 0;            ///< in the case file, from 1; 0: the file as a whole, or an override
  std::string overriding;  ///< text of the `--set` argument; empty: the case file
};

class KeyTable;

/// The beginning of a text that is too long for a message.
std::string shortened(const std::string& text);

class Report {
 public:
  /// `file` is the case file's name as it stands in messages. `keys`, if given, is where the reader notes what it asks
  /// for; it must live as long as this.
  explicit Report(std::string file, KeyTable* keys = nullptr) : file_(std::move(file)), keys_(keys) {}

  /// Records an error of the value at key path `path`, such as `cohesive.normal.strength`; empty: none in particular.
  void add(const Place& place, const std::string& path, const std::string& message);

  /// Throws InputError with one line per error, by line of the file, then those of overrides, and their count.
  void throw_if_any() const;

  /// Records something that the user should know and that is no error.
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

}  // namespace cleave::config
