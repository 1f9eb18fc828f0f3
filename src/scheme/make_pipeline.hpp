/// Chooses the pipeline of a model's element type and cohesive law.
#pragma once

#include <memory>

#include "cleave/material/ppr.hpp"
#include "scheme/checkpoint.hpp"
#include "scheme/fracture.hpp"
#include "scheme/history.hpp"
#include "scheme/snapshot.hpp"
#include "scheme/start.hpp"

namespace cleave {

/// The pipeline of a model's element type and cohesive law.
template <class Backend, class... Args>
std::unique_ptr<Solver> make_pipeline(const Model& model, Args&&... backend) {
  CohesiveCase none;  // never evaluated, but a law needs numbers
  none.normal = none.tangential = {1, 1, 2};
  const CohesiveCase& cohesive = model.cohesive ? *model.cohesive : none;
  const Ppr law = Ppr::make(cohesive.normal, cohesive.tangential);
  if (model.mesh.type == ElementType::t3)
    return std::make_unique<Pipeline<Backend, T3, Ppr>>(model, law, std::forward<Args>(backend)...);
  return std::make_unique<Pipeline<Backend, T6, Ppr>>(model, law, std::forward<Args>(backend)...);
}

}  // namespace cleave
