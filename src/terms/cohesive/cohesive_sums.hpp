/// Sums over all cohesive elements of a body.
#pragma once

#include "terms/cohesive/cohesive_energy.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Adds the cohesive elements to the sums of the body, where there are any.
/// @tparam Body  GatherBody or ColouredBody
/// @param work    of their law at Gauss points, J; null: they do not keep it
/// @param forces  that act between their faces besides
template <class Body>
void launch_cohesive_sums(Body& body, const double* work = nullptr, const FaceForces& forces = {}) {
  if (!body.has_broken()) return;
  body.cohesive.with_law([&]<class Law>(const Law& law, const CohesiveTable<Law>& table) {
    body.backend.launch(CohesiveEnergy<typename Body::Element, Law>{.capacity = body.cohesive.capacity(),
                                                                    .live = &body.live()->cohesive,
                                                                    .rows = body.elements.cohesive_rows.data(),
                                                                    .own = body.halo.own_elements(),
                                                                    .law = law,
                                                                    .cohesive = table,
                                                                    .thickness = body.thickness,
                                                                    .work = work,
                                                                    .forces = forces,
                                                                    .failed = body.cohesive.failed.data(),
                                                                    .sums = body.sums.data(),
                                                                    .fault = &body.report.data()->fault,
                                                                    .failures = &body.report.data()->failures});
  });
}

}  // namespace cleave::inline CLEAVE_PRECISION
