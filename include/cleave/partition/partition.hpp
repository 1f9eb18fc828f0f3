/// Distribution of the work over ranks.
///
/// A rank computes consecutive blocks of elements (which follow each other on the Hilbert curve), their interior nodes,
/// and the interface nodes that it needs. Ids here are those of the body, in the numbering of a serial run; a rank may
/// have less than the body (part.hpp). The order of sums is the same on all ranks, so results do not depend on their
/// number.
///
/// Example: two materials, 2 ranks, blocks of 4 elements and interface blocks of 3 nodes for brevity; I is the first
/// interface node.
///
///     element           0  1  2  3 | 4  5  6  7 | 8  9 | 10 11 12 13 | 14 15 16
///     block                   0    |      1     |   2  |      3      |    4
///     material                     0                   |             1
///     rank                         0            |             1
///
///     interface node    I .. I+2 | I+3 .. I+5 | I+6
///     interface block       0    |     1      |  2
///     reported by rank            0           |  1
///
///     first_block = {0, 2, 5}   first_element = {0, 8, 17}   first_interface_node = {I, I+6, I+7}
///     own on rank 1 = {elements 8 .. 9 in block 2, elements 10 .. 16 from block 3 on}
#pragma once

#include <cstddef>
#include <vector>

#include "cleave/core/types.hpp"
#include "cleave/mesh/blocks.hpp"
#include "cleave/mesh/mesh.hpp"

namespace cleave {

/// Items that this rank exchanges with another one. Both ranks list them in the same order.
template <class Item>
struct ExchangeList {
  int rank = 0;  ///< the other rank
  std::vector<Item> send, receive;
};

/// Corners and elements that two ranks exchange at the nodes that both need. The lists hold for the whole run:
/// insertion changes the node ids of elements, not the elements.
struct Neighbour {
  /// A node slot of an element of one rank at a node that the other rank needs.
  struct Corner {
    Index element;
    int node;
  };
  int rank = 0;
  std::vector<Corner> send, receive;
  std::vector<Index> send_elements, receive_elements;  ///< elements of these corners, each once
};

struct Partition {
  int ranks = 1;
  int rank = 0;
  std::vector<Index> first_element;         ///< [ranks + 1] rank r computes [first_element[r], first_element[r + 1])
  std::vector<Index> first_block;           ///< [ranks + 1] and the blocks between these limits
  std::vector<Index> first_interface_node;  ///< [ranks + 1] and reports these interface nodes
  std::vector<BlockRange> own;  ///< [material] blocks of this rank; empty ranges for materials that it does not have
  std::vector<char> absent;     ///< [node of the intact mesh] 1: this rank needs neither the node nor its copies
  // Ascending:
  std::vector<Index> border_blocks;     ///< blocks of this rank with elements that other ranks need
  std::vector<Index> interface_blocks;  ///< numbers, from 0, of interface blocks with a node that this rank needs
  std::vector<Neighbour> neighbours;

  int rank_of_element(Index e) const;
  int rank_of_interface_node(Index n) const;  ///< that reports it
};

/// Distributes the blocks evenly. An interface node is needed by the ranks of its elements and by the rank that reports
/// its interface block.
/// @param ranges           blocks of each material, see cut_blocks; at least as many blocks as ranks
/// @param interface_width  nodes of an interface block
Partition make_partition(const Mesh& mesh, const std::vector<BlockRange>& ranges, int interface_width, int ranks,
                         int rank);

}  // namespace cleave
