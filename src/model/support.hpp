/// Elastic supports of a case.
#pragma once

#include "cleave/case/case_report.hpp"
#include "cleave/solver/model.hpp"

namespace cleave {

/// Resolves `support` to the stiffness of each node over its mass (Model::support). Entries add up.
void apply_support(Model& model, const Case& c, CaseReport& report);

}  // namespace cleave
