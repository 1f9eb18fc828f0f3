/// The arrays of the gather assembly in solver memory.
#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

#include "cleave/mesh/blocks.hpp"
#include "kernels/gather_lists.hpp"
#include "kernels/gather_step.hpp"
#include "kernels/gather_stress.hpp"
#include "scheme/state.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Arrays of the gather assembly. Empty in the others.
template <class Backend, class Element>
struct GatherState {
  template <class T>
  using Buffer = typename Backend::template Buffer<T>;

  Index elements = 0;        ///< bulk elements
  Index original_nodes = 0;  ///< of the intact mesh
  Index first_shared = 0;    ///< first node that is not interior to a block
  Index first_free = 0;      ///< slots in memory of the intact mesh
  int most_elements = 0;     ///< at one node
  Buffer<Index> slot;        ///< SlotTable
  Buffer<Real> gradients;    ///< GradientTable
  Buffer<Index> first_node;  ///< BlockTable
  Buffer<SlotRange> range;   ///< [node]
  Buffer<Vec2> half_velocity;  ///< [node] v(n+1/2) while the state is looked at
  Buffer<Real> inverse_mass;   ///< [node]
  Buffer<std::uint8_t> flags;  ///< [node]
  Buffer<Vec2> slot_force;   ///< [slot in memory]
  Buffer<Sym2> slot_stress;  ///< [slot in memory]
  Buffer<double> work;       ///< WorkLedger: a row per block, then rows of the shared nodes
  int loads = 0;
  Buffer<Vec2> load_force;               ///< [load][capacity] for a line pressure of 1 N/m
  Buffer<Real> inputs;                   ///< [step of a segment][StepInput::width]
  std::vector<Real> inputs_there;        ///< what `inputs` holds
  Buffer<LiveCounts> live;
  Buffer<Vec2> cohesive_force;           ///< [cohesive][q]
  Buffer<double> cohesive_work;          ///< [cohesive][q]
  Buffer<Index> place, changed_nodes, changed_elements, incident;  ///< ChangedNodes

  Index blocks() const { return (elements + elements_per_block - 1) / elements_per_block; }
  Index work_rows(Index nodes) const {
    constexpr Index width = SharedNodeStep<false>::workers;
    return blocks() + (nodes - first_shared + width - 1) / width;
  }
  Index capacity() const { return static_cast<Index>(place.size()); }  ///< of nodes
  Vec2* load_of(int l) { return load_force.data() + static_cast<std::size_t>(l) * capacity(); }
  BlockTable block_table() { return {elements, first_node.data(), range.data()}; }
  SlotTable<Element> slots() { return {{slot.data()}}; }
  WorkLedger block_ledger() { return {{work.data()}}; }
  WorkLedger shared_ledger() { return {{work.data() + WorkLedger::kinds * static_cast<std::size_t>(blocks())}}; }
  ChangedNodes changed(Index* count) {
    return {place.data(), changed_nodes.data(), changed_elements.data(), incident.data(), count, most_elements};
  }

  /// Lists the slots of the intact mesh: per node in the order of element ids.
  void list_slots(const Mesh& mesh) {
    constexpr int width = Element::nodes;
    elements = mesh.element_count();
    original_nodes = mesh.node_count();
    const std::vector<Index> first = first_nodes_of_blocks(mesh);
    first_shared = first.back();

    std::vector<Index> incident_count(original_nodes, 0);
    for (const Index n : mesh.elements) ++incident_count[n];
    most_elements = *std::max_element(incident_count.begin(), incident_count.end());
    std::vector<SlotRange> ranges(original_nodes);
    const auto lay_out = [&](Index begin, Index end) {
      Index at = 0;
      for (Index n = begin; n < end; ++n) {
        ranges[n] = {at, at + incident_count[n]};
        at += incident_count[n];
      }
      return at;
    };
    for (Index b = 0; b < blocks(); ++b) lay_out(first[b], first[b + 1]);
    first_free = lay_out(first_shared, original_nodes);

    std::vector<Index> next(original_nodes);
    for (Index n = 0; n < original_nodes; ++n) next[n] = ranges[n].begin;
    std::vector<Index> table(Table<Index, width, 32>::extent(elements));
    const SlotTable<Element> view{{table.data()}};
    for (Index e = 0; e < elements; ++e)
      for (int i = 0; i < width; ++i) {
        const Index n = mesh.node(e, i), at = next[n]++;
        view.slot(e, i) = n < first_shared ? -1 - at : at;
      }
    slot.upload(table);
    range.upload(ranges);
    first_node.upload(first);
    gradients.resize(GradientTable::extent(elements));
  }

  /// Room for that many nodes.
  void reserve_nodes(Backend& backend, Index room) {
    const std::size_t before = place.size();
    if (room <= capacity()) return;
    place.resize(room);
    backend.launch(Fill<Index>{place.data() + before, static_cast<Index>(room - before), Index{-1}});
    range.resize(room);
    half_velocity.resize(room);
    inverse_mass.resize(room);
    flags.resize(room);
    const std::size_t in_memory = first_free + static_cast<std::size_t>(room - original_nodes) * most_elements;
    slot_force.resize(in_memory);
    slot_stress.resize(in_memory);
    load_force.resize(static_cast<std::size_t>(loads) * room);
    grow_zeroed(backend, work, WorkLedger::kinds * static_cast<std::size_t>(work_rows(room)));
  }

  void reserve_cohesive(Backend& backend, Index capacity) {
    const std::size_t points = FacetGauss::points * static_cast<std::size_t>(capacity);
    cohesive_force.resize(points);
    grow_zeroed(backend, cohesive_work, points);
  }

  void reserve_changed(Index nodes) {
    changed_nodes.resize(nodes);
    changed_elements.resize(nodes);
    incident.resize(static_cast<std::size_t>(nodes) * most_elements);
  }

  static void grow_zeroed(Backend& backend, Buffer<double>& buffer, std::size_t size) {
    const std::size_t before = buffer.size();
    if (size <= before) return;
    buffer.resize(size);
    backend.launch(Fill<double>{buffer.data() + before, static_cast<Index>(size - before), 0.0});
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
