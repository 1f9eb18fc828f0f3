/// Fragments: components of bulk elements joined by facets that are intact or whose cohesive element has not failed.
///
/// A union-find in parallel: every element points towards a smaller id of its fragment, and at the end to the smallest
/// (after J. Jaiganesh, M. Burtscher, "A high-performance connected components implementation for GPUs", HPDC 2018).
#pragma once

#include "kernels/element_table.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// What still joins elements.
template <class Element>
struct FragmentBonds {
  ElementTable<Element> elements;
  const std::uint8_t* failed;  ///< [cohesive element]

  /// The smaller elements that e is joined to; e itself where there is none.
  struct Smaller {
    Index behind[3];
  };
  CLEAVE_HD Smaller of(Index e) const {
    Smaller smaller = {elements.neighbour(e, 0), elements.neighbour(e, 1), elements.neighbour(e, 2)};
    for (Index& code : smaller.behind) {
      Index other = e;
      if (is_intact(code))
        other = element_of(code);
      else if (is_cohesive(code) && cohesive_side_of(code) == 1 && !failed[cohesive_of(code)])
        other = element_of(elements.cohesive_facet(cohesive_of(code), 0));  // side a has the smaller id
      code = other < e ? other : e;
    }
    return smaller;
  }
};

/// Every element points to the smallest one that it is joined to.
template <class Element>
struct StartFragments {
  static constexpr const char* name = "fragments";
  FragmentBonds<Element> bonds;
  Index* parent;     ///< [element]
  Index* fragments;  ///< number of them, none yet

  CLEAVE_HD Index size() const { return bonds.elements.bulk; }
  CLEAVE_HD void operator()(Index e) const {
    Index smallest = e;
    for (const Index other : bonds.of(e).behind) smallest = other < smallest ? other : smallest;
    parent[e] = smallest;
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
  FragmentBonds<Element> bonds;
  Index* parent;  ///< [element]

  CLEAVE_HD Index size() const { return bonds.elements.bulk; }
  CLEAVE_HD void operator()(Index e) const {
    for (const Index other : bonds.of(e).behind)
      if (other != e) join(e, other);
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
