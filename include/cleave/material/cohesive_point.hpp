/// Input and output of a cohesive law at one Gauss point of a cohesive element.
///
/// Openings (m) and tractions (Pa) are pairs (normal, tangential) in the frame of the facet. A positive normal traction
/// pulls the faces together.
#pragma once

#include "cleave/core/extremes.hpp"
#include "cleave/core/types.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// The stress that decides whether a facet breaks, and that gives its initial traction.
enum class FacetStress {
  nodes,     ///< mean stresses of the facet's nodes, interpolated along the facet
  elements,  ///< mean of the stresses of the facet's two elements, at its Gauss points
};

/// Values of a Gauss point that are fixed when its facet breaks.
struct CohesivePoint {
  Real stiffness_cap;      ///< kc, Pa/m: upper limit of secant stiffnesses
  Real contact_stiffness;  ///< kp, Pa/m: normal stiffness when the faces overlap
  Vec2 offset;             ///< (x0, y0), m: added to the opening, so that the initial tractions are those of the bulk

  /// Opening measured from zero traction, m; the faces are in contact if its normal component is negative.
  CLEAVE_HD_INLINE Vec2 from_zero_traction(Vec2 opening) const { return opening + offset; }
};

/// Traction of a law, and the energy that unloading to zero traction would return.
struct CohesiveResponse {
  Vec2 traction;  ///< Pa
  Real stored;    ///< J/m^2, contact included
};

}  // namespace cleave::inline CLEAVE_PRECISION
