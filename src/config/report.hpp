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

class Report {
 public:
  /// `file` is the case file's name as it stands in messages.
  explicit Report(std::string file) : file_(std::move(file)) {}

  /// Records an error of the value at key path `path`, such as `cohesive.normal.strength`; empty: none in particular.
  void add(const Place& place, const std::string& path, const std::string& message);

  /// Throws InputError with one line per error, by line of the file, then those of overrides, and their count.
  void throw_if_any() const;

 private:
  struct Error {
    Place place;
    std::string text;
  };
  std::string file_;
  std::vector<Error> errors_;
};

}  // namespace cleave::config
