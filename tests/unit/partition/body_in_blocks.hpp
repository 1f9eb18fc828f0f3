/// A square that is cut into blocks, as ranks share it.
#pragma once

#include <numeric>
#include <vector>

#include "cleave/mesh/blocks.hpp"
#include "cleave/mesh/generators.hpp"
#include "cleave/mesh/numbering.hpp"

namespace cleave::test {

struct BodyInBlocks {
  Mesh mesh;
  std::vector<BlockRange> ranges;
  Index first_interface;  ///< node between blocks
};

/// @param quads  along each side
/// @param ends   of materials, see cut_blocks; empty: one material
inline BodyInBlocks body_in_blocks(ElementType type, int quads, std::vector<Index> ends = {}) {
  BodyInBlocks b{rectangle(type, {quads, quads}, {1, 1}), {}, 0};
  renumber_hilbert(b.mesh);
  if (ends.empty()) ends = {0, b.mesh.element_count()};
  b.ranges = cut_blocks(ends);
  std::vector<Index> same(b.mesh.element_count());
  std::iota(same.begin(), same.end(), 0);
  renumber(b.mesh, block_node_order(b.mesh, b.ranges, same), same);
  b.first_interface = first_nodes_of_blocks(b.mesh, b.ranges).back();
  return b;
}

}  // namespace cleave::test
