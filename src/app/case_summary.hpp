/// A case in the few lines that a user wants to see before it runs.
#pragma once

#include "app/backend.hpp"
#include "cleave/case/case.hpp"
#include "cleave/output/schedule.hpp"
#include "cleave/partition/ranks.hpp"
#include "cleave/solver/model.hpp"

namespace cleave {

/// Prints body, mesh, materials, cohesive zone, step and steps, memory, results, and the wall time, for which it steps
/// a square for some tenths of a second. Throws InputError, as check_memory does, before that.
void print_summary(const Case& c, const Model& model, const Backend& backend, const Ranks& ranks,
                   const Schedule& schedule);

}  // namespace cleave
