/// The step of the gather assembly: elements with their interior nodes, then the nodes between blocks.
#pragma once

#include "kernels/cohesive_step.hpp"
#include "kernels/element_force.hpp"
#include "kernels/gather_node.hpp"
#include "kernels/gather_table.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Sums of NodeWork over a block, added to its row of the ledger.
template <int Workers>
struct BlockWork {
  BlockSum<3, Workers> sum;

  CLEAVE_HD void set(int i, const NodeWork& work) {
    sum.value[0][i] = work.internal;
    sum.value[1][i] = work.external;
    sum.value[2][i] = work.reaction;
  }
  template <class Worker>
  CLEAVE_HD void add_to(WorkLedger ledger, Index row, Worker const& worker) {
    sum.reduce(worker);
    only_master(worker, [&] {
      ledger.sums(row, WorkLedger::internal) += sum.total(0);
      ledger.sums(row, WorkLedger::external) += sum.total(1);
      ledger.sums(row, WorkLedger::reaction) += sum.total(2);
    });
  }
};

/// The first displacement update after somebody looked at the state: u += dt v(n+1/2), with the other half of the works.
struct ResumeStep {
  static constexpr const char* name = "displacement";
  static constexpr int workers = nodes_per_block;
  struct Shared {
    BlockWork<workers> work;
  };
  NodeTable nodes;  ///< count: their capacity
  const LiveCounts* live;
  const Vec2* half_velocity;  ///< [node], m/s
  WorkLedger ledger;
  Real dt;  ///< s

  CLEAVE_HD Index blocks() const { return node_blocks(nodes.count); }

  template <class Worker>
  CLEAVE_HD void operator()(Worker const& worker, Shared& shared) const {
    const Index first = worker.block * workers, end = live->nodes;
    if (first >= end) return;
    ForEachIdx each{worker};
    each([&](Idx i) {
      const Index n = first + i;
      NodeWork work;
      if (n < end) {
        const Vec2 v = half_velocity[n], half = Real(0.5) * dt * v;
        work = {dot(nodes.internal_force[n], half), dot(nodes.external_force[n], half), 0};
        if (nodes.constrained(n)) work.reaction = dot(nodes.reaction(n), half);
        nodes.velocity[n] = v;
        nodes.move(n, nodes.displacement[n], nodes.dropped_at(n), dt * v);
      }
      shared.work.set(i, work);
    });
    shared.work.add_to(ledger, worker.block, worker);
  }
};

/// Forces of a block of elements, and the step of its interior nodes.
template <class Element, class Law, bool Finish>
struct BlockStep {
  static constexpr const char* name = "element blocks";
  static constexpr int workers = elements_per_block;
  struct Shared {
    Vec2 slot[elements_per_block * Element::nodes];
    BlockWork<workers> work;
  };
  ElementTable<Element> elements;
  BlockTable blocks_of;
  SlotTable<Element> slots;
  Table<const Real, 4, 32> gradients;
  const std::uint8_t* touches_cohesive;  ///< [element]
  CohesiveForces<Element> cohesive;
  LinearElastic material;
  NodeStep<Finish> step;
  Vec2* slot_force;  ///< [slot in memory], N
  WorkLedger ledger;

  struct Ahead {
    FetchedNode state;
    SlotRange range;
  };

  CLEAVE_HD Index blocks() const { return blocks_of.blocks(); }

  template <class Worker>
  CLEAVE_HD void operator()(Worker const& worker, Shared& shared) const {
    ForEachIdx each{worker};
    const Index first = worker.block * workers;
    const Index first_node = blocks_of.first_node[worker.block], end_node = blocks_of.first_node[worker.block + 1];
    // Everything a worker needs from memory is asked for before anything is written.
    auto ahead = each([&](Idx i) {
      const Index n = first_node + i;
      return n < end_node ? Ahead{step.fetch(n), blocks_of.range[n]} : Ahead{};
    });
    each([&](Idx i) {
      const Index e = first + i;
      if (e >= blocks_of.elements) return;
      Index at[Element::nodes];
      for (int k = 0; k < Element::nodes; ++k) at[k] = slots(e, k);
      const ScaledGradients g{{gradients(e, 0), gradients(e, 1)}, {gradients(e, 2), gradients(e, 3)}};
      const bool cohesive_side = touches_cohesive[e];
      Vec2 u[Element::nodes], f[Element::nodes];
      elements.gather(e, step.nodes.displacement, u);
      element_force(material, g, u, f);
      if (cohesive_side) cohesive.add(elements, e, f);
      for (int k = 0; k < Element::nodes; ++k) (at[k] < 0 ? shared.slot[-1 - at[k]] : slot_force[at[k]]) = f[k];
    });
    worker.sync();
    each([&](Idx i) {
      NodeWork work;
      Ahead node = ahead[i];
      for (Index n = first_node + i; n < end_node; n += workers) {
        const Index next = n + workers;
        const Ahead after = next < end_node ? Ahead{step.fetch(next), blocks_of.range[next]} : Ahead{};
        Vec2 f{};
        for (Index s = node.range.begin; s < node.range.end; ++s) f += shared.slot[s];
        work += step(n, node.state, f);
        node = after;
      }
      shared.work.set(i, work);
    });
    shared.work.add_to(ledger, worker.block, worker);
  }
};

/// The step of the nodes that several blocks share and of all copies; step.nodes.count is their capacity.
template <bool Finish>
struct SharedNodeStep {
  static constexpr const char* name = "shared nodes";
  static constexpr int workers = 128;
  struct Shared {
    BlockWork<workers> work;
  };
  Index first_node;
  const LiveCounts* live;
  const SlotRange* range;  ///< [node]
  const Vec2* slot_force;  ///< [slot in memory], N
  NodeStep<Finish> step;
  WorkLedger ledger;  ///< rows of the shared nodes

  CLEAVE_HD Index blocks() const { return (step.nodes.count - first_node + workers - 1) / workers; }

  template <class Worker>
  CLEAVE_HD void operator()(Worker const& worker, Shared& shared) const {
    const Index first = first_node + worker.block * workers, end = live->nodes;
    if (first >= end) return;
    ForEachIdx each{worker};
    each([&](Idx i) {
      const Index n = first + i;
      NodeWork work;
      if (n < end) {
        const SlotRange r = range[n];
        const FetchedNode node = step.fetch(n);
        Vec2 f{};
        for (Index s = r.begin; s < r.end; ++s) f += slot_force[s];
        work = step(n, node, f);
      }
      shared.work.set(i, work);
    });
    shared.work.add_to(ledger, worker.block, worker);
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
