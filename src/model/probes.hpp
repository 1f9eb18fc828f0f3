/// Probes of a case: the elements that hold them.
#pragma once

#include "cleave/config/case_report.hpp"
#include "cleave/solver/model.hpp"

namespace cleave {

/// Finds the element of every probe, of several that hold its point the one with the lowest original id. The report
/// says of a point outside the body which point of it is nearest.
void place_probes(Model& model, const Case& c, CaseReport& report);

}  // namespace cleave
