#include "cleave/mesh/blocks.hpp"

#include <limits>
#include <utility>

#include "cleave/core/atomic.hpp"
#include "cleave/core/machine.hpp"
#include "cleave/core/parallel.hpp"

namespace cleave {
namespace {

constexpr Index nobody = -1, several = -2;
constexpr std::size_t elements_at_once = 16384;  ///< number of elements that a thread processes at once

/// [node] The block with all elements of the node, or `several`.
/// @param element_at  maps a position in the ranges to an element
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
    parallel_for(threads_for(0), static_cast<std::size_t>(range.end_element - range.first_element), elements_at_once,
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
  const int width = nodes_per_element(mesh.type);
  std::vector<Index> first(mesh.nodes.size(), std::numeric_limits<Index>::max());  // position of an element, slot
  const auto for_each_slot = [&](std::size_t begin, std::size_t end, const auto& f) {
    for (std::size_t place = begin; place < end; ++place)
      for (int i = 0; i < width; ++i)
        f(mesh.node(element_order[place], i), static_cast<Index>(width * place + static_cast<std::size_t>(i)));
  };
  parallel_for(threads_for(0), element_order.size(), elements_at_once, [&](std::size_t begin, std::size_t end) {
    for_each_slot(begin, end, [&](Index n, Index slot) { atomic_min(first[n], slot); });
  });
  struct Nodes {
    std::vector<Index> interior, shared;
  };
  const auto first_touched = [&](const BlockRange& range, std::size_t begin, std::size_t end) {
    Nodes nodes;
    std::vector<Index> mid_sides;
    for (Index b = range.first_block + static_cast<Index>(begin); b < range.first_block + static_cast<Index>(end);
         ++b) {
      mid_sides.clear();
      for_each_slot(range.begin_of(b), range.end_of(b), [&](Index n, Index slot) {
        if (first[n] != slot) return;
        const bool is_shared = owner[n] == several, is_corner = slot % width < 3;
        (is_shared ? nodes.shared : is_corner ? nodes.interior : mid_sides).push_back(n);
      });
      nodes.interior.insert(nodes.interior.end(), mid_sides.begin(), mid_sides.end());
    }
    return nodes;
  };
  std::vector<Nodes> touched;
  for (const BlockRange& range : ranges)
    for (Nodes& nodes : parallel_results(
             threads_for(0), static_cast<std::size_t>(range.blocks()), elements_at_once / elements_per_block,
             [&](std::size_t begin, std::size_t end) { return first_touched(range, begin, end); }))
      touched.push_back(std::move(nodes));
  std::vector<Index> order;
  order.reserve(mesh.nodes.size());
  for (const auto part : {&Nodes::interior, &Nodes::shared})
    for (const Nodes& nodes : touched) order.insert(order.end(), (nodes.*part).begin(), (nodes.*part).end());
  return order;
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
