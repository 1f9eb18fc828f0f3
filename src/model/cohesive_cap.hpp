/// How far the stiffness cap of cohesive elements is above what their laws need, and how stiff contact is under it.
#pragma once

#include "cleave/solver/model.hpp"

namespace cleave {

/// The smallest kc delta_c / sigma_max over the interior facets and both modes, with kc the stiffness cap and delta_c
/// the final opening of monotone softening. A point that breaks at its strength dissipates about 1 / ratio more than
/// its fracture energy, which it held when it was inserted. The model must have a cohesive law and interior facets.
double least_cap_ratio(const Model& model);

/// Below this the cap shows in what cracks dissipate.
inline constexpr double enough_cap_ratio = 10;

/// Contact stiffness kp of failed facets times their length over Young's modulus (of the softer side), the smallest and
/// the largest of the facets that may break: `contact_penalty`, or less where the cap is lower. Zeros if none may.
struct ContactStiffness {
  double least = 0, largest = 0;
};
/// The model must have a cohesive law.
ContactStiffness contact_stiffness(const Model& model);

}  // namespace cleave
