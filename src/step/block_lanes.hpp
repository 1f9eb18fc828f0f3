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
  using Slots = Vec2[slots_per_block<Element>];
  const Step& kernel;
  typename Step::Shared& shared;
  template <class Worker>
  CLEAVE_HD_INLINE void run(Worker const& worker) const {
    const Index block = kernel.materials.block(worker.block);
    if (kernel.is_skipped(block)) return;
    const BlockRange range = kernel.materials.range_of(block);
    const Index first = range.begin_of(block), end = range.end_of(block);
    shared.work.clear();
    alignas(64) Slots slots;  // a line of the cache
    const PackedBlocks<Element>& packed = kernel.packed;
    const BlockHeader& header = packed.headers[block];
    const SlotLayers& layers = packed.layers[block];
    const BorderRow* const border = packed.border + header.first_border;
    fetch_border_lines(header, border);
    std::uint8_t any = 0;
    for (Index e = first; e < end; ++e) any |= kernel.flags[e];
    if (any & ElementFlag::cohesive_sides) fetch_cohesive_lines(first, end);
    for (Index e = first; e < end; e += Lanes::count_from(e, end)) {
      Lanes lanes(e, end);
      lanes.fetch(packed, kernel.step.nodes.displacement);
      lanes.compute(kernel.materials.material_of(block), kernel.geometry, kernel.states, kernel.step.dt);
      if (any & ElementFlag::cohesive_sides) add_cohesive_sides(lanes);
      lanes.scatter(packed, slots);
      if (any & ElementFlag::loaded_facets) add_loads(block, lanes, slots);
      if constexpr (output != Output::none) add_output(lanes, e - first);
    }
    alignas(64) Slots sums;
    add_up(layers.interior, slots, sums);
    for (int row = 0; row < header.interior; row += elements_per_block) {
      const NodeLanes<elements_per_block> nodes(header.first_node + row, header.first_node + header.interior);
      Vec2 in_order[elements_per_block];
      if (!layers.in_order)
        for (int lane = 0; lane < nodes.count; ++lane)
          in_order[lane] = sums[packed.slots_of(packed.pairs_of(block), row + lane).begin];
      nodes.step(kernel.step, layers.in_order ? sums + row : in_order,
                 [&](int i, const NodeWork& work) CLEAVE_LANE { shared.work.add(i, work); });
    }
    add_up(layers.border, slots + layers.border_begin, sums);
    for (int j = 0; j < header.border(); ++j) kernel.partial_force[border[j].place] = sums[j];
    shared.work.add_to(kernel.ledger, 0, kernel.report, block, worker);
  }
  /// Adds up the slots of rows, layer after layer.
  /// @param sums  [place of the row] N
  static void add_up(const SlotLayers::Rows& rows, const Vec2* slots, Vec2* sums) {
    for_lanes(rows[0], [&](int row) CLEAVE_LANE { sums[row] = Vec2{} + slots[row]; });
    for (int layer = 1; rows[layer] > 0; ++layer) {
      slots += rows[layer - 1];
      for_lanes(rows[layer], [&](int row) CLEAVE_LANE { sums[row] += slots[row]; });
    }
  }
  /// Prefetches what the end of the block needs: few bytes, far from those of the block before.
  void fetch_border_lines(const BlockHeader& header, const BorderRow* border) const {
    constexpr int line = 64;
    fetch_line((&header)[1]);
    for (int j = 0; j < header.border(); j += line / sizeof(BorderRow)) fetch_line(border[j]);
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
  void add_loads(Index block, const Lanes& lanes, Slots& slots) const {
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
          [&](int k, Vec2 force) { slots[kernel.packed.slots(e, k)] += force; });
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
