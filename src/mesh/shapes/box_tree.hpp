/// A tree of boxes, to find the boxes that intersect another one.
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

#include "cleave/mesh/mesh.hpp"

namespace cleave {

/// The boxes are halved along the longer side of a branch, so that their sizes may differ by any factor.
class BoxTree {
 public:
  explicit BoxTree(std::vector<Box> boxes) : boxes_(std::move(boxes)), order_(boxes_.size()) {
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    if (!boxes_.empty()) build(0, boxes_.size());
  }

  /// Calls f(i) for each box i that intersects this one.
  template <class F>
  void for_each_met(const Box& box, F f) const {
    for (std::size_t b = 0; b < branches_.size();) {
      const Branch& branch = branches_[b];
      const bool met = branch.box.meets(box);
      for (std::size_t i = branch.begin; met && i < branch.end; ++i) {
        if (boxes_[order_[i]].meets(box)) f(order_[i]);
      }
      b = met ? b + 1 : branch.next;
    }
  }

 private:
  /// Each branch is followed by its descendants.
  struct Branch {
    Box box;
    std::size_t next;            ///< the first branch that is no descendant
    std::size_t begin, end = 0;  ///< boxes of a leaf in order_; empty for other branches
  };

  void build(std::size_t begin, std::size_t end) {
    constexpr std::size_t most_in_leaf = 4;
    Box all = boxes_[order_[begin]];
    for (std::size_t i = begin; i < end; ++i) all.include(boxes_[order_[i]]);
    const std::size_t here = branches_.size();
    branches_.push_back({all, 0, begin, begin});
    if (end - begin <= most_in_leaf) {
      branches_[here].end = end;
    } else {
      const bool along_x = all.width() >= all.height();
      const auto centre = [&](std::size_t i) {
        const Box& box = boxes_[i];
        return along_x ? box.low.x + box.high.x : box.low.y + box.high.y;
      };
      const std::size_t middle = begin + (end - begin) / 2;
      const auto at = [&](std::size_t i) { return order_.begin() + static_cast<std::ptrdiff_t>(i); };
      std::nth_element(at(begin), at(middle), at(end),
                       [&](std::size_t a, std::size_t b) { return centre(a) < centre(b); });
      build(begin, middle);
      build(middle, end);
    }
    branches_[here].next = branches_.size();
  }

  std::vector<Box> boxes_;
  std::vector<std::size_t> order_;
  std::vector<Branch> branches_;
};

}  // namespace cleave
