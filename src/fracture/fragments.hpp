/// Fragments: components of bulk elements joined by facets that are intact or whose cohesive element has not failed.
///
/// Elements of a block that hold together are a part, which is found in shared memory, and stays until a facet inside
/// the block fails. Fragments are sets of parts (union_find.hpp), joined at the borders of blocks whenever they are
/// counted: where few blocks change, few are searched again.
#pragma once

#include "body/element_table.hpp"
#include "body/union_find.hpp"
#include "cleave/lockstep/kernel.hpp"
#include "cleave/mesh/blocks.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// The facets that hold elements together.
template <class Element>
struct HoldingFacets {
  ElementTable<Element> elements;
  ElementRange own;                     ///< elements of this rank
  const std::uint8_t* failed;           ///< [cohesive element], where the first element is own
  const std::uint8_t* flags = nullptr;  ///< [element] ElementFlag; null: none is eroded

  /// Eroded elements hold nothing and belong to no fragment.
  CLEAVE_HD bool is_eroded(Index e) const { return flags != nullptr && flags[e] & ElementFlag::eroded; }

  /// The element that facet k of an element holds, erosion aside; -1 if there is none.
  CLEAVE_HD Index behind(Index e, int k) const {
    const Index code = elements.neighbour(e, k);
    if (!is_cohesive(code)) return is_intact(code) ? element_of(code) : -1;
    const Index c = cohesive_of(code);
    const Index other = elements.cohesive_facet(c, 1 - cohesive_side_of(code));
    return failed[c] ? -1 : element_of(other);
  }
  struct Neighbours {
    Index element[Element::facets];  ///< own one that facet k holds; -1 if there is none
  };
  /// All are read at once, so that none waits for the joins of another.
  CLEAVE_HD Neighbours of(Index e) const {
    Neighbours held;
    CLEAVE_UNROLL
    for (int k = 0; k < Element::facets; ++k) held.element[k] = behind(e, k);
    for (Index& other : held.element)
      if (!own.has(other)) other = -1;
    if (flags != nullptr)
      for (Index& other : held.element)
        if (other >= 0 && (is_eroded(e) || is_eroded(other))) other = -1;
    return held;
  }
};

/// The count of fragments, and when it is made anew.
struct CountedFragments {
  Index* number;
  Index* failures;        ///< 0 before; 1: facets have failed since fragments were counted last
  bool only_if_failures;  ///< without failures the count stays as it is
};

/// Marks the blocks inside which a facet has failed since the last launch, and begins the count with zero.
template <class Element>
struct NoteFailures {
  static constexpr KernelTraits traits{.name = "noted failures"};
  ElementTable<Element> elements;
  Index capacity;              ///< of cohesive elements
  const Index* present;        ///< how many there are
  const std::uint8_t* failed;  ///< [cohesive element]
  std::uint8_t* noted;         ///< [cohesive element] whether it had failed when this was asked last
  std::uint8_t* changed;       ///< [block]
  CountedFragments counted;

  CLEAVE_HD Index size() const { return capacity > 0 ? capacity : 1; }
  CLEAVE_HD void operator()(Index c) const {
    if (c == 0 && !counted.only_if_failures) atomic_write(*counted.number, Index{0});
    if (c >= *present || failed[c] == noted[c]) return;
    noted[c] = failed[c];
    atomic_write(*counted.number, Index{0});
    atomic_write(*counted.failures, Index{1});
    const Index block = element_of(elements.cohesive_facet(c, 0)) / elements_per_block;
    if (block == element_of(elements.cohesive_facet(c, 1)) / elements_per_block) atomic_write(changed[block], 1);
  }
};

/// Finds the parts of the blocks that have changed: elements of a block that facets inside it hold together. Every part
/// then starts as a fragment of its own, and is counted.
template <class Element>
struct FindParts {
  static constexpr KernelTraits traits{.name = "parts of blocks"};
  static constexpr int workers = elements_per_block;
  struct Shared {
    Index parent[workers];
    Index parts;
  };
  HoldingFacets<Element> facets;
  std::uint8_t* changed;  ///< [block] 1: its parts are found anew
  Index* part;            ///< [element] smallest element of its part; -1 of eroded ones
  Index* parent;          ///< [element] of the first of a part: an element of its fragment
  Index* fragments;       ///< number of them

  CLEAVE_HD Index first_block() const { return facets.own.begin / workers; }
  CLEAVE_HD Index blocks() const { return (facets.own.end + workers - 1) / workers - first_block(); }
  template <class Worker>
  CLEAVE_HD void operator()(Worker const& worker, Shared& shared) const {
    const Index block = first_block() + worker.block, first = block * workers;
    const bool anew = changed[block] != 0;
    ForEachIdx each{worker};
    only_master(worker, [&] { shared.parts = 0; });
    if (anew) join_inside(worker, shared, first);
    worker.sync();
    each([&](Idx i) {
      const Index e = first + i;
      if (!facets.own.has(e)) return;
      const Index of = !anew ? part[e] : facets.is_eroded(e) ? -1 : first + root_of(shared.parent, i);
      if (anew) part[e] = of;
      if (of != e) return;
      parent[e] = e;
      atomic_add(shared.parts, Index{1});
    });
    worker.sync();
    only_master(worker, [&] {
      changed[block] = 0;
      atomic_add(*fragments, shared.parts);
    });
  }
  template <class Worker>
  CLEAVE_HD void join_inside(Worker const& worker, Shared& shared, Index first) const {
    ForEachIdx each{worker};
    each([&](Idx i) { shared.parent[i] = i; });
    worker.sync();
    each([&](Idx i) {
      if (!facets.own.has(first + i)) return;
      for (const Index other : facets.of(first + i).element)
        if (other >= first && other < first + i) join_sets(shared.parent, i, other - first);
    });
  }
};

/// Joins the parts on both sides of every facet between blocks that still holds: with each there is a fragment less.
template <class Element>
struct JoinParts {
  static constexpr KernelTraits traits{.name = "joined parts"};
  HoldingFacets<Element> facets;
  const Index* border;  ///< own elements with an own neighbour in an earlier block
  Index listed;         ///< number of them
  const Index* part;    ///< see FindParts
  Index* parent;
  Index* fragments;

  CLEAVE_HD Index size() const { return listed; }
  CLEAVE_HD void operator()(Index i) const {
    const Index e = border[i];
    for (const Index other : facets.of(e).element)
      if (other >= 0 && other < e / elements_per_block * elements_per_block && join_sets(parent, part[e], part[other]))
        atomic_add(*fragments, Index{-1});
  }
};

/// Gives every own element the smallest own id of its fragment.
struct LabelFragments {
  static constexpr KernelTraits traits{.name = "fragment labels"};
  ElementRange own;   ///< elements of this rank
  const Index* part;  ///< see FindParts
  Index* fragment;    ///< [element] the parents of parts, where their labels go too; -1 of eroded ones

  CLEAVE_HD Index size() const { return own.size(); }
  CLEAVE_HD void operator()(Index i) const {
    const Index e = own.begin + i;
    atomic_write(fragment[e], part[e] < 0 ? Index{-1} : root_of(fragment, part[e]));
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
