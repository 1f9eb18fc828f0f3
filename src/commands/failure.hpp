/// What can be said about a run that failed at an element.
#pragma once

#include <string>

#include "cleave/output/summary.hpp"
#include "cleave/solver/model.hpp"
#include "commands/time_loop.hpp"

namespace cleave {

/// Where it failed, what is around, and the likely causes. `state` is the one that the solver was left with: if the
/// failure names no element, it is the first one there whose displacements are not finite.
FailedElement failed_element(const ElementFailure& failure, const Case& c, const Model& model, const TimeLoop& loop,
                             const Snapshot& state);

/// All of it as one message, with what the failure says itself.
std::string failure_text(const ElementFailure& failure, const FailedElement& failed);

}  // namespace cleave
