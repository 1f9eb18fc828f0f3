/// Whether what a solver computes from the numbers of a case can be computed.
#pragma once

#include "cleave/config/case_report.hpp"
#include "cleave/solver/model.hpp"

namespace cleave {

/// Reports a key whose value makes masses, stiffnesses or energies of elements too small or too large for the precision
/// of the run. A number that is smaller than the smallest normal one loses digits without a word, a larger one than the
/// largest is infinite. Masses and stiffnesses also keep the distance of a precision's digits from both, so that
/// their sums over small and large parts are exact enough.
void check_magnitudes(const Model& model, const Case& c, CaseReport& report);

/// The same of the step, once it is chosen.
void check_step(const Model& model, const Case& c, CaseReport& report);

/// Reports a key of a law whose damping time (see Damps) is none.
void check_damping_times(const Case& c, CaseReport& report);

}  // namespace cleave
