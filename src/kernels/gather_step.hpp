/// The step of the gather assembly: elements with their interior nodes, then the nodes between blocks.
#pragma once

#include "kernels/by_material.hpp"
#include "kernels/cohesive_step.hpp"
#include "kernels/element_force.hpp"
#include "kernels/facet_loads.hpp"
#include "kernels/gather_node.hpp"
#include "kernels/gather_table.hpp"
#include "kernels/material_states.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Running works of each block, in lanes that are added up only for output: J.
struct LaneLedger {
  static constexpr int kinds = NodeWorks::count, lanes = 16, fields = kinds * lanes;
  Table<double, fields> sums;  ///< [block][kind, lane]
};

/// Energies of a block of elements and its interior nodes, J.
using BlockEnergies = Joined<NodeEnergies, QuantityList<Quantity::strain_energy>>;
/// What each block has to say of a step with output, J: its works until then, and its energies.
using BlockReport = SumRows<Joined<NodeWorks, BlockEnergies>>;

/// Adds the works of a block's workers to its lanes, worker i to lane i % 16, and reports for output. A step
/// that stops at the state books its works when it goes on.
template <int Workers, Output output>
struct BlockWork {
  static constexpr int lanes = LaneLedger::lanes;
  static constexpr bool books = output != Output::state, reports = output != Output::none;
  static_assert(Workers >= LaneLedger::fields && Workers % lanes == 0);
  double step[LaneLedger::kinds][books ? Workers : 1];
  double to_output[LaneLedger::kinds][reports ? Workers : 1];
  QuantitySum<BlockEnergies, reports ? Workers : lanes> energy;

  CLEAVE_HD void set(int i, const NodeWork& work, double strain = 0) {
    if constexpr (books) set_column(step, i, work.step);
    if constexpr (reports) {
      set_column(to_output, i, work.to_output);
      CLEAVE_UNROLL
      for (int field = 0; field < NodeEnergies::count; ++field) energy.value[field][i] = work.energies.value[field];
      energy[Quantity::strain_energy][i] = strain;
    }
  }
  /// What the lanes of a row pending before the step: on a GPU asked for long before it is needed.
  template <class Worker>
  CLEAVE_HD static auto work_before(LaneLedger ledger, Index row, Worker const& worker) {
    constexpr bool ahead = Worker::slots == 1;
    return ForEachIdx{worker}([&](Idx i) { return ahead && i < LaneLedger::fields ? ledger.sums(row, i) : 0.0; });
  }
  /// @param work_before  see above
  template <class Worker, class WorkBefore>
  CLEAVE_HD void add_to(LaneLedger ledger, const WorkBefore& work_before, BlockReport report, Index row,
                        Worker const& worker) {
    ForEachIdx each{worker};
    worker.sync();
    each([&](Idx i) {
      if (i >= LaneLedger::fields) return;
      const double before = Worker::slots == 1 ? work_before[i] : ledger.sums(row, i);
      if constexpr (books) ledger.sums(row, i) = before + lane_sum(step[i / lanes], i % lanes);
      // Nobody else reads what the first value of this lane was.
      if constexpr (reports) to_output[i / lanes][i % lanes] = before + lane_sum(to_output[i / lanes], i % lanes);
    });
    if constexpr (reports) {
      energy.reduce(worker);
      only_master(worker, [&] {
        for (int kind = 0; kind < LaneLedger::kinds; ++kind) {
          double sum = to_output[kind][0];
          for (int lane = 1; lane < lanes; ++lane) sum += to_output[kind][lane];
          report.rows(row, kind) = sum;
        }
        for (int field = 0; field < BlockEnergies::count; ++field)
          report.rows(row, LaneLedger::kinds + field) = energy.total(field);
      });
    }
  }

 private:
  CLEAVE_HD static void set_column(double (&column)[LaneLedger::kinds][Workers], int i, const Works& works) {
    CLEAVE_UNROLL
    for (int kind = 0; kind < LaneLedger::kinds; ++kind) column[kind][i] = works.value[kind];
  }
  CLEAVE_HD static double lane_sum(const double (&column)[Workers], int lane) {
    double sum = column[lane];
    for (int i = lane + lanes; i < Workers; i += lanes) sum += column[i];
    return sum;
  }
};

