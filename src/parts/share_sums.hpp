/// Sums of all ranks.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "backend/host_rows.hpp"
#include "body/sums.hpp"
#include "fracture/found_facets.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Counts the copies of nodes and the cohesive elements that this rank owns, so that all ranks together know how many
/// the body has.
template <class Element>
struct CountOwned {
  static constexpr KernelTraits traits{.name = "owned copies and cohesive elements"};
  static constexpr int workers = 128, rows_of_block = 1024;
  struct Shared {
    FixedBlockSum<workers> sum;
  };
  Index capacity;  ///< of copies and of cohesive elements, the larger one
  CountedNodes copies;
  const CohesiveRow<Element>* rows;  ///< [cohesive element]
  ElementRange own;                  ///< bulk elements of this rank
  const LiveCounts* live;
  FixedSum* sums;  ///< [quantity]

  CLEAVE_HD Index blocks() const { return (capacity + rows_of_block - 1) / rows_of_block; }
  template <class Worker>
  CLEAVE_HD void operator()(Worker const& worker, Shared& shared) const {
    constexpr Quantity counted[] = {Quantity::nodes, Quantity::cohesive_elements};
    const Index first = worker.block * rows_of_block;
    shared.sum.add(
        2, rows_of_block,
        [&](int sum, int k) { return (sum == 0 ? copies.has(first + k) : has(first + k)) ? 1.0 : 0.0; },
        [&](int sum) -> FixedSum& { return sums[static_cast<int>(counted[sum])]; }, worker);
  }

 private:
  CLEAVE_HD bool has(Index c) const { return c < live->cohesive && own.has(element_of(rows[c].facets[0])); }
};

/// Replaces the sums of each rank by those of all, and its fault by the first of any rank: one all-reduce of integers,
/// which has the fault of each rank behind the sums. Without a row of history the sums are zero. Marks fragments as
/// out of date where facets have failed or elements have eroded since the last row.
template <class Body>
void share_sums(Body& body) {
  if (body.halo.is_alone()) return;
  HostRows sums(body.sums);
  HostRows report(body.report);
  const std::size_t count = body.sums.size();
  std::vector<FixedSum> all(sums.data(), sums.data() + count);
  all.resize(count + body.halo.rank_count());
  FaultRecord& fault = report[0].fault;
  if (fault.code != 0) fault = in_body(fault, body.halo.host_element_ids());
  all[count + body.halo.rank()] = {{fault.code, fault.element, fault.step}};
  body.halo.sum(all);
  const auto first_fault = all.begin() + static_cast<std::ptrdiff_t>(count);
  std::copy(all.begin(), first_fault, sums.data());
  sums.write_back();
  const auto found = std::find_if(first_fault, all.end(), [](const FixedSum& of_rank) { return of_rank.word[0] != 0; });
  if (found != all.end()) {
    fault = {static_cast<Index>(found->word[0]), static_cast<Index>(found->word[1]), found->word[2], 1};
    report.write_back();
  }
  const auto has_changed = [&](Quantity q) {
    const double total = all[static_cast<int>(q)].value();
    return total != 0 && total != report[0].totals[q];
  };
  if (has_changed(Quantity::failed_elements) || has_changed(Quantity::eroded_mass)) body.fragments.out_of_date = true;
}

/// Launches tables of sums, and makes their totals once the sums are those of all ranks. On one rank that is one
/// launch.
template <class Body>
void launch_row(Body& body, SumTables& tables) {
  if (body.halo.is_alone()) tables.blocks_done = &body.report.data()->sum_blocks_done;
  body.backend.launch(tables);
  if (body.halo.is_alone()) return;
  share_sums(body);
  body.backend.launch(tables.totals);
}

}  // namespace cleave::inline CLEAVE_PRECISION
