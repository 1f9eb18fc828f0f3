/// The step of the gather assembly: elements with their interior nodes, then the nodes between blocks.
#pragma once

#include "kernels/by_material.hpp"
#include "kernels/cohesive_step.hpp"
#include "kernels/element_force.hpp"
#include "kernels/element_lanes.hpp"
#include "kernels/facet_loads.hpp"
#include "kernels/gather_node.hpp"
#include "kernels/gather_table.hpp"
#include "kernels/material_states.hpp"
#include "kernels/node_lanes.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Running works of each block, in lanes that are added up only for output: J.
struct LaneLedger {
  static constexpr int kinds = NodeWorks::count, lanes = 16, fields = kinds * lanes;
  Table<double, fields> sums;  ///< [block][kind, lane]
};

/// Energies of a block of elements and its interior nodes, J.
using BlockEnergies = Joined<NodeEnergies, QuantityList<Quantity::strain_energy, Quantity::plastic_energy,
                                                        Quantity::viscous_energy>>;
/// What each block has to say of a step with output, J: its works until then, and its energies.
using BlockReport = SumRows<Joined<NodeWorks, BlockEnergies>>;

/// What copies have to say of themselves. Each keeps its own works: copies lie in the order in which they were made, so
/// those of a block have come from anywhere in the body.
struct CopyLedger {
  using Report = SumRows<Joined<NodeWorks, NodeEnergies>>;
  Table<double, NodeWorks::count> works;  ///< [copy] J, of all steps so far
  Report report;                          ///< [copy] J, of the step with output

  CLEAVE_HD_INLINE Works works_of(Index copy) const {
    Works before;
    CLEAVE_UNROLL
    for (int kind = 0; kind < NodeWorks::count; ++kind) before.value[kind] = works(copy, kind);
    return before;
  }
  /// @param before  what works_of said before the step
  template <Output output>
  CLEAVE_HD_INLINE void book(Index copy, const Works& before, const NodeWork& work) const {
    CLEAVE_UNROLL
    for (int kind = 0; kind < NodeWorks::count; ++kind) {
      if constexpr (output != Output::state) works(copy, kind) = before.value[kind] + work.step.value[kind];
      if constexpr (output != Output::none) report.rows(copy, kind) = before.value[kind] + work.to_output.value[kind];
    }
    if constexpr (output != Output::none)
      for (int field = 0; field < NodeEnergies::count; ++field)
        report.rows(copy, NodeWorks::count + field) = work.energies.value[field];
  }
};

/// The nodes in memory's slots: those between blocks in the intact mesh, then copies; in blocks of their own.
struct InterfaceNodes {
  static constexpr int width = interface_nodes_per_block;
  Index first = 0;
  Index first_copy = 0;
  const Index* listed = nullptr;  ///< [listed_count] the blocks of the intact mesh that a launch looks at
  Index listed_count = -1;        ///< -1: all

  CLEAVE_HD Index interface_blocks() const { return (first_copy - first + width - 1) / width; }
  /// Of a launch: those between blocks, then copies.
  CLEAVE_HD Index blocks(Index capacity) const {
    return launched_interface_blocks() + (capacity - first_copy + width - 1) / width;
  }
  /// The block that a block of the launch is.
  CLEAVE_HD_INLINE Index block(Index launched) const {
    if (listed_count < 0) return launched;
    return launched < listed_count ? listed[launched] : launched - listed_count + interface_blocks();
  }
  CLEAVE_HD bool has_copies(Index block) const { return block >= interface_blocks(); }
  CLEAVE_HD Index begin_of(Index block) const {
    return has_copies(block) ? first_copy + (block - interface_blocks()) * width : first + block * width;
  }

