/// Blocks of consecutive elements, the unit of work of the gather assembly. The interior nodes of a block belong to no
/// other block.
///
/// Example: a strip of 8 triangles in blocks of 4 (for brevity), with the node numbers of block_node_order:
///
///     3---1---9---5---6      interior nodes of block 0: 0 .. 3
///     | / | / | / | / |      interior nodes of block 1: 4 .. 7
///     2---0---8---4---7      interface nodes:           8, 9
///     block 0 | block 1      first_nodes_of_blocks() = {0, 4, 8}
#pragma once

#include <vector>

#include "cleave/core/types.hpp"
#include "cleave/mesh/mesh.hpp"

namespace cleave {

/// Elements of a block: 128 fill a GPU block, and their data fits into a CPU core's cache.
inline constexpr int elements_per_block = 128;

/// Number of interface nodes of the intact mesh that are stepped and reported together.
inline constexpr int interface_nodes_per_block = 128;

/// Largest number of elements at a node: sets of these elements are words of 32 bits.
inline constexpr int most_elements_at_node = 32;

/// A range of consecutive elements, cut into blocks of elements_per_block; the last block may be shorter. Blocks never
/// mix elements of different ranges (materials) and are numbered through all ranges of a mesh.
struct BlockRange {
  Index first_element = 0;
  Index end_element = 0;
  Index first_block = 0;

  CLEAVE_HD Index blocks() const { return (end_element - first_element + elements_per_block - 1) / elements_per_block; }
  CLEAVE_HD Index end_block() const { return first_block + blocks(); }
  /// A block of this range has the elements [begin_of(block), end_of(block)).
  CLEAVE_HD Index begin_of(Index block) const { return first_element + (block - first_block) * elements_per_block; }
  CLEAVE_HD Index end_of(Index block) const {
    const Index end = begin_of(block) + elements_per_block;
    return end < end_element ? end : end_element;
  }
  /// The block of an element of this range.
  CLEAVE_HD Index block_of(Index element) const { return first_block + (element - first_element) / elements_per_block; }
};

/// Cuts ranges of elements into blocks. Range r has the elements [ends[r], ends[r + 1]) and must not be empty. For a
/// mesh with one material `ends` is {0, elements}, for a model it is Model::material_ranges.
/// Example: ends = {0, 300, 400} gives the blocks [0, 128), [128, 256), [256, 300) and [300, 400).
std::vector<BlockRange> cut_blocks(const std::vector<Index>& ends);

/// Order of compact blocks: that of their elements in the present numbering, or by repeated halving of the body. Ranks
/// own consecutive blocks. Halves have short borders for bodies of any shape; along a Hilbert curve consecutive blocks
/// lie closer together.
enum class BlockOrder { present, halves };

/// Element order, for `renumber`, with compact blocks, so that few nodes lie between blocks. The elements of a range
/// are halved repeatedly across the longer direction; then neighbouring blocks exchange elements as long as that lowers
/// the number of nodes between blocks. Ranges keep their elements. The elements of a block keep the relative order of
/// the mesh's numbering, which should follow a Hilbert curve.
std::vector<Index> compact_block_order(const Mesh& mesh, const std::vector<BlockRange>& ranges,
                                       BlockOrder blocks = BlockOrder::present);

/// Node order, for `renumber`: the interior nodes of each block are consecutive, block after block, and the nodes that
/// several blocks share come last. Each part is in the order in which elements first touch its nodes; but of the
/// interior nodes of a block, corners with more elements come before corners with fewer, and mid-sides last.
/// @param element_order  the order of elements, before place_in_blocks
std::vector<Index> block_node_order(const Mesh& mesh, const std::vector<BlockRange>& ranges,
                                    const std::vector<Index>& element_order);

/// Number of banks of a GPU's shared memory for values of 16 bytes. Of eight workers that follow each other, those
/// whose rows differ by a multiple of it wait for each other.
inline constexpr int shared_banks = 8;

/// Order of elements, for `renumber`, in which each block keeps its elements but has them in places where eight of
/// them that follow each other have few k-th nodes in one bank, for every k.
/// @param element_order  the order so far
/// @param node_order     from block_node_order for that order; for the same `renumber` as the result
std::vector<Index> place_in_blocks(const Mesh& mesh, const std::vector<BlockRange>& ranges,
                                   std::vector<Index> element_order, const std::vector<Index>& node_order);

/// [blocks + 1] Interior nodes of block b are [first[b], first[b + 1]); interface nodes start at first[blocks]. The
/// mesh must be numbered by block_node_order with the same ranges.
std::vector<Index> first_nodes_of_blocks(const Mesh& mesh, const std::vector<BlockRange>& ranges);

}  // namespace cleave
