/// A whole insertion pass in the gather assembly by one block, after the fracture check that found the facets. It needs
/// nothing from the host, so that short passes do not interrupt a recorded run of steps.
#pragma once

#include "fracture/insertion_pass.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Room in arrays that only the host can make grow.
struct InsertionRoom {
  Index nodes = 0;
  Index cohesive = 0;
  Index slots = 0;

  /// Slots in memory that cutting that many facets may take: a mid-side takes one, and every corner may lose all but
  /// one of its elements.
  template <class Element>
  CLEAVE_HD static constexpr std::int64_t most_slots(std::int64_t facets, int most_elements) {
    return facets * (Element::facet_nodes - 2 + 2 * (most_elements - 1));
  }
  /// Whether a pass surely fits.
  template <class Element>
  CLEAVE_HD bool takes(const SplitPass<Element>& pass, const LiveCounts& live) const {
    return live.cohesive + pass.facets <= cohesive &&
           live.nodes + pass.mid_sides() + pass.most_corner_copies() <= nodes &&
           most_slots<Element>(pass.facets, pass.most_elements) <= slots - live.slots;
  }
};

/// Facets that break, and the elements that have them.
struct FacetCounts {
  Index* facets;
  Index* elements;
};

inline constexpr Index most_facets_of_one_block = 384;  ///< with more, launches one after the other are faster

/// See above. It does nothing when there is no room or too much to do.
/// @tparam Start  see InsertionPass
template <class Element, class Start>
struct OneBlockInsertion {
  static constexpr KernelTraits traits{.name = "one-block insertion"};
  static constexpr int workers = workers_of_one_block;
  static constexpr Index most_facets = most_facets_of_one_block;
  static_assert(most_facets <= BlockCounter<FacetNeeds<Element>, SplitCount>::entries);
  using Pass = InsertionPass<Element, Start>;
  using Shared = typename Pass::template Shared<FacetsOfList>;
  FacetCounts all;                ///< found by the check on any rank, and zero when they are cut
  FacetCounts here;               ///< those to cut
  DeviceGate gate;                ///< closed while facets of an earlier check are still to be cut
  const Index* found;             ///< these elements in any order
  const std::uint8_t* fractured;  ///< [element] bit k: facet k breaks
  Index* list;                    ///< scratch, [most_facets]: the elements in the order of their ids
  InsertionRoom room;
  Pass pass;  ///< its numbers are filled in here

  CLEAVE_HD Index blocks() const { return 1; }

  template <class Worker>
  CLEAVE_HD void operator()(Worker const& worker, Shared& shared) const {
    const Index found_by_all = *all.facets, facets = *here.facets, elements = *here.elements;
    const LiveCounts before = *pass.live;
    const Pass now = pass.numbered(facets, before.cohesive, before.step());
    if (found_by_all == 0 || found_by_all > most_facets || !gate.is_open() || !room.takes(now.split, before)) return;
    if (facets > 0) {
      sort_found(worker, elements);
      now.steps(FacetsOfList{{list, elements}, fractured}, InOneBlock{worker, shared});
    }
    only_master(worker, [&] { *all.facets = *all.elements = 0; });
  }

  template <class Worker>
  CLEAVE_HD void sort_found(Worker const& worker, Index elements) const {
    ForEachIdx each{worker};
    each([&](Idx i) {
      for (Index entry = i; entry < elements; entry += workers) list[rank_of(found[entry], elements)] = found[entry];
    });
    worker.sync();
  }
  /// How many of the found elements have a lower id.
  CLEAVE_HD Index rank_of(Index element, Index elements) const {
    constexpr int together = 8;  // reads at once
    Index rank = 0;
    for (Index first = 0; first < elements; first += together) {
      CLEAVE_UNROLL
      for (int k = 0; k < together; ++k) rank += first + k < elements && found[first + k] < element;
    }
    return rank;
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
