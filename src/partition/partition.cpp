#include "cleave/partition/partition.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

#include "cleave/core/atomic.hpp"
#include "cleave/core/machine.hpp"
#include "cleave/core/parallel.hpp"

namespace cleave {
namespace {

/// The blocks of a range that lie in [begin, end).
BlockRange part_of(const BlockRange& range, Index begin, Index end) {
  begin = std::max(begin, range.first_block);
  end = std::min(end, range.end_block());
  if (begin >= end) return {range.first_element, range.first_element, range.first_block};
  return {range.begin_of(begin), range.end_of(end - 1), begin};
}

/// The first element of a block; for the block after the last one, the number of elements.
Index first_element_of(const std::vector<BlockRange>& ranges, Index block) {
  for (const BlockRange& range : ranges)
    if (block < range.end_block()) return range.begin_of(block);
  return ranges.back().end_element;
}

constexpr std::size_t at_once = 16384;  ///< number of elements or nodes that a thread processes at once

/// Calls f(rank, element) for all elements, on several threads.
template <class F>
void for_each_element(const Partition& p, const F& f) {
  parallel_for(threads_for(0), static_cast<std::size_t>(p.first_element.back()), at_once,
               [&](std::size_t begin, std::size_t end) {
                 int r = p.rank_of_element(static_cast<Index>(begin));
                 for (auto e = static_cast<Index>(begin); e < static_cast<Index>(end); ++e) {
                   while (e >= p.first_element[r + 1]) ++r;
                   f(r, e);
                 }
               });
}

/// The first and the last rank with elements at an interface node.
struct RanksAtNode {
  Index first = std::numeric_limits<Index>::max();
  Index last = -1;
};

/// @return [interface node, counted from 0]
std::vector<RanksAtNode> ranks_at_nodes(const Mesh& mesh, const Partition& p, Index first_interface) {
  std::vector<RanksAtNode> at(static_cast<std::size_t>(mesh.node_count() - first_interface));
  for_each_element(p, [&](int r, Index e) {
    for (int i = 0; i < nodes_per_element(mesh.type); ++i) {
      const Index n = mesh.node(e, i) - first_interface;
      if (n < 0) continue;
      atomic_min(at[n].first, r);
      atomic_max(at[n].last, r);
    }
  });
  return at;
}

/// [ranks + 1] First interface node that each rank reports. An interface block is reported by the rank whose element
/// first touches its first node, as interface nodes are numbered in the order in which blocks touch them.
std::vector<Index> share_interface_nodes(const std::vector<RanksAtNode>& at, int ranks, Index first_interface,
                                         int width) {
  const auto count = static_cast<Index>(at.size());
  std::vector<Index> first(ranks + 1, first_interface + count);
  for (int r = 0; r < ranks; ++r)
    for (Index n = 0; n < count; n += width)
      if (at[n].first >= r) {
        first[r] = first_interface + n;
        break;
      }
  return first;
}

/// Interface nodes that several ranks need; these are few.
class NeedsOfRanks {
 public:
  NeedsOfRanks(const Mesh& mesh, const Partition& p, Index first_interface, const std::vector<RanksAtNode>& at)
      : partition_(p), first_interface_(first_interface), at_(at) {
    elements_ = elements_at_shared_nodes(mesh);
    for (const Index e : elements_)
      for (int i = 0; i < nodes_per_element(mesh.type); ++i)
        if (const Index n = mesh.node(e, i); is_shared(n)) {
          needs_.emplace_back(n, p.rank_of_element(e));
          needs_.emplace_back(n, reporter(n));
        }
    std::sort(needs_.begin(), needs_.end());
    needs_.erase(std::unique(needs_.begin(), needs_.end()), needs_.end());
  }
  /// Elements with such a node, ascending.
  const std::vector<Index>& elements() const { return elements_; }
  bool is_shared(Index n) const {
    if (n < first_interface_) return false;
    const RanksAtNode& at = at_[n - first_interface_];
    return at.first != at.last || at.first != reporter(n);
  }
  /// Whether a rank needs an interface node.
  bool needed_by(Index n, int r) const {
    if (!is_shared(n)) return at_[n - first_interface_].first == r;
    return std::binary_search(needs_.begin(), needs_.end(), std::pair{n, r});
  }
  /// Calls f(rank) for the ranks that need a shared node.
  template <class F>
  void for_each_rank(Index n, const F& f) const {
    for (auto need = std::lower_bound(needs_.begin(), needs_.end(), std::pair{n, 0});
         need != needs_.end() && need->first == n; ++need)
      f(need->second);
  }