/// Goes on from a state that was output: u += dt v(n+1/2), and the works of step n, which wait for this. Blocks
/// and workers are those of the steps, so that the sums are the same as without output.
struct ResumeStep {
  static constexpr const char* name = "resumption";
  static constexpr int workers = 128;
  struct Shared {
    BlockWork<workers, Output::none> work;
  };
  BlockTable blocks_of;
  Index first_interface;
  const LiveCounts* live;
  NodeStep<Output::none> step;  ///< nodes.count: their capacity
  LaneLedger ledger;            ///< rows of the blocks, then those of the shared nodes

  CLEAVE_HD Index blocks() const {
    return blocks_of.count + (step.nodes.count - first_interface + workers - 1) / workers;
  }

  template <class Worker>
  CLEAVE_HD void operator()(Worker const& worker, Shared& shared) const {
    const Index interface_block = worker.block - blocks_of.count;
    const bool interior = interface_block < 0;
    const Index first = interior ? blocks_of.first_node[worker.block] : first_interface + interface_block * workers;
    const Index limit = interior ? blocks_of.first_node[worker.block + 1] : live->nodes;
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
};

/// Forces of a block of elements, and the step of its interior nodes. Does nothing when `insertion_pending` is set:
/// facets break, and insertion comes first.
template <class Element, class Material, Output output>
struct BlockStep {
  static constexpr const char* name = "element blocks";
  static constexpr int workers = elements_per_block, resident_blocks = output == Output::none ? 6 : 0;
  struct Shared {
    Vec2 slot[elements_per_block * Element::nodes];
    BlockWork<workers, output> work;
  };
  ElementTable<Element> elements;
  BlockTable blocks_of;
  GeometryTable geometry;
  const std::uint8_t* flags;  ///< [element] ElementFlag
  CohesiveForces<Element> cohesive;
  FacetLoads<Element> loads;
  BlockMaterials<Material> materials;
  MaterialStates<Element, Material> states;
  NodeStep<output> step;
  Vec2* slot_force;  ///< [slot in memory], N
  LaneLedger ledger;
  BlockReport report;
  const Index* insertion_pending;
  FaultRecord* fault;  ///< told of elements that have turned inside out, for output

  /// What only insertion changes of an element.
  struct KeptElement {
    ElementNode nodes[Element::nodes];
    ElementGeometry at{};
    bool cohesive = false;
    LoadRows loads{};

    CLEAVE_HD const ElementNode& node(int k) const { return nodes[k]; }
    CLEAVE_HD const ElementGeometry& geometry() const { return at; }
    CLEAVE_HD bool cohesive_sides() const { return cohesive; }
    CLEAVE_HD LoadRows load_rows() const { return loads; }
  };
  struct ElementView {
    const BlockStep* kernel;
    Index e;

    CLEAVE_HD_INLINE const ElementNode& node(int k) const { return kernel->elements.entry(e, k); }
    CLEAVE_HD_INLINE ElementGeometry geometry() const { return kernel->geometry.of(e); }
    CLEAVE_HD_INLINE bool has(ElementFlag flag) const { return kernel->flags[e] & flag; }
    CLEAVE_HD_INLINE bool cohesive_sides() const { return has(ElementFlag::cohesive_sides); }
    CLEAVE_HD_INLINE LoadRows load_rows() const {
      return has(ElementFlag::loaded_facets) ? kernel->loads.rows(e) : LoadRows{};
    }
    CLEAVE_HD KeptElement keep(Index end) const {
      KeptElement kept;
      if (e >= end) return kept;
      for (int k = 0; k < Element::nodes; ++k) kept.nodes[k] = read_record(node(k));
      kept.at = geometry();
      kept.cohesive = cohesive_sides();
      kept.loads = load_rows();
      return kept;
    }
  };
  CLEAVE_HD Index blocks() const { return materials.blocks(); }
  /// The block of the body that a block of the launch is.
  CLEAVE_HD_INLINE Index block_of(Index launched) const { return materials.range[0].first_block + launched; }

