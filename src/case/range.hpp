/// Allowed values of a number.
#pragma once

#include <limits>
#include <string>

namespace cleave::case_file {

/// An interval of finite numbers.
struct Range {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool with_low = false;  ///< whether the bound itself is allowed
  bool with_high = false;

  bool contains(double x) const { return (with_low ? x >= low : x > low) && (with_high ? x <= high : x < high); }

  /// `finite`, `> 0`, `>= 1`, `in (0, 1]`.
  std::string text() const;
};

constexpr Range finite() { return {}; }
constexpr Range above(double low) { return {.low = low}; }
constexpr Range at_least(double low) { return {.low = low, .with_low = true}; }
constexpr Range between(double low, double high) { return {.low = low, .high = high}; }
constexpr Range from_to(double low, double high) {
  return {.low = low, .high = high, .with_low = true, .with_high = true};
}
/// (low, high]
constexpr Range above_to(double low, double high) { return {.low = low, .high = high, .with_high = true}; }

}  // namespace cleave::case_file
