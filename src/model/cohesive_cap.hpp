/// How far the stiffness cap of cohesive elements is above what their laws need.
#pragma once

#include "cleave/solver/model.hpp"

namespace cleave {

/// The smallest kc delta_c / sigma_max over the interior facets and both modes, with kc the stiffness cap and delta_c the
/// final opening of monotone softening. A point that breaks at its strength dissipates about 1 / ratio more than its
/// fracture energy, which it held when it was inserted. The model must have a cohesive law and interior facets.
double least_cap_ratio(const Model& model);

/// Below this the cap shows in what cracks dissipate.
inline constexpr double enough_cap_ratio = 10;

}  // namespace cleave
