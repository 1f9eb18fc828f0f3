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
  Vec2 f[most];  ///< sum of their slots, N

  /// The nodes from `begin` on, at most up to `end`.
  CLEAVE_HD_INLINE NodeLanes(Index begin, Index end) : first(begin), count(end - begin < most ? end - begin : most) {}

  /// @tparam usual  number of slots of most nodes
  /// @param slots   the first of them has the number `first_slot`
  template <int usual>
  CLEAVE_HD_INLINE void sum_slots(const NodeAssembly* assembly, const Vec2* slots, Index first_slot) {
    // First all nodes count as usual ones, so that no branch is mispredicted.
    int others[most], other = 0;
    for (int lane = 0; lane < count; ++lane) {
      const NodeAssembly& node = assembly[first + lane];
      const Vec2* slot = slots + (node.first_slot - first_slot);
      Vec2 sum = Vec2{} + slot[0];
      CLEAVE_UNROLL
      for (int k = 1; k < usual; ++k) sum += slot[node.slots > k ? k : 0];
      f[lane] = sum;
      others[other] = lane;
      other += node.slots != usual ? 1 : 0;
    }
    for (int i = 0; i < other; ++i) {
      const SlotRange range = assembly[first + others[i]].range();
      // Going on after two slots makes a T6's step 3 % slower than beginning again.
      const bool goes_on = usual > 2 && range.end - range.begin > usual;
      Vec2 sum = goes_on ? f[others[i]] : Vec2{};
      for (Index s = goes_on ? range.begin + usual : range.begin; s < range.end; ++s) sum += slots[s - first_slot];
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
