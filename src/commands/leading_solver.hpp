/// A run of several ranks: rank 0 decides and writes, and the others do what it does with their solvers.
#pragma once

#include <memory>

#include "cleave/partition/ranks.hpp"
#include "cleave/solver/solver.hpp"

namespace cleave {

/// The solver of rank 0: each call of it is one of the solvers of all ranks. As it goes, the others are let go.
/// Exceptions that not all ranks meet end the processes of all.
std::unique_ptr<Solver> lead(Ranks& ranks, std::unique_ptr<Solver> own);

/// What another rank does until it is let go.
void follow(Ranks& ranks, Solver& own);

}  // namespace cleave
