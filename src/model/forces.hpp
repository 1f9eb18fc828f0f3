/// Forces of a user's own, by node.
#pragma once

#include "cleave/case/case_report.hpp"
#include "cleave/solver/model.hpp"

namespace cleave {

/// Resolves the groups of `forces`, and asks their laws for their stiffness (Model::forces, Model::forced).
void apply_forces(Model& model, const Case& c, CaseReport& report);

}  // namespace cleave
