/// Fragments: components of bulk elements joined by facets that are intact or whose cohesive element has not failed.
///
/// A union-find in parallel: every element points towards a smaller id of its fragment, and at the end to the smallest
/// (after J. Jaiganesh, M. Burtscher, "A high-performance connected components implementation for GPUs", HPDC 2018).
#pragma once

#include "kernels/element_table.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Every element starts as a fragment of its own.
struct StartFragments {
  static constexpr const char* name = "fragments";
  Index count;
  Index* parent;     ///< [element]
  Index* fragments;  ///< number of them, none yet

  CLEAVE_HD Index size() const { return count; }
  CLEAVE_HD void operator()(Index e) const {
    parent[e] = e;
    if (e == 0) *fragments = 0;
  }
};

/// The smallest id reachable from e; shortens the path on the way.
CLEAVE_HD inline Index fragment_root(Index* parent, Index e) {
  Index at = e, up = atomic_read(parent[e]);
  while (up != at) {
    const Index next = atomic_read(parent[up]);
    if (next != up) atomic_compare_exchange(parent[at], up, next);
    at = up;
    up = next;
  }
  return at;
}

/// Joins the elements on both sides of every facet that still holds.
template <class Element>
struct JoinFragments {
  static constexpr const char* name = "fragments";
  ElementTable<Element> elements;
  const std::uint8_t* failed;  ///< [cohesive element]
  Index* parent;               ///< [element]

  CLEAVE_HD Index size() const { return elements.bulk; }
  CLEAVE_HD void operator()(Index e) const {
    for (int k = 0; k < 3; ++k) {
      const Index code = elements.neighbour(e, k);
      Index other = -1;
      if (is_intact(code)) {
        other = element_of(code);
      } else if (is_cohesive(code) && !failed[cohesive_of(code)]) {
        other = element_of(elements.cohesive_facet(cohesive_of(code), 1 - cohesive_side_of(code)));
      }
      if (other >= 0 && other < e) join(e, other);
    }
  }
  CLEAVE_HD void join(Index a, Index b) const {
    a = fragment_root(parent, a);
    b = fragment_root(parent, b);
    while (a != b) {
      const Index high = a > b ? a : b, low = a > b ? b : a;
      const Index was = atomic_compare_exchange(parent[high], high, low);
      if (was == high) return;
      a = fragment_root(parent, was);
      b = low;
    }
  }
};

/// Points every element to the smallest id of its fragment and counts fragments.
struct FinishFragments {
  static constexpr const char* name = "fragments";
  Index count;
  Index* parent;     ///< [element]
  Index* fragments;  ///< number of them

  CLEAVE_HD Index size() const { return count; }
  CLEAVE_HD void operator()(Index e) const {
    const Index root = fragment_root(parent, e);
    atomic_write(parent[e], root);
    if (root == e) atomic_add(*fragments, Index{1});
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
