/// Tables of numbers in laws.
#pragma once

#include <stdexcept>

#include "cleave/core/extremes.hpp"
#include "cleave/material/law_parameter.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// A table in a law: linear between its points, constant before the first. The table is part of the law and so of a
/// kernel's arguments; threads of one material read the same constant memory.
/// @tparam most  largest number of points; at least `most_rows` of its LawParameter
template <int most>
struct LookUpTable {
  static constexpr int most_points = most;
  int points = 0;
  Real at[most] = {};     ///< ascending
  Real level[most] = {};  ///< values there
  Real slope[most] = {};  ///< from each point to the next one

  /// @param last_slope  slope behind the last point
  static LookUpTable make(const LawTable& rows, double last_slope = 0) {
    if (rows.empty() || rows.size() > most) throw std::length_error("a law's table has no or too many rows for it");
    LookUpTable table;
    for (const auto& [x, y] : rows) {
      table.at[table.points] = static_cast<Real>(x);
      table.level[table.points++] = static_cast<Real>(y);
    }
    for (int i = 0; i + 1 < table.points; ++i)
      table.slope[i] = (table.level[i + 1] - table.level[i]) / (table.at[i + 1] - table.at[i]);
    table.slope[table.points - 1] = static_cast<Real>(last_slope);
    return table;
  }

  /// Index of the point at the start of the segment that contains x; x must not lie before the first point.
  CLEAVE_HD int piece(Real x) const {
    int i = 0;
    while (i + 1 < points && x >= at[i + 1]) ++i;
    return i;
  }
  CLEAVE_HD Real on_piece(int i, Real x) const { return level[i] + slope[i] * (x - at[i]); }
  CLEAVE_HD Real value(Real x) const {
    const Real inside = larger(at[0], x);
    return on_piece(piece(inside), inside);
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
