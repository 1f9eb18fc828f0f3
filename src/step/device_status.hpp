/// Status of a run in solver memory, which the host reads.
#pragma once

#include "body/live_counts.hpp"
#include "body/sums.hpp"
#include "cleave/core/fault.hpp"
#include "cleave/lockstep/kernel.hpp"
#include "fracture/fracture_filter.hpp"
#include "terms/held_groups/held_groups.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Numbers that kernels count up, read by the host after a pass.
struct Counters {
  static constexpr Index search_due = -1;
  Index selected = 0;  ///< entries that a compaction kept
  /// Facets that break in this check. While it is not 0, steps wait for the host: with `search_due` for a search of
  /// contact.
  Index fractured_facets = 0;
  Step search_step = 0;          ///< the step that waits for a search
  Index fractured_elements = 0;  ///< elements that own any of them
  Index facets_here = 0;         ///< of several ranks: those that this one has to cut
  Index elements_here = 0;       ///< likewise
  Index flagged_nodes = 0;       ///< nodes whose stress may break a facet
  Index check_skipped = 0;       ///< 1 when facets of the check before are still to be cut
  Index near_strength = 0;  ///< 1 when a stress is near what may break a facet; 0: nodal stresses need not be known

  /// Set back for the next check: where one has flagged nodes, the next one will.
  CLEAVE_HD Counters set_back() const {
    Counters next;
    next.near_strength = flagged_nodes != 0 ? 1 : 0;
    return next;
  }
  /// Set back after insertion, before they are for the next check.
  CLEAVE_HD Counters without_facets() const {
    Counters left;
    left.flagged_nodes = flagged_nodes;
    return left;
  }
};

/// Counts, faults and sums over the body, which the host reads at once.
struct DeviceStatus {
  static constexpr double unknown = -1;
  Counters counters;
  LiveCounts live;
  FaultRecord fault;
  Index sum_blocks_done = 0;  ///< see SumTables
  Index failures = 0;         ///< see CountedFragments
  Index fragments = 0;        ///< as counted last
  LoadBits largest_load = 0;  ///< see FracturedFacets
  QuantityTotals totals;
  ObstacleValues obstacles[most_obstacles];
  double columns[most_process_columns];
  GroupSums groups[most_held_groups];  ///< last, as only those that there are go to the host
};

/// Sets the counters back.
struct ClearCounters {
  static constexpr KernelTraits traits{.name = "counters"};
  DeviceStatus* report;

  CLEAVE_HD Index size() const { return 1; }
  CLEAVE_HD void operator()(Index) const { report->counters = report->counters.without_facets(); }
};

/// Ends the steps of a recording: their inputs are done with, and counters are set back for the check. If facets of the
/// last check are still to be cut, the steps have not been taken; if a search is due, those from there on. The check
/// does not count then.
struct BookSteps {
  static constexpr KernelTraits traits{.name = "booked steps"};
  DeviceStatus* report;
  Index steps;

  CLEAVE_HD Index size() const { return 1; }
  CLEAVE_HD void operator()(Index) const {
    Counters& counters = report->counters;
    if (counters.fractured_facets != 0) {
      counters.check_skipped = 1;
      if (counters.fractured_facets == Counters::search_due)
        report->live.row = static_cast<Index>(counters.search_step - report->live.first_input);
      return;
    }
    report->counters = report->counters.set_back();
    report->live.row += steps;
  }
};

/// Counts what a pass of walks has inserted as in use.
struct BookInsertion {
  static constexpr KernelTraits traits{.name = "booked insertion"};
  DeviceStatus* report;
  Index facets;
  const Index* copies;  ///< number of new nodes

  CLEAVE_HD Index size() const { return 1; }
  CLEAVE_HD void operator()(Index) const {
    report->live.cohesive += facets;
    report->live.nodes += *copies;
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
