/// The step of the gather assembly: elements with their interior nodes, then the nodes between blocks.
#pragma once

#include "kernels/cohesive_step.hpp"
#include "kernels/element_force.hpp"
#include "kernels/gather_node.hpp"
#include "kernels/gather_table.hpp"

namespace cleave {

/// Running works of each block, in lanes that are added up only when somebody looks: J.
struct LaneLedger {
  static constexpr int kinds = 3, lanes = 16, fields = kinds * lanes;  // internal with cohesive, external, reaction
  Table<Real, fields> sums;  ///< [block][kind, lane]
};

/// What each block has to say at the last finished step, J: its works until then, and its energies.
struct BlockReport {
  enum Kind { internal, external, reaction, kinetic, correction, strain, kinds };
  Table<Real, kinds> sums;  ///< [block]
};

/// Adds the NodeWork of a block's workers to its lanes: worker i to lane i % 16. Steps that finish also report.
template <int Workers, bool Finish>
struct BlockWork {
  static constexpr int lanes = LaneLedger::lanes;
  static_assert(Workers >= LaneLedger::fields && Workers % lanes == 0);
  Real work[LaneLedger::kinds][Workers];
  BlockSum<BlockReport::kinds - LaneLedger::kinds, Finish ? Workers : lanes> energy;

  CLEAVE_HD void set(int i, const NodeWork& w, Real strain = 0) {
    work[0][i] = w.internal;
    work[1][i] = w.external;
    work[2][i] = w.reaction;
    if constexpr (Finish) {
      energy.value[0][i] = w.kinetic;
      energy.value[1][i] = w.correction;
      energy.value[2][i] = strain;
    }
  }
  template <class Worker>
  CLEAVE_HD void add_to(LaneLedger ledger, BlockReport report, Index row, Worker const& worker) {
    ForEachIdx each{worker};
    worker.sync();
    each([&](Idx i) {
      if (i >= LaneLedger::fields) return;
      const Real* column = work[i / lanes] + i % lanes;
      Real sum = column[0];
      for (int j = lanes; j < Workers; j += lanes) sum += column[j];
      Real& booked = ledger.sums(row, i);
      booked += sum;
      if constexpr (Finish) work[i / lanes][i % lanes] = booked;  // nobody else reads the first value of this column
    });
    if constexpr (Finish) {
      energy.reduce(worker);
      only_master(worker, [&] {
        for (int kind = 0; kind < LaneLedger::kinds; ++kind) {
          Real sum = work[kind][0];
          for (int lane = 1; lane < lanes; ++lane) sum += work[kind][lane];
          report.sums(row, kind) = sum;
        }
        for (int kind = BlockReport::kinetic; kind < BlockReport::kinds; ++kind)
          report.sums(row, kind) = energy.total(kind - BlockReport::kinetic);
      });
    }
  }
};

/// The first displacement update after somebody looked at the state: u += dt v(n+1/2), with the other half of the works.
struct ResumeStep {
  static constexpr const char* name = "displacement";
  static constexpr int workers = nodes_per_block;
  struct Shared {
    BlockSum<3, workers> work;
  };
  NodeTable nodes;  ///< count: their capacity
  LiveCounts* live;  ///< its row of inputs moves on to the next step
  const Vec2* half_velocity;  ///< [node], m/s
  WorkLedger ledger;
  Real dt;  ///< s

  CLEAVE_HD Index blocks() const { return node_blocks(nodes.count); }

