/// Chooses the solver of a model: its assembly, element type, cohesive law and material.
#pragma once

#include <memory>
#include <stdexcept>
#include <utility>

#include "cleave/material/linear_elastic.hpp"
#include "cleave/material/traction_laws.hpp"
#include "scheme/coloured_insertion.hpp"
#include "scheme/coloured_output.hpp"
#include "scheme/gather_insertion.hpp"
#include "scheme/gather_output.hpp"

namespace cleave::inline CLEAVE_PRECISION {

template <class Backend, class Element, class Law, class... Args>
std::unique_ptr<Solver> make_solver_of(const Model& model, const Law& law, Args&&... backend) {
  if (model.assembly == Assembly::gather)
    return std::make_unique<GatherSolver<Backend, Element, Law>>(model, law,
                                                                                std::forward<Args>(backend)...);
  return std::make_unique<ColouredSolver<Backend, Element, Law>>(model, law, std::forward<Args>(backend)...);
}

/// The solver of a model's element type with that cohesive law.
template <class Backend, class Law, class... Args>
std::unique_ptr<Solver> make_solver_with(const Model& model, const Law& law, Args&&... backend) {
  if (model.mesh.type == ElementType::t3)
    return make_solver_of<Backend, T3>(model, law, std::forward<Args>(backend)...);
  return make_solver_of<Backend, T6>(model, law, std::forward<Args>(backend)...);
}

/// @param backend  what the backend is made with
template <class Backend, class... Args>
std::unique_ptr<Solver> make_solver(const Model& model, Args&&... backend) {
  CohesiveCase none;  // never evaluated, but a law needs numbers
  none.parameters.normal = none.parameters.tangential = {1, 1, 2};
  const CohesiveCase& c = model.cohesive ? *model.cohesive : none;
  std::unique_ptr<Solver> solver;
  TractionLaws::for_each([&]<class Law>() {
    if (c.law != Law::name) return;
    solver = make_solver_with<Backend>(model, make_traction_law<Law>(c.parameters, model.step),
                                       std::forward<Args>(backend)...);
  });
  if (!solver) throw std::invalid_argument("no traction law has the name " + c.law);
  return solver;
}

}  // namespace cleave::inline CLEAVE_PRECISION
