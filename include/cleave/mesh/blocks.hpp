/// Blocks of consecutive elements, whose interior nodes belong to nobody else: the unit of work of the gather assembly.
#pragma once

#include <vector>

#include "cleave/mesh/mesh.hpp"

namespace cleave {

/// Elements of one block: 128 fill a GPU block, and a block's data stays in a CPU core's cache.
inline constexpr int elements_per_block = 128;

/// Elements that a node may have: sets of them are 32 bits.
inline constexpr int most_elements_at_node = 32;

/// Node order in which the interior nodes of each block are consecutive, block after block, and the nodes that several
/// blocks share come last; within each part in the order in which elements first touch them. For `renumber`.
std::vector<Index> block_node_order(const Mesh& mesh);

/// Interior nodes of block b are [first[b], first[b + 1]); shared ones follow from first[blocks].
/// The mesh must be numbered by block_node_order.
std::vector<Index> first_nodes_of_blocks(const Mesh& mesh);

}  // namespace cleave
