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
  /// Slots of interior nodes, then those of border rows, and a zero.
  static constexpr int zero = 2 * slots_per_block<Element>;
  using Slots = Vec2[zero + 1];
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
    slots[zero] = {};
    const PackedBlocks<Element>& packed = kernel.packed;
    const BlockHeader& header = packed.headers[block];
    const RowPair* const pairs = packed.pairs_of(block);
    const BorderRow* const border = packed.border + header.first_border;
    fetch_border_lines(header, pairs, border);
    fetch_cohesive_lines(first, end);
    for (Index e = first; e < end; e += Lanes::count_from(e, end)) {
      Lanes lanes(e, end);
      lanes.fetch(packed, kernel.step.nodes.displacement);
      lanes.compute(kernel.materials.material_of(block), kernel.geometry, kernel.states, kernel.step.dt);
      std::uint8_t any = 0;
      for (int lane = 0; lane < lanes.count; ++lane) any |= kernel.flags[e + lane];
      if (any & ElementFlag::cohesive_sides) add_cohesive_sides(lanes);
      lanes.scatter(packed, slots);
      if (any & ElementFlag::loaded_facets) add_loads(block, lanes, slots);
      if constexpr (output != Output::none) add_output(lanes, e - first);
    }
    for (int row = 0; row < header.interior; row += elements_per_block) {
      NodeLanes<elements_per_block> nodes(header.first_node + row, header.first_node + header.interior);
      const NodeAssembly* const assembly = kernel.step.assembly + nodes.first;
      const Index first_slot = first_block_slot<Element>(block);
      const auto range_of = [&](int lane) {
        const SlotRange all = assembly[lane].range();
        return SlotRange{all.begin - first_slot, all.end - first_slot};
      };
      nodes.template sum_slots<Element::nodes == 3 ? 4 : 2>(range_of, slots);
      nodes.step(kernel.step, [&](int i, const NodeWork& work) CLEAVE_LANE { shared.work.add(i, work); });
    }
    for (int row = header.interior; row < header.rows; ++row)
      kernel.partial_force[border[row - header.interior].place] = sum_of_few(packed.slots_of(pairs, row), slots);
    shared.work.add_to(kernel.ledger, 0, kernel.report, block, worker);
  }
  /// Sum of the slots of a border row. Few have more than four: the others take zeros, which change no sum and spare a
  /// branch that would be mispredicted.
  Vec2 sum_of_few(const typename PackedBlocks<Element>::RowSlots& of_row, const Slots& slots) const {
    const int begin = PackedBlocks<Element>::first_border_slot + of_row.begin, end = begin + of_row.count;
    Vec2 sum = Vec2{} + slots[begin];
    CLEAVE_UNROLL
    for (int k = 1; k < 4; ++k) sum += slots[begin + k < end ? begin + k : zero];
    for (int slot = begin + 4; slot < end; ++slot) sum += slots[slot];
    return sum;
  }
  /// Prefetches what the end of the block needs: few bytes, far from those of the block before.
  void fetch_border_lines(const BlockHeader& header, const RowPair* pairs, const BorderRow* border) const {
    constexpr int line = 64;
    fetch_line((&header)[1]);
    for (int j = 0; j < header.border(); j += line / sizeof(BorderRow)) fetch_line(border[j]);
    for (int pair = header.interior / 2; pair < header.rows / 2; pair += line / sizeof(RowPair))
      fetch_line(pairs[pair]);
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
