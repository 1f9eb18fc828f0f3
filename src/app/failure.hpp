/// Analysis of a run that failed at an element.
#pragma once

#include <string>

#include "app/time_loop.hpp"
#include "cleave/output/summary.hpp"
#include "cleave/solver/model.hpp"

namespace cleave {

/// Location, surroundings and likely causes of a failure.
/// @param state  last state of the solver; if the failure names no element, the first one in it with displacements that
/// are not finite is used
FailedElement failed_element(const ElementFailure& failure, const Case& c, const Model& model, const TimeLoop& loop,
                             const Snapshot& state);

/// The analysis and the failure's own text as one message.
std::string failure_text(const ElementFailure& failure, const FailedElement& failed);

}  // namespace cleave
