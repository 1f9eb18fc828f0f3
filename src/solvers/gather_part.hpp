/// The solver of the default assembly, for CLEAVE_BACKEND.
#pragma once

#include "solvers/make_solver.hpp"
#include "step/gather_solver.hpp"

namespace cleave::inline CLEAVE_PRECISION {

template <class Backend, class Element>
std::unique_ptr<Solver> make_gather_solver(const Model& model, int threads, Ranks& ranks) {
  return std::make_unique<GatherSolver<Backend, Element>>(model, threads, ranks);
}
template std::unique_ptr<Solver> make_gather_solver<CLEAVE_BACKEND, T3>(const Model&, int, Ranks&);
template std::unique_ptr<Solver> make_gather_solver<CLEAVE_BACKEND, T6>(const Model&, int, Ranks&);

}  // namespace cleave::inline CLEAVE_PRECISION
