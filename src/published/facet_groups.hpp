/// Facets of a load in groups of which none share a node.
#pragma once

#include <vector>

#include "cleave/mesh/mesh.hpp"

namespace cleave::inline CLEAVE_PRECISION {

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
