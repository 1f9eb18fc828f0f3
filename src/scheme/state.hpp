/// The arrays of a simulation in solver memory, and the views that kernels get of them.
#pragma once

#include <algorithm>

#include "cleave/core/fault.hpp"
#include "cleave/lockstep/kernel.hpp"
#include "kernels/element_table.hpp"
#include "kernels/gather_table.hpp"
#include "kernels/node_update.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Sets that many values, however many they are: a launch has no more than an Index can count.
/// @param at_once  values of a launch
template <class Backend, class T>
void launch_fill(Backend& backend, T* data, std::size_t count, T value, std::size_t at_once = std::size_t{1} << 30) {
  for (std::size_t first = 0; first < count; first += at_once)
    backend.launch(Fill<T>{data + first, static_cast<Index>(std::min(at_once, count - first)), value});
}

/// Makes an array longer; what is added has that value.
template <class Backend, class Buffer, class T>
void grow_filled(Backend& backend, Buffer& buffer, std::size_t size, T value) {
  const std::size_t before = buffer.size();
  if (size <= before) return;
  buffer.resize(size);
  launch_fill(backend, buffer.data() + before, size - before, value);
}

/// Arrays by node of a body force, of absorbing boundaries, of drag and of artificial viscosity; empty if there is none
/// of them.
template <class Backend>
struct OutsideState {
  template <class T>
  using Buffer = typename Backend::template Buffer<T>;
  using Works = OutsideForces::Works;

  bool pushes = false;  ///< there is a body force, or dashpots, or drag
  bool absorbs = false, drags = false, is_viscous = false;
  Buffer<Sym2> damping;
  Buffer<Vec2> accelerations, viscous, drag;
  Buffer<double> work, drag_work;

  bool acts() const { return pushes || is_viscous; }
  /// Calls f(buffer, values per node) for every array that is part of the state from step to step.
  template <class F>
  void for_each_saved(F f) {
    if (absorbs) f(damping, 1);
    if (pushes) f(accelerations, decltype(OutsideForces::accelerations)::fields);
    if (acts()) f(work, Works::Sums::count);
    if (drags) f(drag, 1);
    if (drags) f(drag_work, Drag::Works::Sums::count);
    if (is_viscous) f(viscous, 1);
  }
  void reserve(Backend& backend, Index room) {
    const auto nodes = static_cast<std::size_t>(room);
    if (absorbs) damping.resize(nodes);
    if (!acts()) return;
    if (pushes) grow_filled(backend, accelerations, decltype(OutsideForces::accelerations)::fields * nodes, Vec2{});
    grow_filled(backend, work, Works::Sums::count * nodes, 0.0);
    if (drags) grow_filled(backend, drag, nodes, Vec2{});
    if (drags) grow_filled(backend, drag_work, Drag::Works::Sums::count * nodes, 0.0);
    if (is_viscous) grow_filled(backend, viscous, nodes, Vec2{});
  }
  OutsideForces forces() {
    return {
        damping.data(), {accelerations.data()}, {{work.data()}}, viscous.data(), {drag.data(), {{drag_work.data()}}}};
  }
};

/// Arrays by node. Capacity grows ahead of insertion; `count` nodes are in use.
template <class Backend>
struct NodeState {
  template <class T>
  using Buffer = typename Backend::template Buffer<T>;

  Index count = 0;
  Index stress_rows = 1;  ///< of a node in stress_sum
  Buffer<Vec2> position, displacement, velocity, acceleration;
  Buffer<Vec2> dropped;  ///< of displacements; empty unless `compensated`
  Buffer<Vec2> internal_force, cohesive_force, external_force;
  Buffer<Real> stress_sum;  ///< NodalStressTable, see NodalStressRows
  Buffer<std::uint8_t> motion_x, motion_y, flagged;
  bool ranks_facets = false;     ///< see RankFacets
  Buffer<LoadRank> most_loaded;  ///< empty unless `ranks_facets`
  OutsideState<Backend> outside;

  /// Calls f(buffer, values per node) for every array that is part of the state from step to step.
  template <class F>
  void for_each_saved(F f) {
    for (auto* b :
         {&position, &displacement, &velocity, &acceleration, &internal_force, &cohesive_force, &external_force})
      f(*b);
    if constexpr (compensated) f(dropped);
    f(motion_x);
    f(motion_y);
  }

  Index capacity() const { return static_cast<Index>(position.size()); }
  std::size_t stress_extent(Index nodes) const {
    return static_cast<std::size_t>(stress_rows) * NodalStressTable::extent(nodes);
  }

  void reserve(Backend& backend, Index room) {
    const Index before_room = capacity();
    if (room <= before_room) return;
    for_each_saved([&](auto& buffer) { buffer.resize(room); });
    for (auto* motion : {&motion_x, &motion_y})
      backend.launch(Fill<std::uint8_t>{motion->data() + before_room, room - before_room, 0});
    stress_sum.resize(stress_extent(room));
    flagged.resize(room);
    if (ranks_facets) most_loaded.resize(room);
    outside.reserve(backend, room);
  }

