/// Processes of a user's own in the model.
#pragma once

#include "cleave/case/case_report.hpp"
#include "cleave/solver/model.hpp"

namespace cleave {

/// Takes over `processes`, whose arrays and columns must have names of their own.
void apply_processes(Model& model, const Case& c, CaseReport& report);

/// The largest step that all processes allow, s, and whose it is; infinity without any.
struct ProcessLimit {
  double step;
  std::string process;
};
ProcessLimit largest_step_of_processes(const Model& model);

}  // namespace cleave
