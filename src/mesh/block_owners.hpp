/// Blocks of nodes.
#pragma once

#include <vector>

#include "cleave/core/atomic.hpp"
#include "cleave/core/machine.hpp"
#include "cleave/core/parallel.hpp"
#include "cleave/mesh/blocks.hpp"

namespace cleave {

inline constexpr Index no_block = -1, several_blocks = -2;

/// [node] The block with all elements of the node, or `several_blocks`.
/// @param element_at  maps a position in the ranges to an element
template <class ElementAt>
std::vector<Index> block_owners(const Mesh& mesh, const std::vector<BlockRange>& ranges, const ElementAt& element_at) {
  std::vector<Index> owner(mesh.nodes.size(), no_block);
  const int width = nodes_per_element(mesh.type);
  const auto claim = [](Index& o, Index block) {
    Index who = atomic_read(o);
    if (who == no_block) who = atomic_compare_exchange(o, no_block, block);
    if (who != no_block && who != block && who != several_blocks) atomic_write(o, several_blocks);
  };
  for (const BlockRange& range : ranges)
    parallel_for(threads_for(0), static_cast<std::size_t>(range.end_element - range.first_element), 16384,
                 [&](std::size_t begin, std::size_t end) {
                   for (std::size_t p = begin; p < end; ++p) {
                     const Index place = range.first_element + static_cast<Index>(p), block = range.block_of(place);
                     for (int i = 0; i < width; ++i) claim(owner[mesh.node(element_at(place), i)], block);
                   }
                 });
  return owner;
}

}  // namespace cleave
