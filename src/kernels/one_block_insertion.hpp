/// A whole insertion pass in the gather assembly by one block, behind the fracture check that found the facets: it
/// needs nothing from the host, so that short passes do not interrupt a recorded run of steps.
#pragma once

#include "cleave/lockstep/one_block.hpp"
#include "kernels/cohesive.hpp"
#include "kernels/split_nodes.hpp"

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

/// See above. Arguments are those of the kernels it runs; it does nothing when there is no room or too much to do.
template <class Element, class Law>
struct OneBlockInsertion {
  static constexpr const char* name = "one-block insertion";
  static constexpr int workers = 256;
  static constexpr Index most_facets = 384;  ///< with more, launches one after the other are faster
  using Cut = CutFacets<Element, StartCohesive<Element, Law>>;
  template <class Kernel>
  using SharedBy = typename OneBlock<Kernel>::Shared;
  struct Shared {
    SharedBy<BlockScan<FacetCount<FacetsOfList>, Index>> facets;
    union {
      SharedBy<Cut> cut;
      SharedBy<FindSectors<Element>> groups;
    };
    SharedBy<BlockScan<FacetNeeds<Element>, SplitCount>> copies;
    SharedBy<SplitNodes<Element>> split;
    NoShared none;
  };
  Index* fractured_facets;    ///< found by the check, and zero when they are cut
  Index* fractured_elements;  ///< that have them
  const Index*
      check_skipped;   ///< set when facets of an earlier check are still to be cut: nothing is done; null: never
  const Index* found;  ///< these elements in any order
  const std::uint8_t* fractured;  ///< [element] bit k: facet k breaks
  Index* list;                    ///< scratch, [most_facets]: the elements in the order of their ids
  Index* first_facet;             ///< scratch, [most_facets]
  LiveCounts* live;
  InsertionRoom room;
  StartCohesive<Element, Law> start;  ///< the numbers of the pass are filled in here, as in the other kernels
  SplitNodes<Element> split;
  bool by_counter;  ///< see NumberByCounter
  NodeCopier copy;
  std::uint8_t* flags;  ///< see CutFacets

  CLEAVE_HD Index blocks() const { return 1; }

  template <class Worker>
  CLEAVE_HD void operator()(Worker const& worker, Shared& shared) const {
    const Index facets = *fractured_facets, elements = *fractured_elements;
    const LiveCounts before = *live;
    SplitPass<Element> pass = split.pass;
    pass.facets = facets;
    pass.first_cohesive = before.cohesive;
    if (facets == 0 || facets > most_facets || (check_skipped != nullptr && *check_skipped != 0) ||
        !room.takes(pass, before))
      return;
    ForEachIdx each{worker};
    each([&](Idx i) {
      for (Index entry = i; entry < elements; entry += workers) {
        Index rank = 0;
        for (Index other = 0; other < elements; ++other) rank += found[other] < found[entry];
        list[rank] = found[entry];
      }
    });
    worker.sync();

    StartCohesive<Element, Law> start_cohesive = start;
    start_cohesive.first_cohesive = before.cohesive;
    start_cohesive.count = facets;
    start_cohesive.step = before.first_input + before.row;
    SplitNodes<Element> split_nodes = split;
    split_nodes.pass = pass;

    const FacetsOfList facets_of_list{{list, elements}, fractured};
    run(worker, shared.facets, BlockScan<FacetCount<FacetsOfList>, Index>{elements, {facets_of_list}, first_facet});
    run(worker, shared.none,
        ListFacets<Element, FacetsOfList>{pass.elements, facets_of_list, first_facet, before.cohesive});
    run(worker, shared.cut, Cut{start_cohesive, flags, pass, live, split.nodes, copy});
    run(worker, shared.groups, FindSectors<Element>{pass});
    if (by_counter)
      run(worker, shared.none, NumberByCounter<Element>{pass});
    else
      run(worker, shared.copies, BlockScan<FacetNeeds<Element>, SplitCount>{facets + 1, {pass}, pass.first});
    run(worker, shared.split, split_nodes);
    run(worker, shared.none, FillCopies<Element>{pass, live, copy});
    only_master(worker, [&] {
      CountInserted<Element>{pass, live}(0);
      *fractured_facets = *fractured_elements = 0;
    });
  }

  template <class Worker, class Kernel, class KernelShared>
  CLEAVE_HD static void run(Worker const& worker, KernelShared& shared, const Kernel& kernel) {
    OneBlock<Kernel>{kernel}(worker, shared);
    worker.sync();
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
