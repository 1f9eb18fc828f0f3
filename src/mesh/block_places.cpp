#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <numeric>

#include "cleave/mesh/blocks.hpp"
#include "mesh/block_owners.hpp"
#include "mesh/ids.hpp"

namespace cleave {
namespace {

/// Places the elements of a block (see place_in_blocks). Rows have the numbers that PackBlocks gives them.
class Places {
 public:
  /// @param owner   [node] see block_owners
  /// @param number  [node] its number in the order of nodes
  Places(const Mesh& mesh, const std::vector<Index>& owner, const std::vector<Index>& number)
      : mesh_(mesh), owner_(owner), number_(number), width_(nodes_per_element(mesh.type)) {}

  /// Each place takes the element, of those that are left, with the fewest nodes in banks that are taken; of several,
  /// the first one.
  void place(Index block, Index* elements, int count) {
    number_nodes(block, elements, count);
    left_.resize(count);
    std::iota(left_.begin(), left_.end(), 0);
    placed_.clear();
    for (int place = 0; place < count; ++place) {
      if (place % shared_banks == 0) taken_ = 0;
      int best = 0, fewest = width_ + 1;
      for (int at = 0; at < static_cast<int>(left_.size()) && fewest > 0; ++at)
        if (const int conflicts = conflicts_of(left_[at]); conflicts < fewest) best = at, fewest = conflicts;
      const int e = left_[best];
      left_.erase(left_.begin() + best);
      take(e, elements);
      placed_.push_back(elements[e]);
    }
    std::copy(placed_.begin(), placed_.end(), elements);
  }

 private:
  /// Node k of an element of the block.
  struct NodeOfElement {
    int element, k;
  };
  const Mesh& mesh_;
  const std::vector<Index>& owner_;
  const std::vector<Index>& number_;
  int width_;
  std::vector<std::uint64_t> banks_;    // [element of the block] a bit for each k and bank, of rows that are known
  std::vector<unsigned> unknown_;       // [element of the block] a bit for each k whose row is not
  std::vector<Index> border_;           // nodes of the block on its border, sorted
  std::vector<Index> first_at_;         // [border_.size() + 1] where at_node_ of a border node begins
  std::vector<NodeOfElement> at_node_;  // of border nodes, node after node
  int next_corner_ = 0, next_mid_ = 0;  // next rows on the border
  std::uint64_t taken_ = 0;             // banks of the elements that are read together
  std::vector<int> left_;               // elements of the block, counted from its first one
  std::vector<Index> placed_;

  static std::uint64_t bank_of(int k, Index row) { return std::uint64_t{1} << (shared_banks * k + row % shared_banks); }
  std::size_t border_place(Index node) const {
    return static_cast<std::size_t>(std::lower_bound(border_.begin(), border_.end(), node) - border_.begin());
  }
  void number_nodes(Index block, const Index* elements, int count) {
    Index first = std::numeric_limits<Index>::max(), last = first;
    std::vector<Index> at_corners, all;  // on the border
    for_each_node(elements, count, [&](int, int k, Index n) {
      if (owner_[n] == block) {
        last = first == std::numeric_limits<Index>::max() ? number_[n] : std::max(last, number_[n]);
        first = std::min(first, number_[n]);
      } else {
        all.push_back(n);
        if (k < 3) at_corners.push_back(n);
      }
    });
    border_ = unique(all);
    banks_.assign(count, 0);
    unknown_.assign(count, 0);
    first_at_.assign(border_.size() + 1, 0);
    for (const Index n : all) ++first_at_[border_place(n) + 1];
    std::partial_sum(first_at_.begin(), first_at_.end(), first_at_.begin());
    at_node_.resize(all.size());
    std::vector<Index> next = first_at_;
    for_each_node(elements, count, [&](int e, int k, Index n) {
      if (owner_[n] == block) {
        banks_[e] |= bank_of(k, number_[n] - first);
      } else {
        unknown_[e] |= 1U << k;
        at_node_[next[border_place(n)]++] = {e, k};
      }
    });
    next_corner_ = first == std::numeric_limits<Index>::max() ? 0 : last - first + 1;
    next_mid_ = next_corner_ + static_cast<int>(unique(at_corners).size());
  }
  /// Calls f(element of the block, k, node).
  template <class F>
  void for_each_node(const Index* elements, int count, const F& f) const {
    for (int e = 0; e < count; ++e)
      for (int k = 0; k < width_; ++k) f(e, k, mesh_.node(elements[e], k));
  }
  static std::vector<Index> unique(std::vector<Index> ids) {
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    return ids;
  }
  /// Number of nodes of an element in banks that are taken, if it is placed next.
  int conflicts_of(int e) const {
    int conflicts = std::popcount(taken_ & banks_[e]), corner = next_corner_, mid = next_mid_;
    for (unsigned left = unknown_[e]; left != 0; left &= left - 1) {
      const int k = std::countr_zero(left);
      conflicts += (taken_ & bank_of(k, k < 3 ? corner++ : mid++)) != 0;
    }
    return conflicts;
  }
  void take(int e, const Index* elements) {
    while (unknown_[e] != 0) {
      const int k = std::countr_zero(unknown_[e]), row = k < 3 ? next_corner_++ : next_mid_++;
      const std::size_t node = border_place(mesh_.node(elements[e], k));
      for (Index c = first_at_[node]; c < first_at_[node + 1]; ++c) {
        banks_[at_node_[c].element] |= bank_of(at_node_[c].k, row);
        unknown_[at_node_[c].element] &= ~(1U << at_node_[c].k);
      }
    }
    taken_ |= banks_[e];
  }
};

}  // namespace

std::vector<Index> place_in_blocks(const Mesh& mesh, const std::vector<BlockRange>& ranges,
                                   std::vector<Index> element_order, const std::vector<Index>& node_order) {
  const std::vector<Index> owner = block_owners(mesh, ranges, [&](Index place) { return element_order[place]; });
  const std::vector<Index> number = inverse(node_order);
  for (const BlockRange& range : ranges)
    parallel_for(threads_for(0), static_cast<std::size_t>(range.blocks()), 128,
                 [&](std::size_t begin, std::size_t end) {
                   Places places(mesh, owner, number);
                   for (auto i = static_cast<Index>(begin); i < static_cast<Index>(end); ++i) {
                     const Index block = range.first_block + i, first = range.begin_of(block);
                     places.place(block, element_order.data() + first, range.end_of(block) - first);
                   }
                 });
  return element_order;
}

}  // namespace cleave
