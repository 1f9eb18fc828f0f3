/// The solver of the published pipeline, for CLEAVE_BACKEND.
#pragma once

#include "published/coloured_insertion.hpp"
#include "published/coloured_output.hpp"
#include "solvers/make_solver.hpp"

namespace cleave::inline CLEAVE_PRECISION {

template <class Backend, class Element>
std::unique_ptr<Solver> make_published_solver(const Model& model, int threads, Ranks& ranks) {
  return std::make_unique<ColouredSolver<Backend, Element>>(model, threads, ranks);
}
template std::unique_ptr<Solver> make_published_solver<CLEAVE_BACKEND, T3>(const Model&, int, Ranks&);
template std::unique_ptr<Solver> make_published_solver<CLEAVE_BACKEND, T6>(const Model&, int, Ranks&);

}  // namespace cleave::inline CLEAVE_PRECISION
