/// Displacement and velocity of the body at the start (`initial`).
#pragma once

#include "cleave/case/case_report.hpp"
#include "cleave/solver/model.hpp"

namespace cleave {

/// Sets the initial displacement and velocity of all nodes. Needs materials of elements.
void apply_initial(Model& model, const Case& c, CaseReport& report);

}  // namespace cleave
