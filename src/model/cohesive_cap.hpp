/// Ratio of the stiffness cap to the stiffness of cohesive laws, and contact stiffness under the cap.
#pragma once

#include "cleave/solver/model.hpp"

namespace cleave {

/// The smallest stiffness cap kc of the interior facets that may break, Pa/m, each over the factor by which random
/// strengths make its law stiffer; infinite if there is no such facet. The model must have a cohesive law.
double least_cap(const Model& model);

/// The smallest kc delta_c / sigma_max over the interior facets and both modes, with the stiffness cap kc and the final
/// opening delta_c of monotonic softening. A point that breaks at its strength dissipates about 1 / ratio more than its
/// fracture energy, because it starts with that energy stored. The model must have a cohesive law and interior facets.
double least_cap_ratio(const Model& model);

/// Below this ratio the cap affects the energy that cracks dissipate.
inline constexpr double enough_cap_ratio = 10;

/// Smallest and largest contact stiffness kp of the facets that may break, times facet length over Young's modulus of
/// the softer side: `contact_penalty`, or less if the cap is lower. Zeros if no facet may break.
struct ContactStiffness {
  double least = 0, largest = 0;
};
/// The model must have a cohesive law.
ContactStiffness contact_stiffness(const Model& model);

}  // namespace cleave
