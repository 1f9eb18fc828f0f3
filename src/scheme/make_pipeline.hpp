/// Chooses the pipeline of a model's element type and cohesive law.
#pragma once

#include <memory>

#include "cleave/material/linear_irreversible.hpp"
#include "cleave/material/ppr.hpp"
#include "scheme/checkpoint.hpp"
#include "scheme/fracture.hpp"
#include "scheme/gather.hpp"
#include "scheme/history.hpp"
#include "scheme/snapshot.hpp"
#include "scheme/start.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// The pipeline of a model's element type with that cohesive law.
template <class Backend, class Law, class... Args>
std::unique_ptr<Solver> make_pipeline_of(const Model& model, const Law& law, Args&&... backend) {
  if (model.mesh.type == ElementType::t3)
    return std::make_unique<Pipeline<Backend, T3, Law>>(model, law, std::forward<Args>(backend)...);
  return std::make_unique<Pipeline<Backend, T6, Law>>(model, law, std::forward<Args>(backend)...);
}

/// The pipeline of a model's element type and cohesive law.
template <class Backend, class... Args>
std::unique_ptr<Solver> make_pipeline(const Model& model, Args&&... backend) {
  CohesiveCase none;  // never evaluated, but a law needs numbers
  none.normal = none.tangential = {1, 1, 2};
  const CohesiveCase& c = model.cohesive ? *model.cohesive : none;
  if (c.law == "linear")
    return make_pipeline_of<Backend>(model, LinearIrreversible::make(c.normal, c.tangential),
                                     std::forward<Args>(backend)...);
  return make_pipeline_of<Backend>(model, Ppr::make(c.normal, c.tangential, c.energy), std::forward<Args>(backend)...);
}

}  // namespace cleave::inline CLEAVE_PRECISION
