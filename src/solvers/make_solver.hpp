/// Chooses the solver of a model: its assembly and element type.
#pragma once

#include <memory>
#include <utility>

#include "published/coloured_insertion.hpp"
#include "published/coloured_output.hpp"
#include "step/gather_solver.hpp"

namespace cleave::inline CLEAVE_PRECISION {

template <class Backend, class Element, class... Args>
std::unique_ptr<Solver> make_solver_of(const Model& model, Args&&... backend) {
  if (model.assembly == Assembly::gather)
    return std::make_unique<GatherSolver<Backend, Element>>(model, std::forward<Args>(backend)...);
  return std::make_unique<ColouredSolver<Backend, Element>>(model, std::forward<Args>(backend)...);
}

/// @param backend  what the backend is made with
template <class Backend, class... Args>
std::unique_ptr<Solver> make_solver(const Model& model, Args&&... backend) {
  if (model.mesh.type == ElementType::t3) return make_solver_of<Backend, T3>(model, std::forward<Args>(backend)...);
  return make_solver_of<Backend, T6>(model, std::forward<Args>(backend)...);
}

}  // namespace cleave::inline CLEAVE_PRECISION
