/// Functions in laws that are given by tables.
#pragma once

#include <stdexcept>

#include "cleave/core/extremes.hpp"
#include "cleave/material/law_table.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// A function by a table: linear between its points, constant before the first. It knows its first segment itself,
/// where most points of a body are, and reads the others from memory: that of the host or that of a GPU.
struct LookUpTable {
  int points = 0;
  Real last_slope = 0;                               ///< behind the last point
  Real start = 0, start_level = 0, start_slope = 0;  ///< first segment
  Real start_end = 0;                                ///< where it ends; not used if there is one point
  const TableRow* on_host = nullptr;                 ///< [points]; null if there is one point
  const TableRow* on_gpu = nullptr;                  ///< the same in the memory of a GPU, see LawTable

  /// Throws std::length_error for a table without rows.
  /// @param last_slope  behind the last point
  static LookUpTable make(const LawTable& from, double last_slope = 0) {
    if (from.rows.empty()) throw std::length_error("a law's table has no rows");
    const TableRow& first = from.rows.front();
    LookUpTable table{.points = static_cast<int>(from.rows.size()),
                      .last_slope = static_cast<Real>(last_slope),
                      .start = static_cast<Real>(first.at),
                      .start_level = static_cast<Real>(first.level),
                      .start_slope = static_cast<Real>(last_slope)};
    if (table.points > 1) {
      table.on_host = kept_rows(from.rows);
      table.on_gpu = from.on_gpu;
      table.start_slope = table.slope_behind(0);
      table.start_end = table.at(1);
    }
    return table;
  }

  /// Index of the point at the start of the segment that contains x; x must not lie before the first point.
  CLEAVE_HD int piece(Real x) const {
    if (points == 1 || x < start_end) return 0;
    int low = 1, high = points;
    while (high - low > 1) {
      const int middle = (low + high) / 2;
      (x < at(middle) ? high : low) = middle;
    }
    return low;
  }
  /// The point at the end of a segment but the last one.
  CLEAVE_HD Real end(int i) const { return i == 0 ? start_end : at(i + 1); }
  CLEAVE_HD Real slope(int i) const { return i == 0 ? start_slope : i + 1 == points ? last_slope : slope_behind(i); }
  CLEAVE_HD Real on_piece(int i, Real x) const {
    return i == 0 ? start_level + start_slope * (x - start) : level(i) + slope(i) * (x - at(i));
  }
  CLEAVE_HD Real value(Real x) const {
    const Real inside = larger(start, x);
    return on_piece(piece(inside), inside);
  }

 private:
  CLEAVE_HD const TableRow& row(int i) const {
#if defined(__CUDA_ARCH__)
    return on_gpu[i];
#else
    return on_host[i];
#endif
  }
  CLEAVE_HD Real at(int i) const { return static_cast<Real>(row(i).at); }
  CLEAVE_HD Real level(int i) const { return static_cast<Real>(row(i).level); }
  CLEAVE_HD Real slope_behind(int i) const { return (level(i + 1) - level(i)) / (at(i + 1) - at(i)); }
};

}  // namespace cleave::inline CLEAVE_PRECISION
