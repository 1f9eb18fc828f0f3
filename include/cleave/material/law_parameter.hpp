/// Keys of a law in the case file.
#pragma once

#include <limits>

namespace cleave {

/// A key of a law in the case file: a finite number in a range, or a table whose second column lies in that range.
struct LawParameter {
  static constexpr double none = std::numeric_limits<double>::quiet_NaN();
  static constexpr double unbounded = std::numeric_limits<double>::infinity();
  const char* key;
  const char* unit;              ///< `-`: none
  const char* meaning;           ///< for `cleave info --keys`
  double above = -unbounded;     ///< the value must be larger,
  double at_least = -unbounded;  ///< ... not smaller,
  double below = unbounded;      ///< ... smaller,
  double at_most = unbounded;    ///< ... not larger than these limits
  double otherwise = none;       ///< default, for a table in all rows; none: the key is required
  bool is_table = false;         ///< the key is a table
};

}  // namespace cleave
