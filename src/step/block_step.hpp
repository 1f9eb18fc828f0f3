/// The first half of the gather step: forces of elements, and the step of the nodes inside blocks.
#pragma once

#include "body/by_material.hpp"
#include "body/material_states.hpp"
#include "body/side_table.hpp"
#include "cleave/core/fault.hpp"
#include "cleave/lockstep/kernel.hpp"
#include "step/block_constants.hpp"
#include "step/block_lanes.hpp"
#include "step/block_work.hpp"
#include "terms/bulk/element_force.hpp"
#include "terms/loads/facet_loads.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Forces of a block of elements, and the step of its interior nodes. Does nothing when `insertion_pending` is set: the
/// host comes first, to insert or to search for contact.
template <class Element, class Material, Output output, NodeForces node_forces>
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
  SideTable<Element> sides;
  FacetLoads<Element> loads;
  BlockMaterials<Material> materials;
  using States = MaterialStates<Element, Material>;
  States states;
  NodeStep<output, node_forces> step;
  Vec2* slot_force;  ///< [slot in memory], N
  LaneLedger ledger;
  BlockReport report;
  const Index* insertion_pending;
  FaultRecord* fault;  ///< elements that have turned inside out, for output

  static constexpr Index none = -1;  ///< no element or node of a worker, no loads of an element
  CLEAVE_HD Index blocks() const { return materials.blocks(); }

  /// Line pressure on a facet, N/m. The element of the facet may have gone.
  CLEAVE_HD Real load_on(bool eroded, Index load) const { return eroded ? Real(0) : step.input.line_pressure(load); }

  CLEAVE_HD BlockInMemory<Element, BlockStep> in_memory(Index block) const {
    const BlockRange range = materials.range_of(block);
    return {this, range.begin_of(block), range.end_element, blocks_of.first_node[block],
            blocks_of.first_node[block + 1]};
  }
  /// Steps without output are the first of a recording: nothing that runs until then inserts.
  template <class Worker>
  CLEAVE_HD auto early(Worker const& worker) const requires(traits.reads_early) {
    const auto memory = in_memory(materials.block(worker.block));
    return ForEachIdx{worker}([&](Idx i) {
      const Index e = memory.index(i);
      return KeptConstants<Element>{e, ElementInMemory<Element, BlockStep>{this, e}.keep(), memory.first_node(i),
                                    memory.first_assembly(i)};
    });
  }
  template <class Worker, class Early>
  CLEAVE_HD void operator()(Worker const& worker, Shared& shared, const Early& early) const {
    run(worker, shared, BlockReadEarly<Early>{early});
  }
  template <class Worker>
  CLEAVE_HD void operator()(Worker const& worker, Shared& shared) const {
    if constexpr (Worker::slots == 1)
      run(worker, shared, in_memory(materials.block(worker.block)));
    else
      BlockLanes<BlockStep, Element, Material, output>{*this, shared}.run(worker);
  }

  /// Whether facets wait to be cut, or another launch computes the block. Both are read at once.
  CLEAVE_HD_INLINE bool is_skipped(Index block) const {
    const Index pending = *insertion_pending;
    const bool skip = materials.skips(block);
    return pending != 0 || skip;
  }

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
      if (e == none) return ElementResult{0, is_skipped(block)};
      const auto& element = constants.element(i);
      const AreaGradients gradients = element.gradients();
      const bool cohesive_sides = element.has(ElementFlag::cohesive_sides);
      Vec2 u[Element::nodes], f[Element::nodes];
      for (int k = 0; k < Element::nodes; ++k) u[k] = step.nodes.displacement[element.node(k).node];
      const Index load_row = element.has(ElementFlag::loaded_facets) ? loads.first_row[e] : none;
      const bool pending = is_skipped(block);
      const ElementGeometry at = element_geometry(gradients, geometry.depth);  // divides while the rest is on its way
      // States change point by point, so it must be known before; forces may wait for it.
      if (States::kept && pending) return ElementResult{0, true};
      const MaterialEnergy energy = element_force(material, at, u, states.of(e), step.dt, f);
      if (pending) return ElementResult{0, true};
      states.add_dissipated(e, energy.dissipated);
      if (cohesive_sides) sides.add(elements, e, f);
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
      return ElementResult{output == Output::none ? 0 : energy.stored, false};
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
