/// The first half of the gather step: forces of elements, and the step of the nodes inside blocks.
#pragma once

#include "body/by_material.hpp"
#include "body/material_states.hpp"
#include "cleave/core/fault.hpp"
#include "cleave/lockstep/kernel.hpp"
#include "step/block_work.hpp"
#include "step/node_lanes.hpp"
#include "terms/bulk/element_force.hpp"
#include "terms/bulk/element_lanes.hpp"
#include "terms/cohesive/cohesive_forces.hpp"
#include "terms/loads/facet_loads.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Forces of a block of elements, and the step of its interior nodes. Does nothing when `insertion_pending` is set:
/// facets break, and insertion comes first.
template <class Element, class Material, Output output, bool has_nodal_forces>
struct BlockStep {
  static constexpr int workers = elements_per_block;
  /// Resident blocks that leave each law the registers it needs (BENCHMARKS.md).
  static constexpr int for_law = !std::is_empty_v<typename Material::State> ? 3 : Material::finite ? 4 : 6;
  static constexpr KernelTraits traits{.name = "element blocks",
                                       .resident_blocks = output == Output::none ? for_law : 0,
                                       .has_lanes = true,
                                       .reads_early = output == Output::none};
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
  NodeStep<output, has_nodal_forces> step;
  Vec2* slot_force;  ///< [slot in memory], N
  LaneLedger ledger;
  BlockReport report;
  const Index* insertion_pending;
  FaultRecord* fault;  ///< elements that have turned inside out, for output

