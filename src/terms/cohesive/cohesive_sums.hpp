/// Sums over all cohesive elements of a body.
#pragma once

#include "terms/cohesive/cohesive_energy.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Sums of all cohesive elements.
/// @tparam Body  GatherBody or ColouredBody
/// @param works  of their Gauss points, where they keep them
template <class Body, class Law>
CohesiveEnergy<Law> cohesive_energy(Body& body, const Law& law, const CohesiveTable<Law>& table,
                                    const CohesiveWorks& works) {
  return {.capacity = body.cohesive.capacity(),
          .live = &body.live()->cohesive,
          .law = law,
          .cohesive = table,
          .thickness = body.thickness,
          .works = works,
          .failed = body.cohesive.failed.data(),
          .sums = {{body.cohesive.sums.data()}},
          .fault = &body.report.data()->fault};
}
/// Launches them, where there are any.
template <class Body>
void add_cohesive_sums(Body& body, SumTables& sums, const CohesiveWorks& works) {
  body.cohesive.with_law([&](const auto& law, const auto& table) {
    const auto energy = cohesive_energy(body, law, table, works);
    if (body.cohesive.count > 0) body.backend.launch(energy);
    sums.add(energy.sums, body.cohesive.count > 0 ? energy.blocks() : 0);
  });
}

}  // namespace cleave::inline CLEAVE_PRECISION
