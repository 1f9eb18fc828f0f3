/// Fragments: components of bulk elements joined by facets that are intact or whose cohesive element has not failed.
///
/// A union-find in parallel: every element points towards a smaller id of its fragment, and at the end to the smallest
/// (after J. Jaiganesh, M. Burtscher, "A high-performance connected components implementation for GPUs", HPDC 2018).
/// Blocks of elements join their own first, in shared memory: what is left to the device's has short ways.
#pragma once

#include "cleave/lockstep/lockstep.hpp"
#include "cleave/mesh/blocks.hpp"
#include "kernels/element_table.hpp"

namespace cleave::inline CLEAVE_PRECISION {

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

/// Makes the fragments of a and b one.
CLEAVE_HD inline void join_fragments(Index* parent, Index a, Index b) {
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

/// The facets that hold elements together.
template <class Element>
struct HoldingFacets {
  ElementTable<Element> elements;
  const std::uint8_t* failed;  ///< [cohesive element]

  struct Neighbours {
    Index element[3];  ///< that facet k holds; -1 if there is none
  };
  /// All are asked for at once, so that none waits for the joins of another.
  CLEAVE_HD Neighbours of(Index e) const {
    Neighbours behind;
    CLEAVE_UNROLL
    for (int k = 0; k < 3; ++k) {
      const Index code = elements.neighbour(e, k);
      behind.element[k] = is_intact(code) ? element_of(code) : -1;
      if (!is_cohesive(code)) continue;
      const Index c = cohesive_of(code);
      const Index other = elements.cohesive_facet(c, 1 - cohesive_side_of(code));
      if (!failed[c]) behind.element[k] = element_of(other);
    }
    return behind;
  }
};

/// Every element starts as a fragment of its own, and is joined to those of its block.
template <class Element>
struct StartFragments {
  static constexpr const char* name = "fragments of blocks";
  static constexpr int workers = elements_per_block;
  struct Shared {
    Index parent[workers];
  };
  HoldingFacets<Element> facets;
  Index* parent;     ///< [element]
  Index* fragments;  ///< number of them, none yet

  CLEAVE_HD Index blocks() const { return (facets.elements.bulk + workers - 1) / workers; }
  template <class Worker>
  CLEAVE_HD void operator()(Worker const& worker, Shared& shared) const {
    const Index first = worker.block * workers, count = facets.elements.bulk;
    ForEachIdx each{worker};
    each([&](Idx i) { shared.parent[i] = i; });
    worker.sync();
    each([&](Idx i) {
      if (first + i >= count) return;
      for (const Index other : facets.of(first + i).element)
        if (other >= first && other < first + i) join_fragments(shared.parent, i, other - first);
    });
    worker.sync();
    each([&](Idx i) {
      if (first + i < count) parent[first + i] = first + fragment_root(shared.parent, i);
    });
    only_master(worker, [&] {
      if (first == 0) *fragments = 0;
    });
  }
};

/// Joins the elements of different blocks on both sides of every facet that still holds.
template <class Element>
struct JoinFragments {
  static constexpr const char* name = "fragment joins";
  HoldingFacets<Element> facets;
  Index* parent;  ///< [element]

  CLEAVE_HD Index size() const { return facets.elements.bulk; }
  CLEAVE_HD void operator()(Index e) const {
    for (const Index other : facets.of(e).element)
      if (other >= 0 && other < e / elements_per_block * elements_per_block) join_fragments(parent, e, other);
  }
};

/// Points every element to the smallest id of its fragment and counts fragments.
struct FinishFragments {
  static constexpr const char* name = "fragment count";
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
