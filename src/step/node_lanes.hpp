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

  /// The nodes from `begin` on, at most up to `end`.
  CLEAVE_HD_INLINE NodeLanes(Index begin, Index end) : first(begin), count(end - begin < most ? end - begin : most) {}

  /// Adds up partial forces in memory, of which most nodes have two.
  /// @param f  [lane] receives the sums, N
  CLEAVE_HD_INLINE void sum_partials(const NodeAssembly* assembly, const Vec2* partial_force, Vec2* f) const {
    // First all nodes count as such with two, so that no branch is mispredicted.
    int others[most], other = 0;
    for (int lane = 0; lane < count; ++lane) {
      const SlotRange range = assembly[first + lane].partial_range();
      const Vec2* partial = partial_force + range.begin;
      const Index own = range.end - range.begin;
      f[lane] = (Vec2{} + partial[0]) + partial[own > 1 ? 1 : 0];
      others[other] = lane;
      other += own != 2 ? 1 : 0;
    }
    for (int i = 0; i < other; ++i) {
      const SlotRange range = assembly[first + others[i]].partial_range();
      Vec2 sum{};
      for (Index s = range.begin; s < range.end; ++s) sum += partial_force[s];
      f[others[i]] = sum;
    }
  }
  /// @param f     [lane] force on the node, N
  /// @param book  (lane, NodeWork)
  template <class NodeStep, class Book>
  CLEAVE_HD_INLINE void step(const NodeStep& step, const Vec2* f, const Book& book) const {
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
