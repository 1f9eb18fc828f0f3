/// The numbers of a law as the case file gives them.
#pragma once

#include <limits>

namespace cleave {

/// A key of a law in the case file: a finite number in a range.
struct LawParameter {
  static constexpr double none = std::numeric_limits<double>::quiet_NaN();
  static constexpr double unbounded = std::numeric_limits<double>::infinity();
  const char* key;
  const char* unit;     ///< `-`: none
  const char* meaning;  ///< for `cleave info --keys`
  double above = -unbounded;     ///< it must be larger,
  double at_least = -unbounded;  ///< ... not smaller,
  double below = unbounded;      ///< ... smaller,
  double at_most = unbounded;    ///< ... not larger than these
  double otherwise = none;       ///< its value when it is left out; none: it must be given
};

}  // namespace cleave
