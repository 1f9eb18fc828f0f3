/// A run on several ranks: rank 0 decides and writes; followers make the same calls with their solvers.
#pragma once

#include <memory>

#include "cleave/partition/ranks.hpp"
#include "cleave/solver/solver.hpp"

namespace cleave {

/// The solver of rank 0. Each of its calls is made by the solvers of all ranks; its destructor ends the followers.
/// Exceptions that do not occur on all ranks end the processes of all.
std::unique_ptr<Solver> lead(Ranks& ranks, std::unique_ptr<Solver> own);

/// Executes the calls of rank 0 on another rank until its solver is destroyed.
void follow(Ranks& ranks, Solver& own);

}  // namespace cleave