  /// Where a block finds its constants: in memory, ...
  struct InMemory {
    const BlockStep* kernel;
    Index first;

    CLEAVE_HD_INLINE ElementView element(Idx i) const { return {kernel, first + i}; }
    CLEAVE_HD_INLINE FetchedNode node(Idx, Index n) const { return kernel->step.fetch(n); }
  };
  /// ... or read early: those of each worker's element, and of the first node that it steps.
  struct Kept {
    KeptElement element;
    NodeAssembly node;
  };
  template <class Values>
  struct ReadEarly {
    const BlockStep* kernel;
    const Values& values;

    CLEAVE_HD const KeptElement& element(Idx i) const { return values[i].element; }
    CLEAVE_HD FetchedNode node(Idx i, Index n) const { return kernel->step.fetch(n, values[i].node); }
  };

  /// Steps without output are the first of a recording: nothing that runs until then inserts.
  template <class Worker>
  CLEAVE_HD auto early(Worker const& worker) const requires(output == Output::none) {
    const Index block = block_of(worker.block), first_node = blocks_of.first_node[block];
    const BlockRange range = materials.range[materials.index_of(block)];
    return ForEachIdx{worker}([&](Idx i) {
      const Index e = range.begin_of(block) + i, n = first_node + i;
      return Kept{ElementView{this, e}.keep(range.end_element),
                  n < step.nodes.count ? read_record(step.assembly[n]) : NodeAssembly{}};
    });
  }
  template <class Worker, class Early>
  CLEAVE_HD void operator()(Worker const& worker, Shared& shared, const Early& early) const {
    run(worker, shared, ReadEarly<Early>{this, early});
  }
  template <class Worker>
  CLEAVE_HD void operator()(Worker const& worker, Shared& shared) const {
    const Index block = block_of(worker.block);
    run(worker, shared, InMemory{this, materials.range[materials.index_of(block)].begin_of(block)});
  }

  template <class Worker, class Constants>
  CLEAVE_HD void run(Worker const& worker, Shared& shared, const Constants& constants) const {
    // On a GPU this is asked for together with all the rest, and tested before anything is written.
    constexpr bool late = Worker::slots == 1;
    const bool pending = *insertion_pending != 0;
    if (!late && pending) return;
    ForEachIdx each{worker};
    const Index block = block_of(worker.block);
    const int m = materials.index_of(block);
    const Material& material = materials.material[m];
    const Index first = materials.range[m].begin_of(block), end = materials.range[m].end_element;
    const Index first_node = blocks_of.first_node[block], end_node = blocks_of.first_node[block + 1];
    const Index first_slot = first_block_slot<Element>(block);
    // Everything a worker needs from memory is asked for before anything is written.
    const auto work_before = shared.work.work_before(ledger, block, worker);
    const auto ahead = each([&](Idx i) {
      const Index n = first_node + i;
      return late && n < end_node ? constants.node(i, n) : FetchedNode{};
    });
    auto stored = each([&](Idx i) {
      const Index e = first + i;
      if (e >= end) return Real(0);
      const auto& element = constants.element(i);
      const ElementGeometry at = element.geometry();
      const bool cohesive_sides = element.cohesive_sides();
      const LoadRows load_rows = element.load_rows();
      Vec2 u[Element::nodes], f[Element::nodes];
      for (int k = 0; k < Element::nodes; ++k) u[k] = step.nodes.displacement[element.node(k).node];
      typename Material::State state[Element::gauss_points];
      states.load(e, state);
      const Real energy = element_force(material, at, u, state, step.dt, f);
      if (late && pending) return energy;
      states.store(e, state);
      if (cohesive_sides) cohesive.add(elements, e, f);
      for (int k = 0; k < Element::nodes; ++k) element.node(k).slot.of(shared.slot, slot_force) = f[k];
      if (load_rows.begin < load_rows.end)
        loads.add(
            load_rows, [&](Index load) { return step.input.line_pressure(load); },
            [&](int k) { return step.nodes.displacement[elements.node(e, k)]; },
            [&](int k) -> Vec2& { return elements.slot(e, k).of(shared.slot, slot_force); });
      if constexpr (output != Output::none)
        if (is_inside_out(at, u, Element::gauss_points))
          fault->report(FaultCode::inverted_element, e, FaultRecord::unknown_step);
      return energy;
    });
    if (late && pending) return;
    worker.sync();
    each([&](Idx i) {
      NodeWork work;
      FetchedNode next = ahead[i];
      for (Index n = first_node + i; n < end_node; n += workers) {
        const FetchedNode node = late ? next : step.fetch(n);
        if (late && n + workers < end_node) next = step.fetch(n + workers);
        const SlotRange range = node.assembly.range();
        Vec2 f{};
        for (Index s = range.begin; s < range.end; ++s) f += shared.slot[s - first_slot];
        work += step(n, node, f);
      }
      shared.work.set(i, work, stored[i]);
    });
    shared.work.add_to(ledger, work_before, report, block, worker);
  }
};

/// The step of the nodes that several blocks share and of all copies; step.nodes.count is their capacity.
template <Output output>
struct InterfaceNodeStep {
  static constexpr const char* name = "interface nodes";
  static constexpr int workers = 128;
  struct Shared {
    BlockWork<workers, output> work;
  };
  Index first_node;
  const LiveCounts* live;
  const Vec2* slot_force;  ///< [slot in memory], N
  NodeStep<output> step;
  LaneLedger ledger;               ///< rows of the interface nodes
  BlockReport report;              ///< likewise
  const Index* insertion_pending;  ///< see BlockStep

