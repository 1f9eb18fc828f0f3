/// Nodes side by side: how one CPU thread steps nodes of the gather assembly.
#pragma once

#include "cleave/lockstep/lanes.hpp"
#include "step/gather_node.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Up to `most` nodes in a row.
template <int most>
struct NodeLanes {
  Index first;
  int count;
  Vec2 f[most];  ///< sum of their slots or partial forces, N

  /// The nodes from `begin` on, at most up to `end`.
  CLEAVE_HD_INLINE NodeLanes(Index begin, Index end) : first(begin), count(end - begin < most ? end - begin : most) {}

  /// @tparam usual  number of slots of most nodes
  /// @param range_of  (lane) SlotRange
  template <int usual, class RangeOf>
  CLEAVE_HD_INLINE void sum_slots(const RangeOf& range_of, const Vec2* slots) {
    // First all nodes count as usual ones, so that no branch is mispredicted.
    int others[most], other = 0;
    for (int lane = 0; lane < count; ++lane) {
      const SlotRange range = range_of(lane);
      const Vec2* slot = slots + range.begin;
      const Index own = range.end - range.begin;
      Vec2 sum = Vec2{} + slot[0];
      CLEAVE_UNROLL
      for (int k = 1; k < usual; ++k) sum += slot[own > k ? k : 0];
      f[lane] = sum;
      others[other] = lane;
      other += own != usual ? 1 : 0;
    }
    for (int i = 0; i < other; ++i) {
      const SlotRange range = range_of(others[i]);
      // Going on after two slots makes a T6's step 3 % slower than beginning again.
      const bool goes_on = usual > 2 && range.end - range.begin > usual;
      Vec2 sum = goes_on ? f[others[i]] : Vec2{};
      for (Index s = goes_on ? range.begin + usual : range.begin; s < range.end; ++s) sum += slots[s];
      f[others[i]] = sum;
    }
  }
  /// @param book  (lane, NodeWork)
  template <class NodeStep, class Book>
  CLEAVE_HD_INLINE void step(const NodeStep& step, const Book& book) const {
    unsigned flags = 0;
    for (int lane = 0; lane < count; ++lane) flags |= step.assembly[first + lane].flags;
    if ((flags & step_flags) == 0)
      for_lanes(count, [&](int lane) CLEAVE_LANE {
        const Index n = first + lane;
        book(lane, step.template advance<true>(n, step.fetch(n), f[lane]));
      });
    else
      for (int lane = 0; lane < count; ++lane) {
        const Index n = first + lane;
        if (step.assembly[n].flags & remote_node) continue;
        book(lane, step(n, step.fetch(n), f[lane]));
      }
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