 private:
  CLEAVE_HD Index launched_interface_blocks() const { return listed_count < 0 ? interface_blocks() : listed_count; }
};

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

  CLEAVE_HD void set(int i, const NodeWork& work) {
    if constexpr (books) set_column(step, i, work.step);
    if constexpr (reports) {
      set_column(to_output, i, work.to_output);
      CLEAVE_UNROLL
      for (int field = 0; field < NodeEnergies::count; ++field) energy.value[field][i] = work.energies.value[field];
      energy[Quantity::strain_energy][i] = energy[Quantity::plastic_energy][i] = 0;
      energy[Quantity::viscous_energy][i] = 0;
    }
  }
  /// What worker i's element has stored and dissipated so far, J.
  template <class States>
  CLEAVE_HD_INLINE void set_material(int i, Real stored, const States& states, Index e) {
    energy[Quantity::strain_energy][i] = stored;
    if constexpr (States::dissipates) energy[States::dissipation][i] = states.dissipated[e];
  }
  /// Of the step, what a lane of a kind gets: field `i` of LaneLedger.
  CLEAVE_HD double step_sum(int i) const { return lane_sum(step[i / lanes], i % lanes); }
  /// The same by one CPU thread, node by node: all workers rest, ...
  CLEAVE_HD_INLINE void clear() {
    if constexpr (books) clear_columns(step);
    if constexpr (reports) {
      clear_columns(to_output);
      for (int field = 0; field < BlockEnergies::count; ++field)
        for (int i = 0; i < Workers; ++i) energy.value[field][i] = 0;
    }
  }
  /// ... and worker `i` steps one more node.
  CLEAVE_HD_INLINE void add(int i, const NodeWork& work) {
    if constexpr (books) add_column(step, i, work.step);
    if constexpr (reports) {
      add_column(to_output, i, work.to_output);
      CLEAVE_UNROLL
      for (int field = 0; field < NodeEnergies::count; ++field) energy.value[field][i] += work.energies.value[field];
    }
  }
  /// What the lanes of a row hold before the step: on a GPU asked for before it is needed, on a CPU only then.
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
    if constexpr (Worker::slots == 1) {
      each([&](Idx i) {
        if (i >= LaneLedger::fields) return;
        const double before = work_before[i];
        if constexpr (books) ledger.sums(row, i) = before + step_sum(i);
        // Nobody else reads what the first value of this lane was.
        if constexpr (reports) to_output[i / lanes][i % lanes] = before + lane_sum(to_output[i / lanes], i % lanes);
      });
    } else {
      for (int kind = 0; kind < LaneLedger::kinds; ++kind) add_kind(&ledger.sums(row, kind * lanes), kind);
    }
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
  /// The lanes of a kind of work, by one CPU thread: each is added up as lane_sum does.
  CLEAVE_HD_INLINE void add_kind(double* before, int kind) {
    if constexpr (reports) {
      double sum[lanes];
      sum_lanes(to_output[kind], sum);
      for (int lane = 0; lane < lanes; ++lane) to_output[kind][lane] = before[lane] + sum[lane];
    }
    if constexpr (books) {
      double sum[lanes];
      sum_lanes(step[kind], sum);
      for (int lane = 0; lane < lanes; ++lane) before[lane] += sum[lane];
    }
  }
  CLEAVE_HD_INLINE static void sum_lanes(const double (&column)[Workers], double (&sum)[lanes]) {
    for (int lane = 0; lane < lanes; ++lane) sum[lane] = column[lane];
    for (int i = lanes; i < Workers; i += lanes)
      for (int lane = 0; lane < lanes; ++lane) sum[lane] += column[i + lane];
  }
  CLEAVE_HD_INLINE static void clear_columns(double (&columns)[LaneLedger::kinds][Workers]) {
    for (auto& column : columns)
      for (double& value : column) value = 0;
  }
  CLEAVE_HD_INLINE static void add_column(double (&column)[LaneLedger::kinds][Workers], int i, const Works& works) {
    CLEAVE_UNROLL
    for (int kind = 0; kind < LaneLedger::kinds; ++kind) column[kind][i] += works.value[kind];
  }
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
  InterfaceNodes interface;
  const LiveCounts* live;
  NodeStep<Output::state, true> step;  ///< nodes.count: their capacity
  LaneLedger ledger;                   ///< rows of the blocks, then those of the interface nodes
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

/// Forces of a block of elements, and the step of its interior nodes. Does nothing when `insertion_pending` is set:
/// facets break, and insertion comes first.
template <class Element, class Material, Output output, bool acts>
struct BlockStep {
  static constexpr const char* name = "element blocks";
  static constexpr int workers = elements_per_block;
  /// As many as leave each law the registers that it needs (BENCHMARKS.md).
  static constexpr int for_law = !std::is_empty_v<typename Material::State> ? 3 : Material::finite ? 4 : 6;
  static constexpr int resident_blocks = output == Output::none ? for_law : 0;
  static constexpr bool has_lanes = true;
  struct Shared {
    Vec2 slot[elements_per_block * Element::nodes];
    BlockWork<workers, output> work;
  };
  ElementTable<Element> elements;
  BlockTable blocks_of;
  GeometryTable geometry;
  const std::uint8_t* flags;  ///< [element] ElementFlag
  CohesiveForces<Element, Material::finite> cohesive;
  FacetLoads<Element> loads;
  BlockMaterials<Material> materials;
  using States = MaterialStates<Element, Material>;
  States states;
  NodeStep<output, acts> step;
  Vec2* slot_force;  ///< [slot in memory], N
  LaneLedger ledger;
  BlockReport report;
  const Index* insertion_pending;
  FaultRecord* fault;  ///< told of elements that have turned inside out, for output