  struct Kept {
    Index nodes = 0;  ///< in use
    NodeAssembly node;
  };

  CLEAVE_HD Index blocks() const { return (step.nodes.count - first_node + workers - 1) / workers; }

  /// See BlockStep.
  template <class Worker>
  CLEAVE_HD auto early(Worker const& worker) const requires(output == Output::none) {
    const Index first = first_node + worker.block * workers;
    return ForEachIdx{worker}([&](Idx i) {
      return first + i < step.nodes.count ? Kept{live->nodes, read_record(step.assembly[first + i])} : Kept{};
    });
  }
  template <class Worker, class Early>
  CLEAVE_HD void operator()(Worker const& worker, Shared& shared, const Early& early) const {
    run(
        worker, shared, [&](Idx i, Index) { return early[i].node; }, [&](Idx i) { return early[i].nodes; });
  }
  template <class Worker>
  CLEAVE_HD void operator()(Worker const& worker, Shared& shared) const {
    run(
        worker, shared, [&](Idx, Index n) { return read_record(step.assembly[n]); }, [&](Idx) { return live->nodes; });
  }

  /// @param constants  of a node
  /// @param in_use  number of nodes
  template <class Worker, class Constants, class InUse>
  CLEAVE_HD void run(Worker const& worker, Shared& shared, const Constants& constants, const InUse& in_use) const {
    const bool pending = *insertion_pending != 0;  // see BlockStep
    const Index first = first_node + worker.block * workers;
    if (Worker::slots != 1 && (pending || first >= live->nodes)) return;  // blocks without nodes add zero
    ForEachIdx each{worker};
    const auto work_before = shared.work.work_before(ledger, worker.block, worker);
    each([&](Idx i) {
      const Index n = first + i;
      // Asked for before it is known whether the node is in use.
      const FetchedNode node = n < step.nodes.count ? step.fetch(n, constants(i, n)) : FetchedNode{};
      NodeWork work;
      if (n < in_use(i)) {
        const Vec2 f = sum_of_slots<Worker>(node.assembly.range());
        if (!pending) work = step(n, node, f);
      }
      shared.work.set(i, work);
    });
    if (!pending) shared.work.add_to(ledger, work_before, report, worker.block, worker);
  }

  /// On a GPU several slots are asked for before the first is added.
  template <class Worker>
  CLEAVE_HD Vec2 sum_of_slots(SlotRange range) const {
    constexpr int together = Worker::slots == 1 ? 8 : 1;
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
};

}  // namespace cleave::inline CLEAVE_PRECISION
