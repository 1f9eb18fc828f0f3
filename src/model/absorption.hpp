/// Dashpots of absorbing boundaries.
#pragma once

#include <vector>

#include "cleave/solver/model.hpp"

namespace cleave {

/// Dashpot over mass of every node, 1/s, for boundary facets whose tractions on the body are -rho c_d v_n - rho c_s v_s
/// with the wave speeds of the element behind; empty without facets. Facets may come several times and count once.
std::vector<PlaneTensor> damping_rates(const Model& model, std::vector<Index> facets);

}  // namespace cleave
