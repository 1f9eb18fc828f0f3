#include "cleave/mesh/blocks.hpp"

#include "cleave/core/atomic.hpp"
#include "cleave/core/machine.hpp"
#include "cleave/core/parallel.hpp"

namespace cleave {
namespace {

constexpr Index nobody = -1, several = -2;

/// The block whose elements alone use a node, or `several`.
/// @param element_at  (place in the ranges) -> element
template <class ElementAt>
std::vector<Index> owners(const Mesh& mesh, const std::vector<BlockRange>& ranges, const ElementAt& element_at) {
  std::vector<Index> owner(mesh.nodes.size(), nobody);
  const int width = nodes_per_element(mesh.type);
  const auto claim = [](Index& o, Index block) {
    Index who = atomic_read(o);
    if (who == nobody) who = atomic_compare_exchange(o, nobody, block);
    if (who != nobody && who != block && who != several) atomic_write(o, several);
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

}  // namespace

std::vector<BlockRange> cut_blocks(const std::vector<Index>& ends) {
  std::vector<BlockRange> ranges;
  for (std::size_t r = 0; r + 1 < ends.size(); ++r)
    ranges.push_back({ends[r], ends[r + 1], ranges.empty() ? 0 : ranges.back().end_block()});
  return ranges;
}

std::vector<Index> block_node_order(const Mesh& mesh, const std::vector<BlockRange>& ranges,
                                    const std::vector<Index>& element_order) {
  const std::vector<Index> owner = owners(mesh, ranges, [&](Index place) { return element_order[place]; });
  std::vector<char> listed(mesh.nodes.size(), 0);
  std::vector<Index> interior, shared;
  for (const Index e : element_order)
    for (int i = 0; i < nodes_per_element(mesh.type); ++i) {
      const Index n = mesh.node(e, i);
      if (listed[n]) continue;
      listed[n] = 1;
      (owner[n] == several ? shared : interior).push_back(n);
    }
  interior.insert(interior.end(), shared.begin(), shared.end());
  return interior;
}

std::vector<Index> first_nodes_of_blocks(const Mesh& mesh, const std::vector<BlockRange>& ranges) {
  const Index blocks = ranges.empty() ? 0 : ranges.back().end_block();
  std::vector<Index> first(blocks + 1, 0);
  for (const Index o : owners(mesh, ranges, [](Index place) { return place; }))
    if (o >= 0) ++first[o + 1];
  for (Index b = 0; b < blocks; ++b) first[b + 1] += first[b];
  return first;
}

}  // namespace cleave