  /// What only insertion changes of an element.
  struct KeptElement {
    ElementNode nodes[Element::nodes];
    AreaGradients at{};
    std::uint8_t flags = 0;

    CLEAVE_HD const ElementNode& node(int k) const { return nodes[k]; }
    CLEAVE_HD const AreaGradients& gradients() const { return at; }
    CLEAVE_HD bool has(ElementFlag flag) const { return flags & flag; }
  };
  struct ElementView {
    const BlockStep* kernel;
    Index e;

    CLEAVE_HD_INLINE const ElementNode& node(int k) const { return kernel->elements.entry(e, k); }
    CLEAVE_HD_INLINE AreaGradients gradients() const { return kernel->geometry.gradients_of(e); }
    CLEAVE_HD_INLINE bool has(ElementFlag flag) const { return kernel->flags[e] & flag; }
    CLEAVE_HD KeptElement keep() const {
      KeptElement kept;
      if (e == none) return kept;
      for (int k = 0; k < Element::nodes; ++k) kept.nodes[k] = read_record(node(k));
      kept.at = gradients();
      kept.flags = kernel->flags[e];
      return kept;
    }
  };
  CLEAVE_HD Index blocks() const { return materials.blocks(); }

  /// Line pressure on a facet, N/m. The element of the facet may have gone.
  CLEAVE_HD Real load_on(bool eroded, Index load) const { return eroded ? Real(0) : step.input.line_pressure(load); }

  static constexpr Index none = -1;  ///< no element or node of a worker, no loads of an element
  /// Where a block finds its constants: in memory, ...
  struct InMemory {
    const BlockStep* kernel;
    Index first, end;            ///< elements of the block
    Index node_begin, node_end;  ///< its interior nodes

    CLEAVE_HD_INLINE Index index(Idx i) const { return first + i < end ? first + i : none; }
    CLEAVE_HD_INLINE ElementView element(Idx i) const { return {kernel, first + i}; }
    CLEAVE_HD_INLINE Index first_node(Idx i) const { return node_begin + i < node_end ? node_begin + i : none; }
    CLEAVE_HD_INLINE NodeAssembly first_assembly(Idx i) const {
      const Index n = first_node(i);
      return read_record(kernel->step.assembly[n == none ? 0 : n]);
    }
  };
  /// ... or read early: those of each worker's element, and of the first node that it steps.
  struct Kept {
    Index index;
    KeptElement element;
    Index first_node;
    NodeAssembly node;  ///< without a node, of another one: a choice would have to wait for what is read
  };
  template <class Values>
  struct ReadEarly {
    const Values& values;

    CLEAVE_HD Index index(Idx i) const { return values[i].index; }
    CLEAVE_HD const KeptElement& element(Idx i) const { return values[i].element; }
    CLEAVE_HD Index first_node(Idx i) const { return values[i].first_node; }
    CLEAVE_HD const NodeAssembly& first_assembly(Idx i) const { return values[i].node; }
  };

  CLEAVE_HD InMemory in_memory(Index block) const {
    const BlockRange range = materials.range_of(block);
    return {this, range.begin_of(block), range.end_element, blocks_of.first_node[block],
            blocks_of.first_node[block + 1]};
  }
  /// Steps without output are the first of a recording: nothing that runs until then inserts.
  template <class Worker>
  CLEAVE_HD auto early(Worker const& worker) const requires(output == Output::none) {
    const InMemory memory = in_memory(materials.block(worker.block));
    return ForEachIdx{worker}([&](Idx i) {
      const Index e = memory.index(i);
      return Kept{e, ElementView{this, e}.keep(), memory.first_node(i), memory.first_assembly(i)};
    });
  }
  template <class Worker, class Early>
  CLEAVE_HD void operator()(Worker const& worker, Shared& shared, const Early& early) const {
    run(worker, shared, ReadEarly<Early>{early});
  }
  template <class Worker>
  CLEAVE_HD void operator()(Worker const& worker, Shared& shared) const {
    if constexpr (Worker::slots == 1)
      run(worker, shared, in_memory(materials.block(worker.block)));
    else
      run_lanes(worker, shared);
  }

