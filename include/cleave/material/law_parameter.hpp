/// The numbers of a law as the case file gives them.
#pragma once

#include <limits>
#include <utility>
#include <vector>

namespace cleave {

/// Rows of two numbers, whose first ones increase.
using LawTable = std::vector<std::pair<double, double>>;

/// A key of a law in the case file: a finite number in a range, or a table whose second column is in that range.
struct LawParameter {
  static constexpr double none = std::numeric_limits<double>::quiet_NaN();
  static constexpr double unbounded = std::numeric_limits<double>::infinity();
  const char* key;
  const char* unit;              ///< `-`: none
  const char* meaning;           ///< for `cleave info --keys`
  double above = -unbounded;     ///< it must be larger,
  double at_least = -unbounded;  ///< ... not smaller,
  double below = unbounded;      ///< ... smaller,
  double at_most = unbounded;    ///< ... not larger than these
  double otherwise = none;       ///< its value when it is left out, all over if it is a table; none: it must be given
  int most_rows = 0;             ///< of a table; 0: it is a number
};

}  // namespace cleave
