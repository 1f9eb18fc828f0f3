/// The wall time of a run, estimated before it.
#pragma once

#include "app/backend.hpp"
#include "cleave/case/case.hpp"
#include "cleave/solver/model.hpp"

namespace cleave {

/// How fast this machine steps, in elements times steps per second.
struct MeasuredRates {
  Index elements = 0;  ///< of the mesh that was stepped
  double intact = 0;   ///< 1/s
  double broken = 0;   ///< with a cohesive element on every facet, 1/s; as intact without a cohesive law
};
/// Steps a square with the elements, the first material and the first cohesive law of a case, at rest, for some tenths
/// of a second. The square has as many elements as the case's mesh, but no more than show the rate of larger ones.
MeasuredRates measure_rates(const Case& c, const Model& model, const Backend& backend, int threads);

}  // namespace cleave
