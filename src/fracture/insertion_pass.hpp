/// Insertion in the gather assembly as a whole: its steps, written once. Launches run them where many facets break, one
/// block where few do (one_block_insertion.hpp).
#pragma once

#include "cleave/lockstep/block_counter.hpp"
#include "fracture/split_nodes.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Inserts cohesive elements at the facets that break. All of them are cut before a node splits, so nodes need not wait
/// for each other.
/// @tparam Start  kernel that begins cohesive elements: StartCohesive
template <class Element, class Start>
struct InsertionPass {
  using Cut = CutFacets<Element, Start>;
  /// Shared memory of one block that runs the steps.
  template <class Facets>
  using Shared = SharedInTurn<BlockScan<FacetCount<Facets>, Index>, Cut, FindSectors<Element>,
                              BlockScan<FacetNeeds<Element>, SplitCount>, BlockCounter<FacetNeeds<Element>, SplitCount>,
                              SplitNodes<Element>>;
  SplitPass<Element> split;
  Start start;
  LiveCounts* live;  ///< the steps bring them up to date
  NodeWriter<Element> nodes;
  NodeCopier copy;
  std::uint8_t* flags;  ///< [bulk element] ElementFlag
  Index* first_facet;   ///< scratch, [entry of the facets]
  bool by_counter;      ///< see number_requests

  /// The same for so many facets that break at `step`.
  CLEAVE_HD InsertionPass numbered(Index facets, Index first_cohesive, Step step) const {
    InsertionPass pass = *this;
    pass.split.facets = pass.start.count = facets;
    pass.split.first_cohesive = pass.start.first_cohesive = first_cohesive;
    pass.start.step = step;
    return pass;
  }

  /// @param facets  FacetsOfAll or FacetsOfList: those that break, split.facets in number
  /// @param run     Launches or InOneBlock
#if defined(__CUDACC__)
#pragma nv_exec_check_disable
#endif
  template <class Facets, class Run>
  CLEAVE_HD void steps(const Facets& facets, Run const& run) const {
    // Decide: each facet gets the id of its cohesive element.
    list_facets(run, split.elements, facets, first_facet, split.first_cohesive);
    // Cut: cohesive elements start, their facets join nothing any more, mid-sides split.
    run(Cut{.start = start, .flags = flags, .pass = split, .live = live, .nodes = nodes, .copy = copy});
    // Group: the elements around each cut end by the facets that still join them.
    run(FindSectors<Element>{.pass = split});
    // Number: the new nodes and slots.
    number_requests(run, by_counter, split.facets, FacetNeeds<Element>{.pass = split}, split.first);
    // Apply: every sector gets its node and its slots, every new node its first values (Split).
    run(SplitNodes<Element>{.pass = split, .live = live, .nodes = nodes});
    run(FillCopies<Element>{.pass = split, .live = live, .copy = copy});
    // Count: what is in use now.
    run(CountInserted<Element>{.pass = split, .live = live});
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
