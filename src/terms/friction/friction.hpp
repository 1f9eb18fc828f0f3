/// Coulomb friction between the faces of failed cohesive elements (cohesive.friction): its memory. friction_law.hpp
/// says how it acts.
#pragma once

#include "cleave/core/types.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// The spring of a Gauss point. Openings and tractions are scaled by the factors of the facet as in CohesiveTable.
struct FrictionPoint {
  Real zero = 0;      ///< tangential opening at which it is without tension, m
  Real last = 0;      ///< tangential opening of the last step, m
  Real traction = 0;  ///< tangential, that acts, Pa
};

/// Friction at the Gauss points of cohesive elements; without memory there is none.
struct Friction {
  Real coefficient = 0;
  FrictionPoint* spring = nullptr;  ///< [cohesive][q]
  double* work = nullptr;           ///< [cohesive][q], J

  CLEAVE_HD bool active() const { return spring != nullptr; }
};

}  // namespace cleave::inline CLEAVE_PRECISION
