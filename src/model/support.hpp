/// Elastic supports of a case.
#pragma once

#include "cleave/config/case_report.hpp"
#include "cleave/solver/model.hpp"

namespace cleave {

/// Resolves `support` to the stiffness of each node over its mass (Model::support). Entries add up.
void apply_support(Model& model, const Case& c, CaseReport& report);

/// The critical step of a mesh whose nodes rest on springs, s: omega^2 of the mesh and of the stiffest spring add up.
/// @param critical_step  of the mesh alone, s
double critical_step_on_support(const Model& model, double critical_step);

}  // namespace cleave
