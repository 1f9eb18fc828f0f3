/// The surface of a body as the contact of its sides with each other sees it: straight parts of exposed sides.
///
/// A side is exposed on the boundary, and where its cohesive element has failed. Rows of candidates also have the sides
/// of elements that still hold, so that those may be exposed without a search.
#pragma once

#include "terms/contact/contact_steps.hpp"
#include "terms/contact/part_table.hpp"

namespace cleave::inline CLEAVE_PRECISION {

template <class Element>
struct PartSurface {
  static constexpr int parts_of_side = Surface<Element>::parts_of_side;
  Surface<Element> of;
  Index sides;             ///< how many there are, or room for; others are not exposed
  const SideState* state;  ///< [side]
  PartTable table;
  Real cap_factor;  ///< see Surface::stiffness_cap
  Real thickness;   ///< m
  Real dt;          ///< 0 at the start, s

  CLEAVE_HD Index parts() const { return parts_of_side * sides; }
  CLEAVE_HD Index points() const { return points_of_side * sides; }
  CLEAVE_HD Index parts_in_use() const { return parts_of_side * of.sides(); }
  CLEAVE_HD Index points_in_use() const { return points_of_side * of.sides(); }
  CLEAVE_HD bool is_exposed(Index part) const { return state[part / parts_of_side].exposed != 0; }
  CLEAVE_HD bool has_point(Index point) const { return state[point / points_of_side].exposed != 0; }
  CLEAVE_HD bool may_be_exposed(Index part) const { return of.may_be_exposed(part / parts_of_side); }
  CLEAVE_HD bool may_have_point(Index point) const { return of.may_be_exposed(point / points_of_side); }

  CLEAVE_HD Index node(Index part, int end) const { return table.nodes[part].node[end]; }
  CLEAVE_HD Index beside(Index part, int end) const { return table.ends[part].beside[end]; }
  CLEAVE_HD Index joined(Index part, int end) const { return table.ends[part].joined(end); }
  CLEAVE_HD bool is_sharp(Index part, int end) const { return table.ends[part].is_sharp(end); }
  CLEAVE_HD Vec2 position(Index n) const { return of.position[n] + of.displacement[n]; }
  CLEAVE_HD Vec2 motion(Index n) const { return dt * of.velocity[n]; }
  CLEAVE_HD PartSpan span(Index part) const { return read_record(table.spans[part]); }
  CLEAVE_HD void set_place(Index part, const PartSpan& span) const { write_record(table.spans[part], span); }
  CLEAVE_HD void begin_step(Index part) const {
    const Forced forced = table.forced[part];
    if (forced != Forced::no) table.forced[part] = forced == Forced::before ? Forced::no : Forced::before;
  }

  CLEAVE_HD void press(Index point, Index part) const {
    force(part);
    for (int i = 0; i < parts_of_side; ++i) force(parts_of_side * (point / points_of_side) + i);
  }
  CLEAVE_HD bool is_pressed(Index part) const { return table.forced[part] == Forced::now; }
  CLEAVE_HD bool is_forced(Index part) const { return table.forced[part] != Forced::no; }
  CLEAVE_HD bool may_have_part(Index point) const { return is_forced(part_at(point)); }

  CLEAVE_HD Index element(Index part) const { return table.ends[part].element; }
  /// Mid-side nodes of the surface have one element alone.
  CLEAVE_HD bool has_node(Index e, Index n) const {
    for (int i = 0; i < Element::corners; ++i)
      if (of.elements.node(e, i) == n) return true;
    return false;
  }
  CLEAVE_HD bool share_node(Index e, Index other) const {
    for (int i = 0; i < Element::corners; ++i)
      if (has_node(other, of.elements.node(e, i))) return true;
    return false;
  }
  CLEAVE_HD Real limit(Index part) const { return table.nodes[part].limit; }
  CLEAVE_HD Real depth_limit(Index point) const { return limit(parts_of_side * (point / points_of_side)); }