  /// Insertion comes first, or another launch computes the block. Both are asked for at once.
  CLEAVE_HD_INLINE bool rests(Index block) const {
    const Index pending = *insertion_pending;
    const bool skip = materials.skips(block);
    return pending != 0 || skip;
  }

  /// The same by one CPU thread: elements in lanes, then nodes in lanes.
  template <class Worker>
  CLEAVE_HD_INLINE void run_lanes(Worker const& worker, Shared& shared) const {
    const Index block = materials.block(worker.block);
    if (rests(block)) return;
    const BlockRange range = materials.range_of(block);
    const Index first = range.begin_of(block), end = range.end_of(block), end_node = blocks_of.first_node[block + 1];
    shared.work.clear();
    for (Index e = first; e < end; e += ElementLanes<Element>::count_from(e, end)) {
      ElementLanes<Element> lanes(e, end);
      lanes.fetch(elements, step.nodes.displacement, lanes.u);
      lanes.compute(materials.material_of(block), geometry, states, step.dt);
      std::uint8_t any = 0;
      for (int lane = 0; lane < lanes.count; ++lane) any |= flags[e + lane];
      if (any & ElementFlag::cohesive_sides) add_cohesive_sides(lanes);
      lanes.scatter(elements, SlotMemory<Vec2>{{slot_force, shared.slot}}, lanes.f);
      if (any & ElementFlag::loaded_facets) add_loads(lanes, shared);
      if constexpr (output != Output::none) look_at(lanes, e - first, shared);
    }
    for (Index n = blocks_of.first_node[block]; n < end_node; n += workers) {
      NodeLanes<workers> nodes(n, end_node);
      nodes.sum_slots(step.assembly, shared.slot, first_block_slot<Element>(block));
      nodes.step(step, [&](int i, const NodeWork& work) CLEAVE_LANE { shared.work.add(i, work); });
    }
    shared.work.add_to(ledger, 0, report, block, worker);
  }
  void add_cohesive_sides(ElementLanes<Element>& lanes) const {
    for (int lane = 0; lane < lanes.count; ++lane) {
      if (!(flags[lanes.first + lane] & ElementFlag::cohesive_sides)) continue;
      Vec2 f[Element::nodes];
      for (int k = 0; k < Element::nodes; ++k) f[k] = lanes.f[k][lane];
      cohesive.add(elements, lanes.first + lane, f);
      for (int k = 0; k < Element::nodes; ++k) lanes.f[k][lane] = f[k];
    }
  }
  void add_loads(const ElementLanes<Element>& lanes, Shared& shared) const {
    for (int lane = 0; lane < lanes.count; ++lane) {
      const Index e = lanes.first + lane;
      if (!(flags[e] & ElementFlag::loaded_facets)) continue;
      loads.template add<Material::finite>(
          loads.first_row[e], [&](Index load) { return load_on(flags[e] & ElementFlag::eroded, load); },
          [&](int k) { return lanes.u[k][lane]; },
          [&](int k, Vec2 force) { elements.slot(e, k).add(shared.slot, slot_force, force); });
    }
  }
  /// What output asks of elements, of which the first is worker `i`.
  void look_at(const ElementLanes<Element>& lanes, int i, Shared& shared) const {
    for (int lane = 0; lane < lanes.count; ++lane) {
      Vec2 u[Element::nodes];
      lanes.copy(lane, u);
      shared.work.set_material(i + lane, lanes.stored[lane], states, lanes.first + lane);
      if (!(flags[lanes.first + lane] & ElementFlag::eroded) &&
          is_inside_out(geometry.of(lanes.first + lane), u, Element::gauss_points))
        fault->report(FaultCode::inverted_element, lanes.first + lane, FaultRecord::unknown_step);
    }
  }

