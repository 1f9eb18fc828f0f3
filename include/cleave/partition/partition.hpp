/// Who does what in a run of several ranks.
///
/// Every rank has the whole body in the numbering of one rank, but works on its own part: blocks of elements that
/// follow each other on the Hilbert curve, their interior nodes, and the interface nodes that it needs. Ids are the
/// same on all ranks, and so is the order of every sum: results do not depend on how many ranks there are.
#pragma once

#include <vector>

#include "cleave/core/types.hpp"
#include "cleave/mesh/blocks.hpp"
#include "cleave/mesh/mesh.hpp"

namespace cleave {

/// What this rank and another one tell each other. Both list it in the same order.
template <class Item>
struct ExchangeList {
  int rank = 0;  ///< the other one
  std::vector<Item> send, receive;
};

/// What two ranks tell each other about the nodes that both need, for the whole run: which nodes the elements have
/// there may change, the elements do not.
struct Neighbour {
  /// An element of one of the two, and which of its nodes the other one needs.
  struct Corner {
    Index element;
    int node;
  };
  int rank = 0;
  std::vector<Corner> send, receive;
  std::vector<Index> send_elements, receive_elements;  ///< those of the corners, each once
};

struct Partition {
  int ranks = 1;
  int rank = 0;
  std::vector<Index> first_element;  ///< [ranks + 1] rank r has the elements [first_element[r], first_element[r + 1])
  std::vector<Index> first_block;    ///< [ranks + 1] likewise
  std::vector<Index> first_interface_node;  ///< [ranks + 1] whose output rank r gives, whole interface blocks of them
  std::vector<BlockRange> own;              ///< [material] blocks of this rank, without blocks where it has none
  std::vector<char> elsewhere;              ///< [node of the intact mesh] this rank needs neither it nor its copies
  // In rising order:
  std::vector<Index> border_blocks;     ///< blocks of this rank of which another one hears something
  std::vector<Index> interface_blocks;  ///< counted from 0, those with an interface node that this rank needs
  std::vector<Neighbour> neighbours;

  int rank_of_element(Index e) const;
};

/// Shares blocks out evenly. Each interface node is needed by the ranks of its elements, and by the rank that gives the
/// output of its interface block.
/// @param ranges           of blocks, one for each material, see cut_blocks; at least as many blocks as ranks
/// @param interface_width  nodes of an interface block
Partition make_partition(const Mesh& mesh, const std::vector<BlockRange>& ranges, int interface_width, int ranks,
                         int rank);

}  // namespace cleave
