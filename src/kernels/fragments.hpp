/// Fragments: components of bulk elements joined by facets that are intact or whose cohesive element has not failed.
///
/// Fragments are sets of elements (union_find.hpp). Blocks of elements join their own first, in shared memory: what is
/// left to the device's has short ways.
#pragma once

#include "cleave/lockstep/lockstep.hpp"
#include "cleave/mesh/blocks.hpp"
#include "kernels/element_table.hpp"
#include "kernels/union_find.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// The facets that hold elements together.
template <class Element>
struct HoldingFacets {
  ElementTable<Element> elements;
  const std::uint8_t* failed;           ///< [cohesive element]
  const std::uint8_t* flags = nullptr;  ///< [element] ElementFlag; null: none is eroded

  /// Eroded elements hold nothing and belong to no fragment.
  CLEAVE_HD bool is_eroded(Index e) const { return flags != nullptr && flags[e] & ElementFlag::eroded; }

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
    if (flags != nullptr)
      for (Index& other : behind.element)
        if (other >= 0 && (is_eroded(e) || is_eroded(other))) other = -1;
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
        if (other >= first && other < first + i) join_sets(shared.parent, i, other - first);
    });
    worker.sync();
    each([&](Idx i) {
      if (first + i < count) parent[first + i] = first + root_of(shared.parent, i);
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
      if (other >= 0 && other < e / elements_per_block * elements_per_block) join_sets(parent, e, other);
  }
};

/// Points every element to the smallest id of its fragment and counts fragments.
template <class Element>
struct FinishFragments {
  static constexpr const char* name = "fragment count";
  HoldingFacets<Element> facets;
  Index* parent;     ///< [element]; -1 of eroded ones
  Index* fragments;  ///< number of them

  CLEAVE_HD Index size() const { return facets.elements.bulk; }
  CLEAVE_HD void operator()(Index e) const {
    if (facets.is_eroded(e)) return atomic_write(parent[e], Index{-1});
    const Index root = root_of(parent, e);
    atomic_write(parent[e], root);
    if (root == e) atomic_add(*fragments, Index{1});
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
