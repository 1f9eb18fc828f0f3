/// Tractions of both modes against their strengths.
#pragma once

#include <cmath>

#include "cleave/core/extremes.hpp"
#include "cleave/core/types.hpp"
#include "cleave/material/cohesive_parameters.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Traction over strength of both modes together, 1 at the strength. The ratio of the ellipse is the larger one, by up
/// to the root of 2.
/// @param normal, tangential  traction over strength of each mode; normal compression counts as 0
CLEAVE_HD_INLINE Real strength_ratio(Criterion criterion, Real normal, Real tangential) {
  // Both, without a branch: loops over lanes call this.
  const Real n = larger(Real(0), normal);
  const Real ellipse = std::sqrt(n * n + tangential * tangential), most = larger(n, std::fabs(tangential));
  return criterion == Criterion::max ? most : ellipse;
}

}  // namespace cleave::inline CLEAVE_PRECISION
