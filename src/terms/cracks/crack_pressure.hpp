/// Pressure in cracks (boundary: in_cracks): a pressure also acts on the faces of failed cohesive elements connected to
/// its facets.
///
/// Two failed cohesive elements are connected when they share an end node of their faces. A load reaches those that
/// share one with a facet of it, and all that are connected to them. Every fracture check finds them, before facets are
/// cut, and the result holds until the next.
#pragma once

#include <limits>

#include "body/live_counts.hpp"
#include "body/step_input.hpp"
#include "body/union_find.hpp"
#include "terms/cohesive/cohesive.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// The load of a cohesive element that no load reaches; all others are smaller.
inline constexpr Index no_load = std::numeric_limits<Index>::max();

/// A facet through which a load enters cracks.
struct CrackMouth {
  Index facet = 0;  ///< facet code
  Index load = 0;
};

/// The pressure in cracks as Gauss points of the gather assembly book it, beside the traction of the law.
struct CrackPressure {
  const Index* load = nullptr;  ///< [cohesive], see CrackReach; null when no load enters cracks
  Real* push = nullptr;    ///< [cohesive][q] of the last step, N; without memory where faces turn (turning_cracks.hpp)
  double* work = nullptr;  ///< [cohesive][q], J

  /// Pressure times thickness in a cohesive element at this step, N/m.
  CLEAVE_HD Real line_pressure(Index c, const StepInput& input) const {
    const Index l = load[c];
    return l == no_load ? Real(0) : input.line_pressure(l);
  }
  /// Books the work of a step.
  /// @param i       FacetGauss::points * cohesive + q
  /// @param length  that the Gauss point stands for, m
  /// @param opened  change of the normal opening, m
  /// @return the force that pushes the faces apart from now on, N
  CLEAVE_HD Real advance(Index i, const StepInput& input, Real length, Real opened) const {
    const Real now = length * line_pressure(i / FacetGauss::points, input), before = push[i];
    if (now == 0 && before == 0) return 0;
    work[i] += Real(0.5) * (before + now) * opened;
    push[i] = now;
    return now;
  }
};

/// Push of a pressure on the faces a, b of a cohesive element that turn, at a Gauss point (turning_cracks.hpp).
struct FacePush {
  Vec2 force[2];         ///< times the shape function of a node the force on it, with the sign of internal forces, N
  Vec2 displacement[2];  ///< of the faces in that step, m
};

}  // namespace cleave::inline CLEAVE_PRECISION