 private:
  /// The rank that reports an interface node.
  int reporter(Index n) const {
    const auto& first = partition_.first_interface_node;
    return static_cast<int>(std::upper_bound(first.begin(), first.end(), n) - first.begin()) - 1;
  }
  std::vector<Index> elements_at_shared_nodes(const Mesh& mesh) const {
    const auto found_in = [&](std::size_t begin, std::size_t end) {
      std::vector<Index> found;
      for (auto e = static_cast<Index>(begin); e < static_cast<Index>(end); ++e) {
        bool shared = false;
        for (int i = 0; i < nodes_per_element(mesh.type); ++i) shared = shared || is_shared(mesh.node(e, i));
        if (shared) found.push_back(e);
      }
      return found;
    };
    std::vector<Index> all;
    for (const std::vector<Index>& found :
         parallel_results(threads_for(0), static_cast<std::size_t>(mesh.element_count()), at_once, found_in))
      all.insert(all.end(), found.begin(), found.end());
    return all;
  }

  const Partition& partition_;
  Index first_interface_;
  const std::vector<RanksAtNode>& at_;
  std::vector<Index> elements_;
  std::vector<std::pair<Index, int>> needs_;  ///< (node, rank), each once
};

Index block_of_element(const std::vector<BlockRange>& ranges, Index e) {
  for (const BlockRange& range : ranges)
    if (e < range.end_element) return range.block_of(e);
  return ranges.back().end_block();
}

/// Lists the blocks of this rank whose elements send data to neighbours. Needs p.neighbours.
void list_border_blocks(Partition& p, const std::vector<BlockRange>& ranges) {
  const Index first = p.first_block[p.rank], end = p.first_block[p.rank + 1];
  std::vector<char> tells(static_cast<std::size_t>(end - first), 0);
  for (const Neighbour& n : p.neighbours)
    for (const Index e : n.send_elements) tells[block_of_element(ranges, e) - first] = 1;
  for (Index b = first; b < end; ++b)
    if (tells[b - first]) p.border_blocks.push_back(b);
}

/// @param width  nodes of an interface block
std::vector<Index> needed_interface_blocks(const std::vector<char>& absent, Index first_interface, int width) {
  std::vector<Index> needed;
  for (auto n = static_cast<std::size_t>(first_interface); n < absent.size(); ++n) {
    const Index block = (static_cast<Index>(n) - first_interface) / width;
    if (!absent[n] && (needed.empty() || needed.back() != block)) needed.push_back(block);
  }
  return needed;
}

/// The rank that has an item, by the first items of the ranks.
int rank_with(const std::vector<Index>& first, Index item) {
  return static_cast<int>(std::upper_bound(first.begin(), first.end(), item) - first.begin()) - 1;
}

}  // namespace

int Partition::rank_of_element(Index e) const { return rank_with(first_element, e); }
int Partition::rank_of_interface_node(Index n) const { return rank_with(first_interface_node, n); }

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
  const std::vector<RanksAtNode> at_nodes = ranks_at_nodes(mesh, p, first_interface);
  p.first_interface_node = share_interface_nodes(at_nodes, ranks, first_interface, interface_width);

  const NeedsOfRanks needs(mesh, p, first_interface, at_nodes);
  p.absent.assign(mesh.node_count(), 0);
  parallel_for(threads_for(0), at_nodes.size(), at_once, [&](std::size_t begin, std::size_t end) {
    for (auto n = first_interface + static_cast<Index>(begin); n < first_interface + static_cast<Index>(end); ++n)
      p.absent[n] = !needs.needed_by(n, rank);
  });

  std::vector<Neighbour> all(ranks);
  const auto add = [](std::vector<Neighbour::Corner>& corners, std::vector<Index>& elements, Index e, int i) {
    corners.push_back({e, i});
    if (elements.empty() || elements.back() != e) elements.push_back(e);
  };
  for (const Index e : needs.elements()) {
    const int of_element = p.rank_of_element(e);
    for (int i = 0; i < nodes_per_element(mesh.type); ++i) {
      const Index n = mesh.node(e, i);
      if (!needs.is_shared(n)) continue;
      if (of_element != rank) {
        if (!p.absent[n]) add(all[of_element].receive, all[of_element].receive_elements, e, i);
        continue;
      }
      needs.for_each_rank(n, [&](int r) {
        if (r != rank) add(all[r].send, all[r].send_elements, e, i);
      });
    }
  }
  for (int r = 0; r < ranks; ++r) {
    all[r].rank = r;
    if (!all[r].send.empty() || !all[r].receive.empty()) p.neighbours.push_back(std::move(all[r]));
  }
  list_border_blocks(p, ranges);
  p.interface_blocks = needed_interface_blocks(p.absent, first_interface, interface_width);
  return p;
}

}  // namespace cleave
