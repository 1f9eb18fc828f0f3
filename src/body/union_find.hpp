/// Sets in parallel: every member points towards a smaller id of its set, and at the end to the smallest (after
/// J. Jaiganesh, M. Burtscher, "A high-performance connected components implementation for GPUs", HPDC 2018). The
/// result does not depend on the order in which workers join.
#pragma once

#include "cleave/core/atomic.hpp"

namespace cleave {

/// The smallest id reachable from `member`; shortens the path on the way.
CLEAVE_HD inline Index root_of(Index* parent, Index member) {
  Index at = member, up = atomic_read(parent[member]);
  while (up != at) {
    const Index next = atomic_read(parent[up]);
    if (next != up) atomic_compare_exchange(parent[at], up, next);
    at = up;
    up = next;
  }
  return at;
}

/// Joins the sets of a and b; true if they were two. Of workers that join the same sets, one gets true.
CLEAVE_HD inline bool join_sets(Index* parent, Index a, Index b) {
  a = root_of(parent, a);
  b = root_of(parent, b);
  while (a != b) {
    const Index high = a > b ? a : b, low = a > b ? b : a;
    const Index was = atomic_compare_exchange(parent[high], high, low);
    if (was == high) return true;
    a = root_of(parent, was);
    b = low;
  }
  return false;
}

}  // namespace cleave
