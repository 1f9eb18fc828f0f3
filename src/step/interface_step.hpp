/// The second half of the gather step: nodes between blocks, and copies.
#pragma once

#include "body/interface_nodes.hpp"
#include "cleave/lockstep/kernel.hpp"
#include "step/block_work.hpp"
#include "step/node_lanes.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Sum of forces in memory, in their order. Several are read before the first is added.
template <int together>
CLEAVE_HD Vec2 sum_of_slots(const Vec2* slot_force, SlotRange range) {
  Vec2 sum{};
  for (Index first = range.begin; first < range.end; first += together) {
    Vec2 slot[together];
    CLEAVE_UNROLL
    for (int k = 0; k < together; ++k)
      if (first + k < range.end) slot[k] = slot_force[first + k];
    CLEAVE_UNROLL
    for (int k = 0; k < together; ++k)
      if (first + k < range.end) sum += slot[k];
  }
  return sum;
}

/// The step of the nodes that several blocks share and of all copies; step.nodes.count is their capacity.
template <Output output, NodeForces forces>
struct InterfaceNodeStep {
  static constexpr KernelTraits traits{
      .name = "interface nodes", .has_lanes = true, .reads_early = output == Output::none};
  static constexpr int workers = InterfaceNodes::width;
  struct Shared {
    BlockWork<workers, output> work;
  };
  InterfaceNodes nodes_of;
  const LiveCounts* live;
  const Vec2* partial_force;  ///< [place] of blocks of elements, N
  NodeStep<output, forces> step;
  LaneLedger ledger;   ///< rows of the interface nodes
  BlockReport report;  ///< likewise
  CopyLedger copies;
  const Index* insertion_pending;  ///< see BlockStep

  struct Constants {
    NodeAssembly assembly;
    Real inverse_mass;  ///< 1/kg
  };
  struct Kept {
    Index nodes = 0;  ///< in use
    Constants node;
  };

  CLEAVE_HD Index blocks() const { return nodes_of.blocks(step.nodes.count); }
  CLEAVE_HD Constants constants_of(Index n) const { return {read_record(step.assembly[n]), step.inverse_mass[n]}; }

  /// See BlockStep.
  template <class Worker>
  CLEAVE_HD auto early(Worker const& worker, Shared&) const requires(traits.reads_early) {
    const Index first = nodes_of.begin_of(nodes_of.block(worker.block));
    return ForEachIdx{worker}([&](Idx i) {
      return first + i < step.nodes.count ? Kept{live->nodes, constants_of(first + i)} : Kept{};
    });
  }
  template <class Worker, class Early>
  CLEAVE_HD void operator()(Worker const& worker, Shared& shared, const Early& early) const {
    run(
        worker, shared, [&](Idx i, Index) { return early[i].node; }, [&](Idx i) { return early[i].nodes; });
  }
  template <class Worker>
  CLEAVE_HD void operator()(Worker const& worker, Shared& shared) const {
    if constexpr (Worker::slots == 1)
      run(
          worker, shared, [&](Idx, Index n) { return constants_of(n); }, [&](Idx) { return live->nodes; });
    else
      run_lanes(worker, shared);
  }
  /// The same by one CPU thread.
  template <class Worker>
  CLEAVE_HD_INLINE void run_lanes(Worker const& worker, Shared& shared) const {
    const Index block = nodes_of.block(worker.block);
    const bool are_copies = nodes_of.has_copies(block);
    const Index first = nodes_of.begin_of(block), end = are_copies ? live->nodes : nodes_of.first_copy;
    if (*insertion_pending != 0 || first >= end) return;  // blocks without nodes add zero
    NodeLanes<workers> nodes(first, end);
    Vec2 f[workers];
    nodes.sum_partials(step.assembly, partial_force, f);
    if (are_copies) {
      const Index first_copy = first - nodes_of.first_copy;
      nodes.step(step, f, [&](int i, const NodeWork& work) CLEAVE_LANE {
        copies.template book<output>(first_copy + i, copies.works_of(first_copy + i), work);
      });
      return;
    }
    shared.work.clear();
    nodes.step(step, f, [&](int i, const NodeWork& work) CLEAVE_LANE { shared.work.add(i, work); });
    shared.work.add_to(ledger, 0, report, block, worker);
  }

  /// On a GPU: a node a worker.
  /// @param constants  of a node
  /// @param in_use  number of nodes
  template <class Worker, class ConstantsOf, class InUse>
  CLEAVE_HD void run(Worker const& worker, Shared& shared, const ConstantsOf& constants, const InUse& in_use) const {
    const Index block = nodes_of.block(worker.block);
    if (nodes_of.has_copies(block))
      step_copies(worker, nodes_of.begin_of(block), constants, in_use);
    else
      step_interface(worker, shared, block, constants);
  }
  template <class Worker, class ConstantsOf, class InUse>
  CLEAVE_HD void step_copies(Worker const& worker, Index first, const ConstantsOf& constants,
                             const InUse& in_use) const {
    ForEachIdx{worker}([&](Idx i) {
      const Index n = first + i, copy = n - nodes_of.first_copy;
      if (n >= step.nodes.count) return;
      const auto [assembly, inverse_mass] = constants(i, n);
      if (assembly.flags & remote_node) return;
      // Read before it is known whether the node is in use.
      const FetchedNode node = step.fetch(n, inverse_mass, assembly.flags);
      const Index read = *insertion_pending;
      const Works before = copies.works_of(copy);
      Vec2 f{};
      if (n < in_use(i)) f = sum_of_slots<4>(partial_force, assembly.partial_range());
      if (from_here_on(read) != 0 || n >= in_use(i)) return;
      copies.template book<output>(copy, before, step(n, node, f));
    });
  }
  template <class Worker, class ConstantsOf>
  CLEAVE_HD void step_interface(Worker const& worker, Shared& shared, Index block, const ConstantsOf& constants) const {
    const Index first = nodes_of.begin_of(block);
    ForEachIdx each{worker};
    const auto work_before = shared.work.work_before(ledger, block, worker);
    const auto pending = each([&](Idx i) {
      const Index n = first + i;
      const auto [assembly, inverse_mass] = n < nodes_of.first_copy ? constants(i, n) : Constants{};
      const bool there = n < nodes_of.first_copy && !(assembly.flags & remote_node);
      const FetchedNode node = there ? step.fetch(n, inverse_mass, assembly.flags) : FetchedNode{};
      NodeWork work;
      const Index read = *insertion_pending;
      Vec2 f{};
      if (there) f = sum_of_slots<4>(partial_force, assembly.partial_range());
      const bool waits = from_here_on(read) != 0;
      if (there && !waits) work = step(n, node, f);
      shared.work.set(i, work);
      return waits;
    });
    if (!pending[Idx{worker.index(0), 0}]) shared.work.add_to(ledger, work_before, report, block, worker);
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
