/// Errors of a case that show only once its mesh is known.
#pragma once

#include <fmt/format.h>

#include <string>

#include "cleave/case/case.hpp"
#include "cleave/core/error.hpp"

namespace cleave {

/// Collects errors about keys of the case file, so that the user sees all of them in one report.
class CaseReport {
 public:
  explicit CaseReport(const Case& c) : file_(c.file.string()) {}

  /// @param line  line of the case file; 0: unknown
  /// @param key   path of the key, such as `boundary.0.on`
  void add(int line, const std::string& key, const std::string& what) {
    text_ += line > 0 ? fmt::format("{}:{}: {}: {}\n", file_, line, key, what)
                      : fmt::format("{}: {}: {}\n", file_, key, what);
  }

  bool empty() const { return text_.empty(); }

  /// Throws InputError with one line per error, if there are errors.
  void throw_if_any() const {
    if (!text_.empty()) throw InputError(text_.substr(0, text_.size() - 1));
  }

 private:
  std::string file_;
  std::string text_;
};

}  // namespace cleave
