/// Norms of fields: what a backend's `reduce` makes of the values of nodes or elements.
#pragma once

#include <cmath>

#include "cleave/core/solver_values.hpp"
#include "cleave/core/types.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Sums over values, in double whatever Real is. A value that is not finite is counted and left out.
struct NormSums {
  double least = HUGE_VAL, largest = -HUGE_VAL, magnitude = 0;
  double sum = 0;      ///< of magnitudes
  double squares = 0;  ///< sum
  std::int64_t count = 0, nonzero = 0, not_finite = 0;

  CLEAVE_HD static NormSums of(double value) {
    NormSums s;
    s.count = 1;
    if (!(value - value == 0)) {
      s.not_finite = 1;
      return s;
    }
    s.least = s.largest = value;
    s.magnitude = s.sum = value < 0 ? -value : value;
    s.squares = value * value;
    s.nonzero = value != 0 ? 1 : 0;
    return s;
  }
  CLEAVE_HD friend NormSums operator+(const NormSums& a, const NormSums& b) {
    NormSums s;
    s.least = b.least < a.least ? b.least : a.least;
    s.largest = b.largest > a.largest ? b.largest : a.largest;
    s.magnitude = b.magnitude > a.magnitude ? b.magnitude : a.magnitude;
    s.sum = a.sum + b.sum;
    s.squares = a.squares + b.squares;
    s.count = a.count + b.count;
    s.nonzero = a.nonzero + b.nonzero;
    s.not_finite = a.not_finite + b.not_finite;
    return s;
  }
  Norms norms() const {
    const bool any = count > not_finite;
    return {any ? least : 0, any ? largest : 0, nonzero, sum, std::sqrt(squares), magnitude, not_finite};
  }
};

// Fields, as `reduce` asks for their values: one for each index.

/// Values one after the other, or of one component of rows: `stride` apart.
struct NormsOfValues {
  const Real* values;
  Index stride = 1;
  CLEAVE_HD NormSums operator()(Index i) const {
    return NormSums::of(values[static_cast<std::size_t>(i) * static_cast<std::size_t>(stride)]);
  }
};
/// Doubles, likewise.
struct NormsOfDoubles {
  const double* values;
  Index stride = 1;
  CLEAVE_HD NormSums operator()(Index i) const {
    return NormSums::of(values[static_cast<std::size_t>(i) * static_cast<std::size_t>(stride)]);
  }
};
/// Lengths of vectors.
struct NormsOfLengths {
  const Vec2* vectors;
  CLEAVE_HD NormSums operator()(Index i) const {
    const double x = vectors[i].x, y = vectors[i].y;
    return NormSums::of(std::sqrt(x * x + y * y));
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
