/// What a cohesive law sees and says at one Gauss point of a cohesive element.
#pragma once

#include "cleave/core/extremes.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Which stress decides whether a facet breaks, and is its initial traction.
enum class FacetStress {
  nodes,     ///< mean stresses of its nodes, interpolated between them
  elements,  ///< mean of the stresses of its two elements, at its Gauss points
};

/// Values fixed when the cohesive element was inserted.
struct CohesivePoint {
  Real stiffness_cap = 0;       ///< kc, Pa/m: no secant stiffness above it
  Real contact_stiffness = 0;   ///< kp, Pa/m: normal stiffness when the faces overlap
  Real shear_offset = 0;        ///< y0, m: added to the tangential opening, so that shear starts at what it was
  Real initial_normal = 0;      ///< traction of the facet when it broke, Pa
  Real initial_tangential = 0;  ///< Pa
};

/// Tractions on the mid-surface and the energy that unloading would give back.
struct CohesiveResponse {
  Real normal = 0;       ///< Pa, positive pulls the faces together
  Real tangential = 0;   ///< Pa
  Real recoverable = 0;  ///< J/m^2, contact included
};

}  // namespace cleave::inline CLEAVE_PRECISION