  CLEAVE_HD PointPlace place(Index point) const {
    const Index first = parts_of_side * (point / points_of_side), last = first + parts_of_side - 1;
    const Index i = point % points_of_side;
    const PartEnds& ends = table.ends[i == 2 ? last : first];
    const Index* node = table.nodes[i == 2 ? last : first].node;
    PointPlace at{{node[0], node[1]}, {{first, last}}, ends.element};
    if (i == 0) at = {{node[0], node[0]}, {{ends.joined(0), first}}, ends.element};
    if (i == 2) at = {{node[1], node[1]}, {{last, ends.joined(1)}}, ends.element};
    if (parts_of_side == 2 && i == 1) at.node[0] = at.node[1];
    return at;
  }
  CLEAVE_HD Vec2 point_at(Index point) const {
    const PartSpan at = span(part_at(point));
    const Index i = point % points_of_side;
    if (i == 0) return at.start;
    if (i == 2 || parts_of_side == 2) return at.end;
    return Real(0.5) * (at.start + at.end);
  }
  /// Stiffness of a point against a part, N/m, as far as the step allows at the nodes of both. The points of both
  /// bodies act: each has half. A point of a long side that presses a short one stands for more than the nodes of this
  /// one bear.
  CLEAVE_HD Real stiffness(Index point, Index part) const {
    const Index first = parts_of_side * (point / points_of_side), last = first + parts_of_side - 1;
    const int i = static_cast<int>(point % points_of_side);
    const PartBearing& own = table.bearing[i == 2 ? last : first];
    const PartBearing& other = table.bearing[part];
    Real per_area = smaller(own.per_area, smaller(other.cap[0], other.cap[1]));
    Real mass = smaller(other.mass[0], other.mass[1]);
    for (int end = 0; end < 2; ++end) {
      if (!acts_on(i, end)) continue;
      per_area = smaller(per_area, own.cap[end]);
      mass = smaller(mass, own.mass[end]);
    }
    return Real(0.5) * smaller(per_area * point_weight(i) * own.length * thickness, cap_factor * mass);
  }
  template <class Visit>
  CLEAVE_HD void for_each_point_at(Index part, int end, Visit visit) const {
    const Index side = part / parts_of_side, inside = part % parts_of_side + end;
    if (inside == 0) visit(points_of_side * side, Real(1));
    if (inside == parts_of_side) visit(points_of_side * side + 2, Real(1));
    if constexpr (Element::facet_nodes == 2) visit(points_of_side * side + 1, Real(0.5));
    if constexpr (Element::facet_nodes == 3) {
      if (inside == 1 && end == 0) visit(points_of_side * side + 1, Real(1));
    }
  }

  template <class Visit>
  CLEAVE_HD void for_each_point_at_ends(Index part, Visit visit) const {
    for (int end = 0; end < 2; ++end) {
      const NodeSides here = of.at_node[node(part, end)];
      if (here.begins >= 0) visit(points_of_side * here.begins);
      if (here.ends >= 0) visit(points_of_side * here.ends + 2);
    }
  }

 private:
  /// A part that a point lies on: the first one for the middle.
  CLEAVE_HD static Index part_at(Index point) {
    return parts_of_side * (point / points_of_side) + (point % points_of_side == 2 ? parts_of_side - 1 : 0);
  }
  /// Its end is the start of the part joined there, which adds up the forces on the node.
  CLEAVE_HD void force(Index part) const {
    atomic_write(table.forced[part], Forced::now);
    const Index next = joined(part, 1);
    if (next >= 0) atomic_write(table.forced[next], Forced::now);
  }
  /// Whether point i of a side acts on an end of the part that it belongs to: the first one for the middle.
  CLEAVE_HD static constexpr bool acts_on(int i, int end) {
    return i == 0 ? end == 0 : end == 1 || (i == 1 && parts_of_side == 1);
  }
};

/// Exposes sides: on the boundary, and of cohesive elements that have failed.
/// @tparam Failed  failed(c): whether a cohesive element has failed at all its Gauss points
template <class Element, class Failed>
struct ExposeSides {
  static constexpr KernelTraits traits{.name = "exposed sides"};
  Surface<Element> surface;
  Index sides;
  Failed failed;
  SideState* state;  ///< [side]

  CLEAVE_HD Index size() const { return sides; }
  CLEAVE_HD void operator()(Index side) const {
    const Index of_cohesive = side - surface.boundary_sides;
    if (surface.may_be_exposed(side) && (of_cohesive < 0 || failed(of_cohesive / 2))) state[side].exposed = 1;
  }
};

/// Exposes the sides of cohesive elements that have failed, as far as they have rows of candidates. Asks for a search
/// for others.
/// @tparam Failed  see ExposeSides
template <class Element, class Failed>
struct ExposeFailed {
  static constexpr KernelTraits traits{.name = "newly failed sides", .most_blocks = 4096, .has_in_use = true};
  Surface<Element> surface;
  Index capacity;  ///< of cohesive elements
  Failed failed;
  const Index* searched;  ///< number of cohesive elements with rows; null: none
  SideState* state;       ///< [side]
  Forced* forced;         ///< [part]
  DeviceGate gate;
  FailedInStep in_step;  ///< `due` is set to 1; nothing is reset here

  CLEAVE_HD Index size() const { return capacity; }
  CLEAVE_HD Index in_use() const { return surface.live->cohesive; }
  CLEAVE_HD void operator()(Index c) const {
    const Index first = surface.boundary_sides + 2 * c;
    if (!gate.is_open() || state[first].exposed != 0 || !failed(c) || !surface.may_be_exposed(first)) return;
    if (searched == nullptr || c >= *searched) return atomic_write(in_step.flags->due, 1);
    in_step.add(c);
    state[first].exposed = state[first + 1].exposed = 1;
    constexpr int parts = Surface<Element>::parts_of_side;
    for (int i = 0; i < 2 * parts; ++i) forced[parts * first + i] = Forced::is_new;
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
