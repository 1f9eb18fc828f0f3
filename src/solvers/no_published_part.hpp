/// In place of the published pipeline for CLEAVE_BACKEND, in a program with users' laws (scripts/build_law).
#pragma once

#include "cleave/core/error.hpp"
#include "solvers/make_solver.hpp"

namespace cleave::inline CLEAVE_PRECISION {

template <class Backend, class Element>
std::unique_ptr<Solver> make_published_solver(const Model&, int, Ranks&) {
  throw InputError(
      "run.assembly: this program with users' laws has `gather` only; take the ordinary program for the published "
      "pipeline");
}
template std::unique_ptr<Solver> make_published_solver<CLEAVE_BACKEND, T3>(const Model&, int, Ranks&);
template std::unique_ptr<Solver> make_published_solver<CLEAVE_BACKEND, T6>(const Model&, int, Ranks&);

}  // namespace cleave::inline CLEAVE_PRECISION
