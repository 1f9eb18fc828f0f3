#include "cleave/mesh/blocks.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "cleave/core/atomic.hpp"
#include "cleave/core/machine.hpp"
#include "cleave/core/parallel.hpp"
#include "mesh/block_owners.hpp"

namespace cleave {
namespace {

constexpr std::size_t elements_at_once = 16384;  ///< number of elements that a thread processes at once
constexpr std::size_t blocks_at_once = elements_at_once / elements_per_block;

}  // namespace

std::vector<BlockRange> cut_blocks(const std::vector<Index>& ends) {
  std::vector<BlockRange> ranges;
  for (std::size_t r = 0; r + 1 < ends.size(); ++r)
    ranges.push_back({ends[r], ends[r + 1], ranges.empty() ? 0 : ranges.back().end_block()});
  return ranges;
}

std::vector<Index> block_node_order(const Mesh& mesh, const std::vector<BlockRange>& ranges,
                                    const std::vector<Index>& element_order) {
  const std::vector<Index> owner = block_owners(mesh, ranges, [&](Index place) { return element_order[place]; });
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
  std::vector<std::uint8_t> at_node(mesh.nodes.size(), 0);  // number of elements at an interior node
  struct Nodes {
    std::vector<Index> interior, shared;
  };
  const auto first_touched = [&](const BlockRange& range, std::size_t begin, std::size_t end) {
    Nodes nodes;
    std::vector<Index> corners, mid_sides;
    for (Index b = range.first_block + static_cast<Index>(begin); b < range.first_block + static_cast<Index>(end);
         ++b) {
      corners.clear();
      mid_sides.clear();
      for_each_slot(range.begin_of(b), range.end_of(b), [&](Index n, Index slot) {
        if (owner[n] == b) ++at_node[n];
        if (first[n] != slot) return;
        const bool is_shared = owner[n] == several_blocks, is_corner = slot % width < 3;
        (is_shared ? nodes.shared : is_corner ? corners : mid_sides).push_back(n);
      });
      std::stable_sort(corners.begin(), corners.end(), [&](Index n, Index m) { return at_node[n] > at_node[m]; });
      for (const auto* part : {&corners, &mid_sides})
        nodes.interior.insert(nodes.interior.end(), part->begin(), part->end());
    }
    return nodes;
  };
  std::vector<Nodes> touched;
  for (const BlockRange& range : ranges)
    for (Nodes& nodes :
         parallel_results(threads_for(0), static_cast<std::size_t>(range.blocks()), blocks_at_once,
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
  for (const Index o : block_owners(mesh, ranges, [](Index place) { return place; }))
    if (o >= 0) ++first[o + 1];
  for (Index b = 0; b < blocks; ++b) first[b + 1] += first[b];
  return first;
}

}  // namespace cleave