  /// What a worker remembers of its element.
  struct Forces {
    Real stored;   ///< energy, J; only with output
    bool pending;  ///< see `rests`: asked for after what takes as long to come, and by every worker, or all would wait
                   ///< for it at once
  };
  /// On a GPU: an element a worker, then nodes.
  template <class Worker, class Constants>
  CLEAVE_HD void run(Worker const& worker, Shared& shared, const Constants& constants) const {
    ForEachIdx each{worker};
    const Index block = materials.block(worker.block);
    const Material& material = materials.material_of(block);
    // What a worker needs from memory is asked for before anything is written, as far as there are registers.
    const auto velocity = each([&](Idx i) {
      const Index n = constants.first_node(i);
      return n != none ? step.nodes.velocity[n] : Vec2{};
    });
    const auto forces = each([&](Idx i) {
      const Index e = constants.index(i);
      if (e == none) return Forces{0, rests(block)};
      const auto& element = constants.element(i);
      const AreaGradients gradients = element.gradients();
      const bool cohesive_sides = element.has(ElementFlag::cohesive_sides);
      Vec2 u[Element::nodes], f[Element::nodes];
      for (int k = 0; k < Element::nodes; ++k) u[k] = step.nodes.displacement[element.node(k).node];
      const Index load_row = element.has(ElementFlag::loaded_facets) ? loads.first_row[e] : none;
      const bool pending = rests(block);
      const ElementGeometry at = element_geometry(gradients, geometry.depth);  // divides while the rest is on its way
      // States change point by point, so it must be known before; forces may wait for it.
      if (States::kept && pending) return Forces{0, true};
      const MaterialEnergy energy = element_force(material, at, u, states.of(e), step.dt, f);
      if (pending) return Forces{0, true};
      states.add_dissipated(e, energy.dissipated);
      if (cohesive_sides) cohesive.add(elements, e, f);
      for (int k = 0; k < Element::nodes; ++k) element.node(k).slot.set(shared.slot, slot_force, f[k]);
      if (load_row != none)
        loads.template add<Material::finite>(
            load_row, [&](Index load) { return load_on(element.has(ElementFlag::eroded), load); },
            [&](int k) { return step.nodes.displacement[elements.node(e, k)]; },
            [&](int k, Vec2 force) { elements.slot(e, k).add(shared.slot, slot_force, force); });
      if constexpr (output != Output::none)
        if (!element.has(ElementFlag::eroded) && is_inside_out(at, u, Element::gauss_points))
          fault->report(FaultCode::inverted_element, e, FaultRecord::unknown_step);
      return Forces{output == Output::none ? 0 : energy.stored, false};
    });
    if (forces[Idx{worker.index(0), 0}].pending) return;
    worker.sync();
    const Index end_node = blocks_of.first_node[block + 1], first_slot = first_block_slot<Element>(block);
    const auto work_before = shared.work.work_before(ledger, block, worker);
    each([&](Idx i) {
      NodeWork work;
      const Index first_node = constants.first_node(i);
      FetchedNode next;
      if (first_node != none) next = step.fetch(first_node, constants.first_assembly(i), velocity[i]);
      for (Index n = first_node; n != none; n = n + workers < end_node ? n + workers : none) {
        const FetchedNode node = next;
        if (n + workers < end_node) next = step.fetch(n + workers);
        const SlotRange range = node.assembly.range();
        Vec2 f{};
        for (Index s = range.begin; s < range.end; ++s) f += shared.slot[s - first_slot];
        work += step(n, node, f);
      }
      shared.work.set(i, work);
      if constexpr (output != Output::none)
        if (const Index e = constants.index(i); e != none)
          shared.work.set_material(i, forces[i].stored, states, e);
    });
    shared.work.add_to(ledger, work_before, report, block, worker);
  }
};

/// The forces in a node's interface slots, in their order. Several are asked for before the first is added.
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
template <Output output, bool acts>
struct InterfaceNodeStep {
  static constexpr const char* name = "interface nodes";
  static constexpr int workers = InterfaceNodes::width;
  static constexpr bool has_lanes = true;
  struct Shared {
    BlockWork<workers, output> work;
  };
  InterfaceNodes nodes_of;
  const LiveCounts* live;
  const Vec2* slot_force;  ///< [slot in memory], N
  NodeStep<output, acts> step;
  LaneLedger ledger;               ///< rows of the interface nodes
  BlockReport report;              ///< likewise
  CopyLedger copies;
  const Index* insertion_pending;  ///< see BlockStep

  struct Kept {
    Index nodes = 0;  ///< in use
    NodeAssembly node;
  };

  CLEAVE_HD Index blocks() const { return nodes_of.blocks(step.nodes.count); }

