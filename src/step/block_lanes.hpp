/// A block of elements by one CPU thread: elements in lanes, then nodes in lanes.
#pragma once

#include "body/material_states.hpp"
#include "cleave/core/fault.hpp"
#include "step/node_lanes.hpp"
#include "terms/bulk/element_lanes.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// The work of BlockStep in the lanes of a CPU.
/// @tparam Step  BlockStep
template <class Step, class Element, class Material, Output output>
struct BlockLanes {
  using Lanes = ElementLanes<Element>;
  const Step& kernel;
  typename Step::Shared& shared;
  template <class Worker>
  CLEAVE_HD_INLINE void run(Worker const& worker) const {
    const Index block = kernel.materials.block(worker.block);
    if (kernel.is_skipped(block)) return;
    const BlockRange range = kernel.materials.range_of(block);
    const Index first = range.begin_of(block), end = range.end_of(block),
                end_node = kernel.blocks_of.first_node[block + 1];
    shared.work.clear();
    fetch_cohesive_lines(first, end);
    for (Index e = first; e < end; e += Lanes::count_from(e, end)) {
      Lanes lanes(e, end);
      lanes.fetch(kernel.elements, kernel.step.nodes.displacement, lanes.u);
      lanes.compute(kernel.materials.material_of(block), kernel.geometry, kernel.states, kernel.step.dt);
      std::uint8_t any = 0;
      for (int lane = 0; lane < lanes.count; ++lane) any |= kernel.flags[e + lane];
      if (any & ElementFlag::cohesive_sides) add_cohesive_sides(lanes);
      lanes.scatter(kernel.elements, SlotMemory<Vec2>{{kernel.slot_force, shared.slot}}, lanes.f);
      if (any & ElementFlag::loaded_facets) add_loads(block, lanes);
      if constexpr (output != Output::none) add_output(lanes, e - first);
    }
    for (Index n = kernel.blocks_of.first_node[block]; n < end_node; n += Step::workers) {
      NodeLanes<Step::workers> nodes(n, end_node);
      nodes.template sum_slots<Element::nodes == 3 ? 4 : 2>(kernel.step.assembly, shared.slot,
                                                            first_block_slot<Element>(block));
      nodes.step(kernel.step, [&](int i, const NodeWork& work) CLEAVE_LANE { shared.work.add(i, work); });
    }
    shared.work.add_to(kernel.ledger, 0, kernel.report, block, worker);
  }
  /// Prefetches forces of the cohesive sides of a block's elements before the elements keep the
  /// processor busy: they are scattered in memory, and other threads wrote them.
  void fetch_cohesive_lines(Index first, Index end) const {
    Index with_sides[elements_per_block];
    int count = 0;
    for (Index e = first; e < end; ++e) {
      with_sides[count] = e;  // overwritten unless e has cohesive sides: a branch would be mispredicted too often
      count += kernel.flags[e] & ElementFlag::cohesive_sides ? 1 : 0;
    }
    for (int i = 0; i < count; ++i) fetch_line(kernel.elements.neighbour(with_sides[i], 0));
    for (int i = 0; i < count; ++i)
      for (int k = 0; k < Element::facets; ++k)
        if (const Index code = kernel.elements.neighbour(with_sides[i], k); is_cohesive(code))
          kernel.sides.fetch_lines(code);
  }
  void add_cohesive_sides(Lanes& lanes) const {
    for (int lane = 0; lane < lanes.count; ++lane) {
      if (!(kernel.flags[lanes.first + lane] & ElementFlag::cohesive_sides)) continue;
      Vec2 f[Element::nodes];
      for (int k = 0; k < Element::nodes; ++k) f[k] = lanes.f[k][lane];
      kernel.sides.add(kernel.elements, lanes.first + lane, f);
      for (int k = 0; k < Element::nodes; ++k) lanes.f[k][lane] = f[k];
    }
  }
  void add_loads(Index block, const Lanes& lanes) const {
    for (int lane = 0; lane < lanes.count; ++lane) {
      const Index e = lanes.first + lane;
      if (!(kernel.flags[e] & ElementFlag::loaded_facets)) continue;
      kernel.loads.template add<Material::finite>(
          kernel.loads.first_row[e],
          [&](Index load) { return kernel.load_on(kernel.flags[e] & ElementFlag::eroded, load); },
          [&](int k) { return lanes.u[k][lane]; },
          [&] {
            return thickness_change<Element>(
                kernel.materials.material_of(block), kernel.geometry.gradients_of(e),
                [&](int k) { return lanes.u[k][lane]; }, kernel.states.of(e), Real(0));
          },
          [&](int k, Vec2 force) { kernel.elements.slot(e, k).add(shared.slot, kernel.slot_force, force); });
    }
  }
  /// Energies and faults of elements, for output; worker `i` is the first of them.
  void add_output(const Lanes& lanes, int i) const {
    Real inside_out[Lanes::most];
    lanes.find_inside_out(kernel.geometry, inside_out);
    for (int lane = 0; lane < lanes.count; ++lane) {
      shared.work.set_material(i + lane, lanes.stored[lane], kernel.states, lanes.first + lane);
      if (inside_out[lane] != 0 && !(kernel.flags[lanes.first + lane] & ElementFlag::eroded))
        kernel.fault->report(FaultCode::inverted_element, lanes.first + lane, FaultRecord::unknown_step);
    }
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