  template <class Worker>
  CLEAVE_HD void operator()(Worker const& worker, Shared& shared) const {
    const Index first = worker.block * workers, end = live->nodes;
    if (worker.block == 0) only_master(worker, [&] { ++live->row; });
    if (first >= end) return;
    ForEachIdx each{worker};
    each([&](Idx i) {
      const Index n = first + i;
      Vec2 reaction{}, half{}, f_int{}, f_ext{};
      if (n < end) {
        const Vec2 v = half_velocity[n];
        half = Real(0.5) * dt * v;
        f_int = nodes.internal_force[n];
        f_ext = nodes.external_force[n];
        if (nodes.constrained(n)) reaction = nodes.reaction(n);
        nodes.velocity[n] = v;
        nodes.displacement[n] += dt * v;
      }
      shared.work.value[0][i] = dot(f_int, half);
      shared.work.value[1][i] = dot(f_ext, half);
      shared.work.value[2][i] = dot(reaction, half);
    });
    shared.work.reduce(worker);
    only_master(worker, [&] {
      ledger.sums(worker.block, WorkLedger::internal) += shared.work.total(0);
      ledger.sums(worker.block, WorkLedger::external) += shared.work.total(1);
      ledger.sums(worker.block, WorkLedger::reaction) += shared.work.total(2);
    });
  }
};

/// Forces of a block of elements, and the step of its interior nodes. Steps that finish do nothing when `hold` is set:
/// facets break, and insertion comes first.
template <class Element, bool Finish>
struct BlockStep {
  static constexpr const char* name = "element blocks";
  static constexpr int workers = elements_per_block;
  struct Shared {
    Vec2 slot[elements_per_block * Element::nodes];
    BlockWork<workers, Finish> work;
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
  LaneLedger ledger;
  BlockReport report;
  const Index* hold;
  const Real* element_mass;  ///< [element], kg
  Real areal_density;        ///< density * thickness, kg/m^2
  Real thickness;            ///< m
  FaultRecord* fault;        ///< told of elements that have turned inside out, when a step finishes

  struct Ahead {
    FetchedNode state;
    SlotRange range;
  };

  CLEAVE_HD Index blocks() const { return blocks_of.blocks(); }

  template <class Worker>
  CLEAVE_HD void operator()(Worker const& worker, Shared& shared) const {
    if constexpr (Finish)
      if (*hold != 0) return;
    ForEachIdx each{worker};
    const Index first = worker.block * workers;
    const Index first_node = blocks_of.first_node[worker.block], end_node = blocks_of.first_node[worker.block + 1];
    // Everything a worker needs from memory is asked for before anything is written.
    auto ahead = each([&](Idx i) {
      const Index n = first_node + i;
      return n < end_node ? Ahead{step.fetch(n), blocks_of.range[n]} : Ahead{};
    });
    auto strain = each([&](Idx i) {
      const Index e = first + i;
      if (e >= blocks_of.elements) return Real(0);
      Index at[Element::nodes];
      for (int k = 0; k < Element::nodes; ++k) at[k] = slots(e, k);
      const ScaledGradients g{{gradients(e, 0), gradients(e, 1)}, {gradients(e, 2), gradients(e, 3)}};
      const bool cohesive_side = touches_cohesive[e];
      Vec2 u[Element::nodes], f[Element::nodes];
      elements.gather(e, step.nodes.displacement, u);
      const Real energy = element_force(material, g, u, f);
      if (cohesive_side) cohesive.add(elements, e, f);
      for (int k = 0; k < Element::nodes; ++k) (at[k] < 0 ? shared.slot[-1 - at[k]] : slot_force[at[k]]) = f[k];
      if constexpr (Finish) {
        // Gradients are scaled by the root of thickness * area / Gauss points.
        const Real scale = std::sqrt(thickness * element_mass[e] / (areal_density * Element::gauss_points));
        if (is_inside_out(g, u, 1 / scale, Element::gauss_points))
          fault->report(FaultCode::inverted_element, e, FaultRecord::unknown_step);
      }
      return energy;
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
      shared.work.set(i, work, strain[i]);
    });
    shared.work.add_to(ledger, report, worker.block, worker);
  }
};

/// The step of the nodes that several blocks share and of all copies; step.nodes.count is their capacity.
template <bool Finish>
struct SharedNodeStep {
  static constexpr const char* name = "shared nodes";
  static constexpr int workers = 128;
  struct Shared {
    BlockWork<workers, Finish> work;
  };
  Index first_node;
  const LiveCounts* live;
  const SlotRange* range;  ///< [node]
  const Vec2* slot_force;  ///< [slot in memory], N
  NodeStep<Finish> step;
  LaneLedger ledger;   ///< rows of the shared nodes
  BlockReport report;  ///< likewise
  const Index* hold;   ///< see BlockStep

  CLEAVE_HD Index blocks() const { return (step.nodes.count - first_node + workers - 1) / workers; }

  template <class Worker>
  CLEAVE_HD void operator()(Worker const& worker, Shared& shared) const {
    if constexpr (Finish)
      if (*hold != 0) return;
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
    shared.work.add_to(ledger, report, worker.block, worker);
  }
};

}  // namespace cleave
