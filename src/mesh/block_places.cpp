#include <algorithm>
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
      take(e);
      placed_.push_back(elements[e]);
    }
    std::copy(placed_.begin(), placed_.end(), elements);
  }

 private:
  static constexpr int unknown = -1;
  const Mesh& mesh_;
  const std::vector<Index>& owner_;
  const std::vector<Index>& number_;
  int width_;
  std::vector<Index> nodes_;            // of the block, sorted
  std::vector<int> node_of_;            // [element of the block][k] its place in nodes_
  std::vector<int> row_;                // [node of the block]
  int first_mid_ = 0;                   // first row of a mid-side on the border
  int next_corner_ = 0, next_mid_ = 0;  // next rows on the border
  std::uint64_t taken_ = 0;             // a bit for each k and bank
  std::vector<int> left_;               // elements of the block, counted from its first one
  std::vector<Index> placed_;

  void number_nodes(Index block, const Index* elements, int count) {
    nodes_.clear();
    for (int e = 0; e < count; ++e)
      for (int k = 0; k < width_; ++k) nodes_.push_back(mesh_.node(elements[e], k));
    node_of_.resize(nodes_.size());
    const std::vector<Index> of_elements = nodes_;
    std::sort(nodes_.begin(), nodes_.end());
    nodes_.erase(std::unique(nodes_.begin(), nodes_.end()), nodes_.end());
    row_.assign(nodes_.size(), unknown);
    Index first = std::numeric_limits<Index>::max();
    int interior = 0;
    for (const Index n : nodes_)
      if (owner_[n] == block) first = std::min(first, number_[n]), ++interior;
    for (std::size_t i = 0; i < nodes_.size(); ++i)
      if (owner_[nodes_[i]] == block) row_[i] = number_[nodes_[i]] - first;
    std::vector<bool> is_border_corner(nodes_.size(), false);
    for (std::size_t corner = 0; corner < of_elements.size(); ++corner) {
      const auto i = std::lower_bound(nodes_.begin(), nodes_.end(), of_elements[corner]) - nodes_.begin();
      node_of_[corner] = static_cast<int>(i);
      if (corner % width_ < 3 && row_[i] == unknown) is_border_corner[i] = true;
    }
    next_corner_ = interior;
    first_mid_ = next_mid_ =
        interior + static_cast<int>(std::count(is_border_corner.begin(), is_border_corner.end(), true));
  }
  /// Calls f(node of the block, row, bit of its bank) for the nodes of an element, if it is placed next.
  template <class F>
  void for_each_row(int e, const F& f) const {
    int corner = next_corner_, mid = next_mid_;
    for (int k = 0; k < width_; ++k) {
      const int node = node_of_[e * width_ + k];
      const int row = row_[node] != unknown ? row_[node] : k < 3 ? corner++ : mid++;
      f(node, row, std::uint64_t{1} << (shared_banks * k + row % shared_banks));
    }
  }
  int conflicts_of(int e) const {
    int conflicts = 0;
    for_each_row(e, [&](int, int, std::uint64_t bank) { conflicts += (taken_ & bank) != 0; });
    return conflicts;
  }
  void take(int e) {
    for_each_row(e, [&](int node, int row, std::uint64_t bank) {
      if (row_[node] == unknown) ++(row < first_mid_ ? next_corner_ : next_mid_);
      row_[node] = row;
      taken_ |= bank;
    });
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