  /// @param mass  [node], kg; null where they lie elsewhere
  NodeTable table(const Real* mass = nullptr) {
    return {
        motion(),        acceleration.data(), mass, internal_force.data(), cohesive_force.data(), external_force.data(),
        outside.forces()};
  }
  NodeMotion motion() {
    return {count, displacement.data(), velocity.data(), motion_x.data(), motion_y.data(), dropped.data()};
  }
};

/// Arrays of bulk elements and the element table with its cohesive rows.
template <class Backend, class Element>
struct ElementState {
  template <class T>
  using Buffer = typename Backend::template Buffer<T>;

  Index count = 0;  ///< bulk elements
  Buffer<ElementNode> nodes;
  Buffer<Index> neighbours;
  Buffer<CohesiveRow<Element>> cohesive_rows;
  Buffer<Real> mass, stress;
  Buffer<std::uint8_t> fractured;  ///< bit k: facet k breaks in this check
  Buffer<std::uint8_t> flags;      ///< ElementFlag
  Buffer<Index> colour_order;      ///< element ids grouped by colour
  std::vector<Index> offsets;      ///< [colours + 1] ranges in colour_order

  ElementTable<Element> table() {
    return {{nodes.data()}, {neighbours.data()}, mass.data(), cohesive_rows.data(), count};
  }
  int colours() const { return static_cast<int>(offsets.size()) - 1; }
  ElementList of_colour(int c) { return {colour_order.data() + offsets[c], offsets[c + 1] - offsets[c]}; }
};

/// Numbers that kernels count up, read by the host after a pass.
struct Counters {
  Index selected = 0;            ///< entries that a compaction kept
  Index fractured_facets = 0;    ///< facets that break in this check
  Index fractured_elements = 0;  ///< elements that own any of them
  Index flagged_nodes = 0;       ///< nodes whose stress may break a facet
  Index check_skipped = 0;       ///< 1 when facets of the check before are still to be cut
  Index near_strength = 0;  ///< 1 when a stress is near what may break a facet; 0: nodal stresses need not be known

  /// Set back for the next check: where one has flagged nodes, the next one will.
  CLEAVE_HD Counters set_back() const {
    Counters next;
    next.near_strength = flagged_nodes != 0 ? 1 : 0;
    return next;
  }
  /// Set back after insertion, before they are for the next check.
  CLEAVE_HD Counters without_facets() const {
    Counters left;
    left.flagged_nodes = flagged_nodes;
    return left;
  }
};

/// What the host reads of a run, together and at once: counts, faults, and sums over the body.
struct DeviceStatus {
  static constexpr double unknown = -1;
  Counters counters;
  LiveCounts live;
  FaultRecord fault;
  Index failed_changed = 0;   ///< 1 when there are more failed elements than at the last sums
  Index fragments = 0;        ///< as counted then
  LoadBits largest_load = 0;  ///< see FracturedFacets
  QuantityTotals totals;
  GroupSums groups[most_held_groups];  ///< last, as only those that there are go to the host
};

/// Sets the counters back.
struct ClearCounters {
  static constexpr const char* name = "counters";
  DeviceStatus* report;

  CLEAVE_HD Index size() const { return 1; }
  CLEAVE_HD void operator()(Index) const { report->counters = report->counters.without_facets(); }
};

/// Ends the steps of a recording: their inputs are done with, and counters are set back for the check. If facets of the
/// last check are still to be cut, the steps have not been taken, and the check does not count.
struct BookSteps {
  static constexpr const char* name = "booked steps";
  DeviceStatus* report;
  Index steps;

  CLEAVE_HD Index size() const { return 1; }
  CLEAVE_HD void operator()(Index) const {
    if (report->counters.fractured_facets != 0) {
      report->counters.check_skipped = 1;
      return;
    }
    report->counters = report->counters.set_back();
    report->live.row += steps;
  }
};

/// Counts what a pass of walks has inserted as in use.
struct BookInsertion {
  static constexpr const char* name = "booked insertion";
  DeviceStatus* report;
  Index facets;
  const Index* copies;  ///< number of new nodes

  CLEAVE_HD Index size() const { return 1; }
  CLEAVE_HD void operator()(Index) const {
    report->live.cohesive += facets;
    report->live.nodes += *copies;
  }
};

/// Scratch of an insertion pass.
template <class Backend>
struct InsertionScratch {
  template <class T>
  using Buffer = typename Backend::template Buffer<T>;
  Buffer<Index> elements;     ///< with fractured facets
  Buffer<Index> first_facet;  ///< by entry of FacetsOfList or FacetsOfAll
  Buffer<Index> found;        ///< see FracturedFacets
};

}  // namespace cleave::inline CLEAVE_PRECISION