  /// Constants of an element, which only insertion changes.
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
  /// Constants of a block that are read from memory when they are needed.
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
  /// Constants that are read early: of each worker's element and of the first node that it steps.
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
  CLEAVE_HD auto early(Worker const& worker) const requires(traits.reads_early) {
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

  /// Whether facets wait to be cut, or another launch computes the block. Both are read at once.
  CLEAVE_HD_INLINE bool is_skipped(Index block) const {
    const Index pending = *insertion_pending;
    const bool skip = materials.skips(block);
    return pending != 0 || skip;
  }

  /// The same by one CPU thread: elements in lanes, then nodes in lanes.
  template <class Worker>
  CLEAVE_HD_INLINE void run_lanes(Worker const& worker, Shared& shared) const {
    const Index block = materials.block(worker.block);
    if (is_skipped(block)) return;
    const BlockRange range = materials.range_of(block);
    const Index first = range.begin_of(block), end = range.end_of(block), end_node = blocks_of.first_node[block + 1];
    shared.work.clear();
    fetch_cohesive_lines(first, end);
    for (Index e = first; e < end; e += ElementLanes<Element>::count_from(e, end)) {
      ElementLanes<Element> lanes(e, end);
      lanes.fetch(elements, step.nodes.displacement, lanes.u);
      lanes.compute(materials.material_of(block), geometry, states, step.dt);
      std::uint8_t any = 0;
      for (int lane = 0; lane < lanes.count; ++lane) any |= flags[e + lane];
      if (any & ElementFlag::cohesive_sides) add_cohesive_sides(lanes);
      lanes.scatter(elements, SlotMemory<Vec2>{{slot_force, shared.slot}}, lanes.f);
      if (any & ElementFlag::loaded_facets) add_loads(block, lanes, shared);
      if constexpr (output != Output::none) add_output(lanes, e - first, shared);
    }
    for (Index n = blocks_of.first_node[block]; n < end_node; n += workers) {
      NodeLanes<workers> nodes(n, end_node);
      nodes.sum_slots(step.assembly, shared.slot, first_block_slot<Element>(block));
      nodes.step(step, [&](int i, const NodeWork& work) CLEAVE_LANE { shared.work.add(i, work); });
    }
    shared.work.add_to(ledger, 0, report, block, worker);
  }
  /// Prefetches forces of the cohesive sides of a block's elements before the elements keep the processor busy: they
  /// are scattered in memory, and other threads wrote them.
  void fetch_cohesive_lines(Index first, Index end) const {
    Index with_sides[elements_per_block];
    int count = 0;
    for (Index e = first; e < end; ++e) {
      with_sides[count] = e;  // overwritten unless e has cohesive sides: a branch would be mispredicted too often
      count += flags[e] & ElementFlag::cohesive_sides ? 1 : 0;
    }
    for (int i = 0; i < count; ++i) fetch_line(elements.neighbour(with_sides[i], 0));
    for (int i = 0; i < count; ++i)
      for (int k = 0; k < 3; ++k)
        if (const Index code = elements.neighbour(with_sides[i], k); is_cohesive(code)) cohesive.fetch_lines(code);
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
  void add_loads(Index block, const ElementLanes<Element>& lanes, Shared& shared) const {
    for (int lane = 0; lane < lanes.count; ++lane) {
      const Index e = lanes.first + lane;
      if (!(flags[e] & ElementFlag::loaded_facets)) continue;
      loads.template add<Material::finite>(
          loads.first_row[e], [&](Index load) { return load_on(flags[e] & ElementFlag::eroded, load); },
          [&](int k) { return lanes.u[k][lane]; },
          [&] {
            return thickness_change<Element>(
                materials.material_of(block), geometry.gradients_of(e), [&](int k) { return lanes.u[k][lane]; },
                states.of(e), Real(0));
          },
          [&](int k, Vec2 force) { elements.slot(e, k).add(shared.slot, slot_force, force); });
    }
  }
  /// Energies and faults of elements, for output; worker `i` is the first of them.
  void add_output(const ElementLanes<Element>& lanes, int i, Shared& shared) const {
    Real inside_out[ElementLanes<Element>::most];
    lanes.find_inside_out(geometry, inside_out);
    for (int lane = 0; lane < lanes.count; ++lane) {
      shared.work.set_material(i + lane, lanes.stored[lane], states, lanes.first + lane);
      if (inside_out[lane] != 0 && !(flags[lanes.first + lane] & ElementFlag::eroded))
        fault->report(FaultCode::inverted_element, lanes.first + lane, FaultRecord::unknown_step);
    }
  }

  /// Result of the element of a worker.
  struct Forces {
    Real stored;   ///< energy, J; only with output
    bool pending;  ///< see `is_skipped`: read after values that take as long to come, and by every worker, or all
                   ///< would wait for it at once
  };
  /// On a GPU: an element a worker, then nodes.
  template <class Worker, class Constants>
  CLEAVE_HD void run(Worker const& worker, Shared& shared, const Constants& constants) const {
    ForEachIdx each{worker};
    const Index block = materials.block(worker.block);
    const Material& material = materials.material_of(block);
    // Reads come before the first write, as far as there are registers.
    const auto velocity = each([&](Idx i) {
      const Index n = constants.first_node(i);
      return n != none ? step.nodes.velocity[n] : Vec2{};
    });
    const auto forces = each([&](Idx i) {
      const Index e = constants.index(i);
      if (e == none) return Forces{0, is_skipped(block)};
      const auto& element = constants.element(i);
      const AreaGradients gradients = element.gradients();
      const bool cohesive_sides = element.has(ElementFlag::cohesive_sides);
      Vec2 u[Element::nodes], f[Element::nodes];
      for (int k = 0; k < Element::nodes; ++k) u[k] = step.nodes.displacement[element.node(k).node];
      const Index load_row = element.has(ElementFlag::loaded_facets) ? loads.first_row[e] : none;
      const bool pending = is_skipped(block);
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
            [&] {
              return thickness_change<Element>(
                  material, geometry.gradients_of(e),
                  [&](int k) { return step.nodes.displacement[elements.node(e, k)]; }, states.of(e), Real(0));
            },
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
        if (const Index e = constants.index(i); e != none) shared.work.set_material(i, forces[i].stored, states, e);
    });
    shared.work.add_to(ledger, work_before, report, block, worker);
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
