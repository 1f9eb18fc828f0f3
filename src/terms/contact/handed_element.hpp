/// Forces and works that cohesive elements hand over to the contact of sides.
#pragma once

#include "body/sums.hpp"
#include "terms/contact/contact_point.hpp"
#include "terms/contact/surface.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Works that cohesive elements have handed over to contact points, less than zero, J.
using HandedSums = QuantityList<Quantity::cohesive_work, Quantity::friction_energy>;

/// The contact points that have taken over from a cohesive element, as ranks tell each other.
struct HandedElement {
  static constexpr int points = 2 * points_of_side;
  Index cohesive;                    ///< -1: another rank tells
  ContactPoint contact[points];      ///< the first contact of each
  double energy[points];             ///< J
  double handed[HandedSums::count];  ///< J
};

}  // namespace cleave::inline CLEAVE_PRECISION
