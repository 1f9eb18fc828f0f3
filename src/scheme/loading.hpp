/// What the outside does to the body at one instant: prescribed motions and pressures.
#pragma once

#include <vector>

#include "cleave/solver/model.hpp"
#include "kernels/node_update.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Velocities and accelerations that make the displacement update reproduce every prescribed history exactly at
/// t_n = n dt: with w the mean velocity of a step, v = (w- + w+)/2 and a = (w+ - w-)/dt.
inline MotionState motion_at(const std::vector<PrescribedMotion>& motions, Step n, double dt) {
  MotionState state;
  for (std::size_t i = 0; i < motions.size(); ++i) {
    const double before = motions[i].velocity * motions[i].curve.mean((n - 1) * dt, n * dt);
    const double after = motions[i].velocity * motions[i].curve.mean(n * dt, (n + 1) * dt);
    state.velocity[i + 1] = (before + after) / 2;
    state.acceleration[i + 1] = (after - before) / dt;
  }
  return state;
}

/// Groups facets so that those of one group share no node (greedy). Splitting nodes only removes sharing, so the groups
/// stay valid. `offsets` gets the ranges.
inline std::vector<Index> group_disjoint_facets(const Mesh& mesh, const std::vector<Index>& facets,
                                                std::vector<Index>& offsets) {
  std::vector<Index> ordered, waiting = facets;
  std::vector<char> taken;
  offsets = {0};
  while (!waiting.empty()) {
    taken.assign(mesh.nodes.size(), 0);
    std::vector<Index> later;
    for (const Index code : waiting) {
      const Index a = mesh.node(element_of(code), (facet_of(code) + 1) % 3);
      const Index b = mesh.node(element_of(code), (facet_of(code) + 2) % 3);
      if (taken[a] || taken[b]) {
        later.push_back(code);
      } else {
        taken[a] = taken[b] = 1;
        ordered.push_back(code);
      }
    }
    offsets.push_back(static_cast<Index>(ordered.size()));
    waiting.swap(later);
  }
  return ordered;
}

}  // namespace cleave::inline CLEAVE_PRECISION
