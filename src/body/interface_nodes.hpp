/// The nodes whose slots lie in memory, in blocks.
#pragma once

#include "body/gather_table.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// The nodes in memory's slots: those between blocks in the intact mesh, then copies; in blocks of their own.
struct InterfaceNodes {
  static constexpr int width = interface_nodes_per_block;
  Index first = 0;
  Index first_copy = 0;
  const Index* listed = nullptr;  ///< [listed_count] blocks of the intact mesh in a launch
  Index listed_count = -1;        ///< -1: all

  CLEAVE_HD Index interface_blocks() const { return blocks_before(first_copy); }
  /// Blocks that have nodes of the intact mesh before this one.
  CLEAVE_HD Index blocks_before(Index n) const { return (n - first + width - 1) / width; }
  /// Blocks of a launch: those of nodes between blocks, then those of copies.
  CLEAVE_HD Index blocks(Index capacity) const {
    return launched_interface_blocks() + (capacity - first_copy + width - 1) / width;
  }
  /// The block that a block of the launch is.
  CLEAVE_HD_INLINE Index block(Index launched) const {
    if (listed_count < 0) return launched;
    return launched < listed_count ? listed[launched] : launched - listed_count + interface_blocks();
  }
  CLEAVE_HD bool has_copies(Index block) const { return block >= interface_blocks(); }
  CLEAVE_HD Index begin_of(Index block) const {
    return has_copies(block) ? first_copy + (block - interface_blocks()) * width : first + block * width;
  }

 private:
  CLEAVE_HD Index launched_interface_blocks() const { return listed_count < 0 ? interface_blocks() : listed_count; }
};

}  // namespace cleave::inline CLEAVE_PRECISION
