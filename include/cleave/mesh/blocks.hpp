/// Blocks of consecutive elements, whose interior nodes belong to nobody else: the unit of work of the gather assembly.
#pragma once

#include <vector>

#include "cleave/core/types.hpp"
#include "cleave/mesh/mesh.hpp"

namespace cleave {

/// Elements of one block: 128 fill a GPU block, and a block's data stays in a CPU core's cache.
inline constexpr int elements_per_block = 128;

/// Interface nodes of the intact mesh that are stepped and reported together.
inline constexpr int interface_nodes_per_block = 128;

/// Elements that a node may have: sets of them are 32 bits.
inline constexpr int most_elements_at_node = 32;

/// A range of consecutive elements cut into blocks of elements_per_block, of which the last may be shorter. Elements of
/// different ranges (materials) are never in one block. Blocks are numbered through all ranges of a mesh.
struct BlockRange {
  Index first_element = 0;
  Index end_element = 0;
  Index first_block = 0;

  CLEAVE_HD Index blocks() const { return (end_element - first_element + elements_per_block - 1) / elements_per_block; }
  CLEAVE_HD Index end_block() const { return first_block + blocks(); }
  /// Elements of a block of this range are [begin_of(block), end_of(block)).
  CLEAVE_HD Index begin_of(Index block) const { return first_element + (block - first_block) * elements_per_block; }
  CLEAVE_HD Index end_of(Index block) const {
    const Index end = begin_of(block) + elements_per_block;
    return end < end_element ? end : end_element;
  }
  /// The block of an element of this range.
  CLEAVE_HD Index block_of(Index element) const { return first_block + (element - first_element) / elements_per_block; }
};

/// Cuts ranges of elements into blocks: range r has the elements [ends[r], ends[r + 1]), and none is empty. Of a mesh
/// with one material `ends` is {0, elements}, of a model it is Model::material_ranges.
std::vector<BlockRange> cut_blocks(const std::vector<Index>& ends);

/// How compact blocks follow each other: as their elements do in the present numbering, or half by half of the body.
/// Ranks own blocks that follow each other. The halves of a body, and their halves, have short borders whatever its
/// shape; along a Hilbert curve the blocks that follow each other lie closer together.
enum class BlockOrder { present, halves };

/// Element order in which the blocks are compact, so that few nodes lie between them: elements of a range are halved
/// again and again across the longer direction, then neighbouring blocks exchange elements as long as that makes the
/// nodes between blocks fewer. Each range keeps its elements. The elements of a block follow each other as they did in
/// the numbering of the mesh, which should be that along a Hilbert curve. For `renumber`.
std::vector<Index> compact_block_order(const Mesh& mesh, const std::vector<BlockRange>& ranges,
                                       BlockOrder blocks = BlockOrder::present);

/// Node order in which the interior nodes of each block are consecutive, block after block, and the nodes that several
/// blocks share come last; within each part in the order in which elements first touch them. For `renumber`.
/// @param element_order  that elements get by the same `renumber`
std::vector<Index> block_node_order(const Mesh& mesh, const std::vector<BlockRange>& ranges,
                                    const std::vector<Index>& element_order);

/// Interior nodes of block b are [first[b], first[b + 1]); shared ones follow from first[blocks].
/// The mesh must be numbered by block_node_order with the same ranges.
std::vector<Index> first_nodes_of_blocks(const Mesh& mesh, const std::vector<BlockRange>& ranges);

}  // namespace cleave
