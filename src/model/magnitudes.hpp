/// Checks that the numbers of a case stay within the range of the run's precision.
#pragma once

#include "cleave/case/case_report.hpp"
#include "cleave/solver/model.hpp"

namespace cleave {

/// Reports a key whose value makes masses, stiffnesses or energies of elements too small or too large for the precision
/// of the run. A number below the smallest normal one loses digits silently, one above the largest is infinite. Masses
/// and stiffnesses must also keep a distance of the precision's digits from both limits, so that sums over small and
/// large parts are accurate.
void check_magnitudes(const Model& model, const Case& c, CaseReport& report);

/// The same for the time step, once it is chosen.
void check_step(const Model& model, const Case& c, CaseReport& report);

/// Reports a key of a law whose damping time (see Damps) is not a number >= 0.
void check_damping_times(const Case& c, CaseReport& report);

}  // namespace cleave
