/// Chooses the solver of a model: its assembly and element type.
///
/// A backend compiles the parts of its solvers, which lie beside this file, one by one: solvers.cmake.
#pragma once

#include <memory>

#include "cleave/mesh/element.hpp"
#include "cleave/solver/model.hpp"
#include "cleave/solver/solver.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// gather_part.hpp
/// @param threads  of a CPU
template <class Backend, class Element>
std::unique_ptr<Solver> make_gather_solver(const Model& model, int threads, Ranks& ranks);
/// published_part.hpp
template <class Backend, class Element>
std::unique_ptr<Solver> make_published_solver(const Model& model, int threads, Ranks& ranks);

template <class Backend>
std::unique_ptr<Solver> make_solver(const Model& model, int threads, Ranks& ranks) {
  const bool is_t3 = model.mesh.type == ElementType::t3;
  if (model.assembly == Assembly::gather)
    return (is_t3 ? make_gather_solver<Backend, T3> : make_gather_solver<Backend, T6>)(model, threads, ranks);
  return (is_t3 ? make_published_solver<Backend, T3> : make_published_solver<Backend, T6>)(model, threads, ranks);
}

}  // namespace cleave::inline CLEAVE_PRECISION
