/// Elastic supports of a case and dashpots of absorbing boundaries, by node.
#pragma once

#include <vector>

#include "cleave/case/case_report.hpp"
#include "cleave/solver/model.hpp"

namespace cleave {

/// Resolves `support` to the stiffness of each node over its mass (Model::support). Entries add up.
void apply_support(Model& model, const Case& c, CaseReport& report);

/// [node] Dashpot coefficient over mass, 1/s. On the given boundary facets the tractions on the body are -rho c_d v_n -
/// rho c_s v_s, with the wave speeds of the adjacent element. Empty without facets; repeated facets count once.
std::vector<PlaneTensor> damping_rates(const Model& model, std::vector<Index> facets);

}  // namespace cleave
