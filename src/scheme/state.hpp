/// The arrays of a simulation in solver memory, and the views that kernels get of them.
#pragma once

#include <algorithm>

#include "cleave/core/fault.hpp"
#include "cleave/solver/model.hpp"
#include "kernels/element_table.hpp"
#include "kernels/fracture_filter.hpp"
#include "kernels/gather_table.hpp"
#include "kernels/node_update.hpp"
#include "scheme/fields.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Arrays by node of a body force, of absorbing boundaries, of drag and of artificial viscosity; none is declared of
/// what a body does not have.
template <class Backend>
struct OutsideState {
  template <class T>
  using Field = cleave::Field<Backend, T>;
  using Works = OutsideForces::Works;

  bool pushes = false;  ///< there is a body force, or dashpots, or drag
  bool absorbs = false, drags = false, is_viscous = false;
  Field<Sym2> damping;
  Field<Vec2> accelerations, viscous, drag;
  Field<double> work, drag_work;

  bool acts() const { return pushes || is_viscous; }
  /// Works stay with the node when it splits, and so does the viscous force of the last step.
  void declare(Fields<Backend>& fields, const Model& model) {
    absorbs = !model.damping.empty();
    is_viscous = model.has_artificial_viscosity();
    drags = model.drag.rate > 0;
    pushes = model.has_body_force() || absorbs || drags;
    constexpr int kinds = decltype(OutsideForces::accelerations)::fields;
    const FieldUse vector{.on = On::node, .saved = true, .split = Split::copy};
    if (absorbs) damping = fields.template add<Sym2>("damping", vector);
    if (pushes) {
      FieldUse both = vector;
      both.width = kinds;
      accelerations = fields.add_filled("outside accelerations", both, Vec2{});
    }
    if (acts())
      work = fields.add_filled("outside works", {.on = On::node, .width = Works::Sums::count, .saved = true}, 0.0);
    if (drags) drag = fields.add_filled("drag", vector, Vec2{});
    if (drags)
      drag_work =
          fields.add_filled("drag works", {.on = On::node, .width = Drag::Works::Sums::count, .saved = true}, 0.0);
    if (is_viscous)
      viscous = fields.add_filled("viscous forces", {.on = On::node, .saved = true, .split = Split::zero}, Vec2{});
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
  using Field = cleave::Field<Backend, T>;

  Index count = 0;
  Index stress_rows = 1;  ///< of a node in stress_sum
  Field<Vec2> position, displacement, velocity, acceleration;
  Field<Vec2> dropped;  ///< of displacements; none unless `compensated`
  Field<Vec2> internal_force;
  Field<Real> stress_sum;  ///< NodalStressTable, see NodalStressRows
  Field<std::uint8_t> motion_x, motion_y, flagged;
  Field<LoadRank> most_loaded;  ///< see RankFacets; none unless facets are ranked
  OutsideState<Backend> outside;

  struct Uses {
    bool published;     ///< steps begin with the acceleration of the last one
    bool ranks_facets;  ///< see RankFacets
    bool hears_motion;  ///< neighbours send how their nodes move
  };
  void declare(Fields<Backend>& fields, const Model& model, const Uses& uses) {
    const FieldUse kept{.on = On::node, .saved = true, .split = Split::copy};
    FieldUse constant = kept, moving = kept;
    constant.rows_of = RowsOf::all_ranks;
    moving.exchanged = uses.hears_motion;
    moving.rows_of = RowsOf::owner_only;
    FieldUse of_step = moving, of_forces = moving;
    of_step.exchanged = of_forces.exchanged = false;
    of_step.split = uses.published ? Split::copy : Split::none;
    of_forces.split = uses.published ? Split::zero : Split::none;
    position = fields.template add<Vec2>("positions", constant);
    displacement = fields.template add<Vec2>("displacements", moving);
    velocity = fields.template add<Vec2>("velocities", moving);
    acceleration = fields.template add<Vec2>("accelerations", of_step);
    internal_force = fields.template add<Vec2>("internal forces", of_forces);
    if constexpr (compensated) {
      of_step.split = Split::copy;
      dropped = fields.template add<Vec2>("dropped digits", of_step);
    }
    motion_x = fields.add_filled("motions along x", constant, std::uint8_t{0});
    motion_y = fields.add_filled("motions along y", constant, std::uint8_t{0});
    FieldUse stress = table_use<NodalStressTable>(On::node);
    stress.width *= stress_rows;
    stress.shown = true;
    stress.rows_of = RowsOf::owner_only;
    stress_sum = fields.template add<Real>("nodal stresses", stress);
    flagged = fields.template add<std::uint8_t>("flagged nodes", {.on = On::node});
    if (uses.ranks_facets)
      most_loaded = fields.template add<LoadRank>("facet ranks", {.on = On::node, .exchanged = true});
    outside.declare(fields, model);
  }

  Index capacity() const { return static_cast<Index>(position.size()); }
  std::size_t stress_extent(Index nodes) const {
    return static_cast<std::size_t>(stress_rows) * NodalStressTable::extent(nodes);
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
  template <class T>
  using Field = cleave::Field<Backend, T>;
  using Rows = ElementTable<Element>;

  Index count = 0;  ///< bulk elements
  Field<ElementNode> nodes;
  Field<Index> neighbours;
  Field<CohesiveRow<Element>> cohesive_rows;
  Field<Real> mass;
  Field<Real> stress;             ///< at Gauss points; none unless it is asked for
  Field<std::uint8_t> fractured;  ///< bit k: facet k breaks in this check
  Field<std::uint8_t> flags;      ///< ElementFlag
  Buffer<Index> colour_order;     ///< element ids grouped by colour
  std::vector<Index> offsets;     ///< [colours + 1] ranges in colour_order

  /// @param stores_stress  of Gauss points
  /// @param erodes         flags change with the steps
  void declare(Fields<Backend>& fields, bool stores_stress, bool erodes) {
    FieldUse nodes_use = table_use<typename Rows::Nodes>(On::element),
             sides = table_use<typename Rows::Neighbours>(On::element);
    for (FieldUse* use : {&nodes_use, &sides}) {
      use->saved = true;
      use->rows_of = RowsOf::all_ranks;
    }
    nodes = fields.template add<ElementNode>("element nodes", nodes_use);
    neighbours = fields.template add<Index>("neighbours", sides);
    cohesive_rows = fields.template add<CohesiveRow<Element>>(
        "cohesive rows", {.on = On::cohesive, .saved = true, .rows_of = RowsOf::all_ranks});
    mass = fields.template add<Real>("element masses", {.on = On::element, .rows_of = RowsOf::all_ranks});
    if (stores_stress)
      stress = fields.template add<Real>(
          "stresses at Gauss points",
          {.on = On::element, .width = 3 * Element::gauss_points, .exchanged = true, .rows_of = RowsOf::owner_only});
    fractured =
        fields.template add<std::uint8_t>("facets that break", {.on = On::element, .rows_of = RowsOf::all_ranks});
    flags =
        fields.add_filled("element flags", {.on = On::element, .saved = erodes, .exchanged = true}, std::uint8_t{0});
  }

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
