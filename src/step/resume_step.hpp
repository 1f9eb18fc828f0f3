/// How the gather assembly goes on from a step with output.
#pragma once

#include "body/interface_nodes.hpp"
#include "cleave/lockstep/kernel.hpp"
#include "step/block_work.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Goes on from a state that was output: u += dt v(n+1/2), and the works of step n, which wait for this. Blocks
/// and workers are those of the steps, so that the sums are the same as without output.
struct ResumeStep {
  static constexpr KernelTraits traits{.name = "resumption"};
  static constexpr int workers = 128;
  struct Shared {
    BlockWork<workers, Output::none> work;
  };
  BlockTable blocks_of;
  InterfaceNodes interface;
  const LiveCounts* live;
  NodeStep<Output::state, NodeForces::any> step;  ///< nodes.count: their capacity
  LaneLedger ledger;                              ///< rows of the blocks, then those of the interface nodes
  CopyLedger copies;

  CLEAVE_HD Index blocks() const { return blocks_of.count + interface.blocks(step.nodes.count); }

  template <class Worker>
  CLEAVE_HD void operator()(Worker const& worker, Shared& shared) const {
    const Index interface_block = worker.block - blocks_of.count;
    if (interface_block >= 0 && interface.has_copies(interface_block)) return resume_copies(worker, interface_block);
    const bool interior = interface_block < 0;
    const Index first = interior ? blocks_of.first_node[worker.block] : interface.begin_of(interface_block);
    const Index limit = interior ? blocks_of.first_node[worker.block + 1] : interface.first_copy;
    const Index end = interior || limit < first + workers ? limit : first + workers;
    ForEachIdx each{worker};
    const auto work_before = shared.work.work_before(ledger, worker.block, worker);
    each([&](Idx i) {
      NodeWork work;
      for (Index n = first + i; n < end; n += workers) work.step += step.resume(n);
      shared.work.set(i, work);
    });
    shared.work.add_to(ledger, work_before, {}, worker.block, worker);
  }
  template <class Worker>
  CLEAVE_HD void resume_copies(Worker const& worker, Index block) const {
    ForEachIdx{worker}([&](Idx i) {
      const Index n = interface.begin_of(block) + i, copy = n - interface.first_copy;
      if (n < live->nodes) copies.book<Output::none>(copy, copies.works_of(copy), {step.resume(n), {}, {}});
    });
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
