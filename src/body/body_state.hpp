/// The arrays of a simulation in solver memory, and the views that kernels get of them.
#pragma once

#include <algorithm>

#include "body/element_table.hpp"
#include "body/fields.hpp"
#include "body/gather_table.hpp"
#include "body/node_motion.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Arrays by node. Capacity grows ahead of insertion; `count` nodes are in use.
template <class Backend>
struct NodeState {
  template <class T>
  using Field = cleave::Field<Backend, T>;

  Index count = 0;
  Index loose = 0;  ///< of a part: nodes none of whose elements it has
  Field<Vec2> position, displacement, velocity, acceleration;
  Field<Vec2> dropped;  ///< of displacements; none unless `compensated`
  Field<Vec2> internal_force;
  Field<std::uint8_t> motion_x, motion_y;

  /// @param published     steps begin with the acceleration of the last one
  /// @param hears_motion  other ranks send how their nodes move
  void declare(Fields<Backend>& fields, bool published, bool hears_motion) {
    const FieldUse kept{.on = On::node, .saved = true, .split = Split::copy};
    FieldUse constant = kept, moving = kept;
    constant.rows_of = RowsOf::all_ranks;
    moving.exchanged = hears_motion;
    moving.rows_of = RowsOf::owner_only;
    FieldUse of_step = moving, of_forces = moving;
    of_step.exchanged = of_forces.exchanged = false;
    of_step.split = published ? Split::copy : Split::none;
    of_forces.split = published ? Split::zero : Split::none;
    position = fields.template add<Vec2>("positions", constant);
    displacement = fields.template add<Vec2>("displacements", moving);
    velocity = fields.template add<Vec2>("velocities", moving);
    acceleration = fields.template add<Vec2>("accelerations", of_step);
    internal_force = fields.template add<Vec2>("internal forces", of_forces);
    if constexpr (compensated) {
      of_step.split = Split::copy;
      dropped = fields.template add<Vec2>("dropped digits", of_step);
    }
    constant.split = Split::copy_flagged;
    motion_x = fields.add_filled("motions along x", constant, std::uint8_t{0});
    motion_y = fields.add_filled("motions along y", constant, std::uint8_t{0});
  }

  Index capacity() const { return static_cast<Index>(position.size()); }
  NodeMotion motion() {
    return {count, displacement.data(), velocity.data(), motion_x.data(), motion_y.data(), dropped.data()};
  }
};

/// Arrays of bulk elements and the element table with its cohesive rows.
template <class Backend, class Element>
struct ElementState {
  template <class T>
  using Field = cleave::Field<Backend, T>;
  using Rows = ElementTable<Element>;

  Index count = 0;  ///< bulk elements
  Field<ElementNode> nodes;
  Field<Index> neighbours;
  Field<CohesiveRow<Element>> cohesive_rows;
  Field<Real> mass;
  Field<Real> stress;                 ///< at Gauss points; none unless it is asked for
  Field<std::uint8_t> near_strength;  ///< see ElementTraction; there with the stresses
  Field<std::uint8_t> flags;          ///< ElementFlag

  /// @param stores_stress  of Gauss points
  /// @param erodes         flags change with the steps
  void declare(Fields<Backend>& fields, bool stores_stress, bool erodes) {
    FieldUse nodes_use = table_use<typename Rows::Nodes>(On::element),
             sides = table_use<typename Rows::Neighbours>(On::element);
    for (FieldUse* use : {&nodes_use, &sides}) {
      use->saved = use->ids = true;
      use->rows_of = RowsOf::all_ranks;
    }
    nodes = fields.template add<ElementNode>("element nodes", nodes_use);
    neighbours = fields.template add<Index>("neighbours", sides);
    cohesive_rows = fields.template add<CohesiveRow<Element>>(
        "cohesive rows", {.on = On::cohesive, .ids = true, .saved = true, .rows_of = RowsOf::all_ranks});
    mass = fields.template add<Real>("element masses", {.on = On::element, .rows_of = RowsOf::all_ranks});
    if (stores_stress) {
      stress =
          fields.template add<Real>("stresses at Gauss points", {.on = On::element,
                                                                 .width = Element::stresses * Element::gauss_points,
                                                                 .exchanged = true,
                                                                 .rows_of = RowsOf::owner_only});
      near_strength = fields.add_filled("elements near the strength", {.on = On::element}, std::uint8_t{1});
    }
    flags =
        fields.add_filled("element flags", {.on = On::element, .saved = erodes, .exchanged = true}, std::uint8_t{0});
  }

  ElementTable<Element> table() {
    return {{nodes.data()}, {neighbours.data()}, mass.data(), cohesive_rows.data(), count};
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
