/// The elements at each node, as ranges of one array.
#pragma once

#include <span>
#include <vector>

#include "cleave/mesh/mesh.hpp"

namespace cleave {

/// Elements at the corner nodes of a mesh, ascending for each node; mid-side nodes have none. In a mesh that passes
/// check_mesh and connect, two elements share a mid-side node only if they share its facet, hence its corners.
class CornerIncidence {
 public:
  explicit CornerIncidence(const Mesh& mesh);

  std::span<const Index> at(Index node) const {
    return std::span(elements_).subspan(offsets_[node], offsets_[node + 1] - offsets_[node]);
  }

 private:
  std::vector<Index> offsets_;   // [node + 1]
  std::vector<Index> elements_;  // [3 * element count]
};

}  // namespace cleave
