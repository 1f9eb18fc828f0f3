/// Tractions of both modes relative to their strengths.
#pragma once

#include <cmath>

#include "cleave/core/extremes.hpp"
#include "cleave/core/types.hpp"
#include "cleave/material/cohesive_parameters.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Combined traction over strength of both modes, 1 at the strength. The value of the ellipse exceeds that of max by a
/// factor of at most sqrt(2).
/// @param normal, tangential  traction over strength of each mode; normal compression counts as 0
CLEAVE_HD_INLINE Real strength_ratio(Criterion criterion, Real normal, Real tangential) {
  // Computes both criteria without a branch, because loops over lanes call this.
  const Real n = larger(Real(0), normal);
  const Real ellipse = std::sqrt(n * n + tangential * tangential), most = larger(n, std::fabs(tangential));
  return criterion == Criterion::max ? most : ellipse;
}

}  // namespace cleave::inline CLEAVE_PRECISION
