#include "cleave/partition/partition.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace cleave {
namespace {

/// The part of a range of blocks that lies in [begin, end).
BlockRange part_of(const BlockRange& range, Index begin, Index end) {
  begin = std::max(begin, range.first_block);
  end = std::min(end, range.end_block());
  if (begin >= end) return {range.first_element, range.first_element, range.first_block};
  return {range.begin_of(begin), range.end_of(end - 1), begin};
}

/// The first element of a block, or the number of elements behind the last one.
Index first_element_of(const std::vector<BlockRange>& ranges, Index block) {
  for (const BlockRange& range : ranges)
    if (block < range.end_block()) return range.begin_of(block);
  return ranges.back().end_element;
}

/// Pairs (node, rank), each once: which ranks need which interface node.
using Needs = std::vector<std::pair<Index, int>>;

Needs needs_of(const Mesh& mesh, const Partition& p, Index first_interface) {
  Needs needs;
  const int width = nodes_per_element(mesh.type);
  for (int r = 0; r < p.ranks; ++r) {
    const std::size_t begin = needs.size();
    for (Index e = p.first_element[r]; e < p.first_element[r + 1]; ++e)
      for (int i = 0; i < width; ++i)
        if (mesh.node(e, i) >= first_interface) needs.emplace_back(mesh.node(e, i), r);
    for (Index n = p.first_interface_node[r]; n < p.first_interface_node[r + 1]; ++n) needs.emplace_back(n, r);
    const auto own = needs.begin() + static_cast<std::ptrdiff_t>(begin);
    std::sort(own, needs.end());
    needs.erase(std::unique(own, needs.end()), needs.end());
  }
  std::sort(needs.begin(), needs.end());
  return needs;
}

/// Interface blocks go to the rank whose element first touches their first node: interface nodes are numbered in the
/// order in which elements touch them.
std::vector<Index> share_interface_nodes(const Mesh& mesh, const Partition& p, Index first_interface, int width) {
  std::vector<int> first_rank(static_cast<std::size_t>(mesh.node_count() - first_interface), p.ranks);
  for (int r = p.ranks - 1; r >= 0; --r)
    for (Index e = p.first_element[r]; e < p.first_element[r + 1]; ++e)
      for (int i = 0; i < nodes_per_element(mesh.type); ++i)
        if (const Index n = mesh.node(e, i); n >= first_interface) first_rank[n - first_interface] = r;
  std::vector<Index> first(p.ranks + 1, mesh.node_count());
  for (int r = 0; r < p.ranks; ++r)
    for (Index n = first_interface; n < mesh.node_count(); n += width)
      if (first_rank[n - first_interface] >= r) {
        first[r] = n;
        break;
      }
  return first;
}

Index block_of_element(const std::vector<BlockRange>& ranges, Index e) {
  for (const BlockRange& range : ranges)
    if (e < range.end_element) return range.block_of(e);
  return ranges.back().end_block();
}

/// What elements of border blocks have at shared nodes goes to neighbours, which must be known.
void list_border_blocks(Partition& p, const std::vector<BlockRange>& ranges) {
  const Index first = p.first_block[p.rank], end = p.first_block[p.rank + 1];
  std::vector<char> tells(static_cast<std::size_t>(end - first), 0);
  for (const Neighbour& n : p.neighbours)
    for (const Index e : n.send_elements) tells[block_of_element(ranges, e) - first] = 1;
  for (Index b = first; b < end; ++b)
    if (tells[b - first]) p.border_blocks.push_back(b);
}

/// @param width  nodes of an interface block
std::vector<Index> needed_interface_blocks(const std::vector<char>& elsewhere, Index first_interface, int width) {
  std::vector<Index> needed;
  for (auto n = static_cast<std::size_t>(first_interface); n < elsewhere.size(); ++n) {
    const Index block = (static_cast<Index>(n) - first_interface) / width;
    if (!elsewhere[n] && (needed.empty() || needed.back() != block)) needed.push_back(block);
  }
  return needed;
}

}  // namespace

int Partition::rank_of_element(Index e) const {
  return static_cast<int>(std::upper_bound(first_element.begin(), first_element.end(), e) - first_element.begin()) - 1;
}

Partition make_partition(const Mesh& mesh, const std::vector<BlockRange>& ranges, int interface_width, int ranks,
                         int rank) {
  Partition p;
  p.ranks = ranks;
  p.rank = rank;
  const std::int64_t blocks = ranges.back().end_block();
  for (int r = 0; r <= ranks; ++r) {
    p.first_block.push_back(static_cast<Index>(blocks * r / ranks));
    p.first_element.push_back(first_element_of(ranges, p.first_block.back()));
  }
  for (const BlockRange& range : ranges) p.own.push_back(part_of(range, p.first_block[rank], p.first_block[rank + 1]));
  const Index first_interface = first_nodes_of_blocks(mesh, ranges).back();
  p.first_interface_node = share_interface_nodes(mesh, p, first_interface, interface_width);

  const Needs needs = needs_of(mesh, p, first_interface);
  const auto needed_by = [&](Index n, int r) {
    return std::binary_search(needs.begin(), needs.end(), std::pair<Index, int>{n, r});
  };
  p.elsewhere.assign(mesh.node_count(), 0);
  for (Index n = first_interface; n < mesh.node_count(); ++n) p.elsewhere[n] = !needed_by(n, rank);

  std::vector<Neighbour> all(ranks);
  const auto add = [](std::vector<Neighbour::Corner>& corners, std::vector<Index>& elements, Index e, int i) {
    corners.push_back({e, i});
    if (elements.empty() || elements.back() != e) elements.push_back(e);
  };
  for (Index e = 0; e < mesh.element_count(); ++e) {
    const int of_element = p.rank_of_element(e);
    for (int i = 0; i < nodes_per_element(mesh.type); ++i) {
      const Index n = mesh.node(e, i);
      if (n < first_interface) continue;
      if (of_element != rank) {
        if (!p.elsewhere[n]) add(all[of_element].receive, all[of_element].receive_elements, e, i);
        continue;
      }
      auto need = std::lower_bound(needs.begin(), needs.end(), std::pair<Index, int>{n, 0});
      for (; need != needs.end() && need->first == n; ++need)
        if (need->second != rank) add(all[need->second].send, all[need->second].send_elements, e, i);
    }
  }
  for (int r = 0; r < ranks; ++r) {
    all[r].rank = r;
    if (!all[r].send.empty() || !all[r].receive.empty()) p.neighbours.push_back(std::move(all[r]));
  }
  list_border_blocks(p, ranges);
  p.interface_blocks = needed_interface_blocks(p.elsewhere, first_interface, interface_width);
  return p;
}

}  // namespace cleave
