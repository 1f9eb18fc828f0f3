/// What a cohesive law sees and says at one Gauss point of a cohesive element.
///
/// Openings and tractions are pairs (normal, tangential) in the frame of the facet: m and Pa. A positive normal
/// traction pulls the faces together.
#pragma once

#include "cleave/core/extremes.hpp"
#include "cleave/core/types.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Which stress decides whether a facet breaks, and is its initial traction.
enum class FacetStress {
  nodes,     ///< mean stresses of its nodes, interpolated between them
  elements,  ///< mean of the stresses of its two elements, at its Gauss points
};

/// Values fixed when the facet broke.
struct CohesivePoint {
  Real stiffness_cap;      ///< kc, Pa/m: no secant stiffness above it
  Real contact_stiffness;  ///< kp, Pa/m: normal stiffness when the faces overlap
  Vec2 offset;             ///< (x0, y0), m: added to the opening, so that tractions start where the bulk left them

  /// Opening from which the law's tractions are measured; contact is where its normal part is negative.
  CLEAVE_HD_INLINE Vec2 from_zero_traction(Vec2 opening) const { return opening + offset; }
};

/// Traction of a law and the energy that unloading to zero traction would give back.
struct CohesiveResponse {
  Vec2 traction;  ///< Pa
  Real stored;    ///< J/m^2, contact included
};

}  // namespace cleave::inline CLEAVE_PRECISION