  /// See BlockStep.
  template <class Worker>
  CLEAVE_HD auto early(Worker const& worker) const requires(output == Output::none) {
    const Index first = nodes_of.begin_of(nodes_of.block(worker.block));
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
    if constexpr (Worker::slots == 1)
      run(
          worker, shared, [&](Idx, Index n) { return read_record(step.assembly[n]); },
          [&](Idx) { return live->nodes; });
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
    nodes.sum_slots(step.assembly, slot_force, 0);
    if (are_copies) {
      const Index first_copy = first - nodes_of.first_copy;
      nodes.step(step, [&](int i, const NodeWork& work) CLEAVE_LANE {
        copies.template book<output>(first_copy + i, copies.works_of(first_copy + i), work);
      });
      return;
    }
    shared.work.clear();
    nodes.step(step, [&](int i, const NodeWork& work) CLEAVE_LANE { shared.work.add(i, work); });
    shared.work.add_to(ledger, 0, report, block, worker);
  }

  /// On a GPU: a node a worker.
  /// @param constants  of a node
  /// @param in_use  number of nodes
  template <class Worker, class Constants, class InUse>
  CLEAVE_HD void run(Worker const& worker, Shared& shared, const Constants& constants, const InUse& in_use) const {
    const Index block = nodes_of.block(worker.block);
    if (nodes_of.has_copies(block))
      step_copies(worker, nodes_of.begin_of(block), constants, in_use);
    else
      step_interface(worker, shared, block, constants);
  }
  template <class Worker, class Constants, class InUse>
  CLEAVE_HD void step_copies(Worker const& worker, Index first, const Constants& constants, const InUse& in_use) const {
    ForEachIdx{worker}([&](Idx i) {
      const Index n = first + i, copy = n - nodes_of.first_copy;
      if (n >= step.nodes.count) return;
      const NodeAssembly assembly = constants(i, n);
      if (assembly.flags & elsewhere_node) return;
      // Asked for before it is known whether the node is in use.
      const FetchedNode node = step.fetch(n, assembly);
      const Index read = *insertion_pending;
      const Works before = copies.works_of(copy);
      Vec2 f{};
      if (n < in_use(i)) f = sum_of_slots<4>(slot_force, node.assembly.range());
      if (from_here_on(read) != 0 || n >= in_use(i)) return;
      copies.template book<output>(copy, before, step(n, node, f));
    });
  }
  template <class Worker, class Constants>
  CLEAVE_HD void step_interface(Worker const& worker, Shared& shared, Index block, const Constants& constants) const {
    const Index first = nodes_of.begin_of(block);
    ForEachIdx each{worker};
    const auto work_before = shared.work.work_before(ledger, block, worker);
    const auto pending = each([&](Idx i) {
      const Index n = first + i;
      const NodeAssembly assembly = n < nodes_of.first_copy ? constants(i, n) : NodeAssembly{};
      const bool there = n < nodes_of.first_copy && !(assembly.flags & elsewhere_node);
      const FetchedNode node = there ? step.fetch(n, assembly) : FetchedNode{};
      NodeWork work;
      const Index read = *insertion_pending;
      Vec2 f{};
      if (there) f = sum_of_slots<8>(slot_force, node.assembly.range());
      const bool waits = from_here_on(read) != 0;
      if (there && !waits) work = step(n, node, f);
      shared.work.set(i, work);
      return waits;
    });
    if (!pending[Idx{worker.index(0), 0}]) shared.work.add_to(ledger, work_before, report, block, worker);
  }
};

/// Adds up what copies report of a step with output, block by block.
struct SumCopies {
  static constexpr const char* name = "sums of copies";
  static constexpr int workers = InterfaceNodes::width;
  using Report = CopyLedger::Report;
  struct Shared {
    QuantitySum<Report::Sums, workers> sum;
  };
  Index first_copy;
  Index capacity;  ///< of nodes
  const LiveCounts* live;
  Report copies;
  Report sums;  ///< [block]; those without copies are zero

  CLEAVE_HD static constexpr Index blocks_of(Index copies) { return (copies + workers - 1) / workers; }
  CLEAVE_HD Index blocks() const { return blocks_of(capacity - first_copy); }
  template <class Worker>
  CLEAVE_HD void operator()(Worker const& worker, Shared& shared) const {
    ForEachIdx{worker}([&](Idx i) {
      const Index copy = worker.block * workers + i;
      const bool in_use = first_copy + copy < live->nodes;
      for (int field = 0; field < Report::Sums::count; ++field)
        shared.sum.value[field][i] = in_use ? copies.rows(copy, field) : 0.0;
    });
    shared.sum.store(sums, worker);
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
