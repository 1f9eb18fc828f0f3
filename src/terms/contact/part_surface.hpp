/// The surface of a body as the contact of its sides with each other sees it: straight parts of exposed sides.
///
/// A side of T3 is one part, a side of T6 two: start to middle, middle to end. Part k of side s is number parts s + k.
/// A side is exposed on the boundary, and where its cohesive element has failed; what becomes exposed takes part from
/// the next search on.
#pragma once

#include "body/by_material.hpp"
#include "terms/contact/contact_steps.hpp"
#include "terms/contact/surface.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Exposure of a side. Saved: a run that goes on exposes sides with the same search as one that was not stopped.
struct SideState {
  std::uint8_t exposed = 0;
  std::uint8_t sharp = 0;  ///< bit 0: the corner at its start, bit 1: at its end
};

template <class Element>
struct PartSurface {
  static constexpr int parts_of_side = Element::facet_nodes - 1;
  Surface<Element> of;
  Index sides;             ///< how many there are, or room for; others are not exposed
  const SideState* state;  ///< [side]
  const Real* limits;      ///< [element] deepest that a point may sink, m: also for elements that share a node with it
  const FloatBox* boxes;   ///< [part] see SweptBoxes
  ByMaterial<Real> modulus;  ///< penalty times E, Pa
  Real cap_factor;           ///< see Surface::stiffness_cap
  Real thickness;            ///< m
  Real dt;                   ///< 0 at the start, s

  CLEAVE_HD Index parts() const { return parts_of_side * sides; }
  CLEAVE_HD Index points() const { return points_of_side * sides; }
  CLEAVE_HD Index parts_in_use() const { return parts_of_side * of.sides(); }
  CLEAVE_HD Index points_in_use() const { return points_of_side * of.sides(); }
  CLEAVE_HD bool is_exposed(Index part) const { return state[part / parts_of_side].exposed != 0; }
  CLEAVE_HD bool has_point(Index point) const { return state[point / points_of_side].exposed != 0; }

  CLEAVE_HD Index node(Index part, int end) const {
    return of.node(part / parts_of_side, static_cast<int>(part % parts_of_side) + end);
  }
  /// The part that meets a part in its start or end.
  CLEAVE_HD Index beside(Index part, int end) const {
    const Index inside = part % parts_of_side + (end == 1 ? 1 : -1);
    if (inside >= 0 && inside < parts_of_side) return part + (end == 1 ? 1 : -1);
    const NodeSides there = of.at_node[node(part, end)];
    const Index side = end == 1 ? there.begins : there.ends;
    if (side < 0 || state[side].exposed == 0) return -1;
    return end == 1 ? parts_of_side * side : parts_of_side * side + parts_of_side - 1;
  }
  CLEAVE_HD bool is_sharp(Index part, int end) const {
    const bool at_end_of_side = part % parts_of_side == (end == 1 ? parts_of_side - 1 : 0);
    return at_end_of_side && (state[part / parts_of_side].sharp >> end & 1) != 0;
  }
  CLEAVE_HD Vec2 position(Index n) const { return of.position[n] + of.displacement[n]; }
  CLEAVE_HD Vec2 motion(Index n) const { return dt * of.velocity[n]; }

  CLEAVE_HD Index element(Index part) const { return element_of(of.facet(part / parts_of_side)); }
  CLEAVE_HD bool has_node(Index e, Index n) const {
    for (int i = 0; i < Element::nodes; ++i)
      if (of.elements.node(e, i) == n) return true;
    return false;
  }
  CLEAVE_HD bool share_node(Index e, Index other) const {
    for (int i = 0; i < Element::nodes; ++i)
      if (has_node(other, of.elements.node(e, i))) return true;
    return false;
  }
  CLEAVE_HD Real limit(Index part) const { return limits[element(part)]; }
  CLEAVE_HD Real depth_limit(Index point) const { return limits[element_of(of.facet(point / points_of_side))]; }
  CLEAVE_HD FloatBox box(Index part) const { return boxes[part]; }

  CLEAVE_HD PointPlace place(Index point) const {
    const Index side = point / points_of_side, first = parts_of_side * side, last = first + parts_of_side - 1;
    const int i = static_cast<int>(point % points_of_side);
    const auto nodes = of.nodes_of(side, i);
    PointPlace at{{nodes.node[0], nodes.node[nodes.count - 1]}, {{first, last}}, element(first)};
    if (i == 0) at.own = {{beside(first, 0), first}};
    if (i == 2) at.own = {{last, beside(last, 1)}};
    return at;
  }
  /// Stiffness of a point against a part, N/m, as far as the step allows at the nodes of both. The points of both
  /// bodies act: each has half. A point of a long side that presses a short one stands for more than the nodes of this
  /// one bear.
  CLEAVE_HD Real stiffness(Index point, Index part) const {
    const Index side = point / points_of_side;
    const int i = static_cast<int>(point % points_of_side);
    const auto own = of.nodes_of(side, i);
    const Index nodes[4] = {own.node[0], own.node[own.count - 1], node(part, 0), node(part, 1)};
    const Real length = of.length(side);
    Real per_area = modulus.of(element_of(of.facet(side))) / length, mass = of.assembly[nodes[0]].mass();
    for (const Index n : nodes) {
      per_area = smaller(per_area, of.stiffness_cap(n, cap_factor, thickness));
      mass = smaller(mass, of.assembly[n].mass());
    }
    return Real(0.5) * smaller(per_area * point_weight(i) * length * thickness, cap_factor * mass);
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
};

/// The surface of a body with the numbers of its case.
template <class Element>
struct ContactSurface {
  Surface<Element> surface;
  const std::uint8_t* touching;  ///< [element] see Model; null: all
  ByMaterial<Real> modulus;      ///< penalty times E, Pa
  Real cap_factor;               ///< see Surface::stiffness_cap

  /// Whether a side takes part in contact.
  CLEAVE_HD bool has(Index side) const { return touching == nullptr || touching[element_of(surface.facet(side))] != 0; }
  /// Whether both sides of a cohesive element do. Where only one does, the element goes on pressing its faces itself.
  CLEAVE_HD bool has_both_of(Index cohesive) const {
    const Index first = surface.boundary_sides + 2 * cohesive;
    return has(first) && has(first + 1);
  }
};

/// Exposes sides: on the boundary, and of cohesive elements that have failed.
/// @tparam Failed  failed(c): whether a cohesive element has failed at all its Gauss points
template <class Element, class Failed>
struct ExposeSides {
  static constexpr KernelTraits traits{.name = "exposed sides"};
  ContactSurface<Element> of;
  Index sides;
  Failed failed;
  SideState* state;  ///< [side]

  CLEAVE_HD Index size() const { return sides; }
  CLEAVE_HD void operator()(Index side) const {
    const Index of_cohesive = side - of.surface.boundary_sides;
    if (of_cohesive < 0 ? of.has(side) : of.has_both_of(of_cohesive / 2) && failed(of_cohesive / 2))
      state[side].exposed = 1;
  }
};

/// Asks for a search when a cohesive element has failed whose sides are not exposed yet.
/// @tparam Failed  see ExposeSides
template <class Element, class Failed>
struct FailureDue {
  static constexpr KernelTraits traits{.name = "newly failed sides", .has_in_use = true};
  ContactSurface<Element> of;
  Index capacity;  ///< of cohesive elements
  Failed failed;
  const SideState* state;  ///< [side]
  DeviceGate gate;
  Index* due;  ///< set to 1; never reset here

  CLEAVE_HD Index size() const { return capacity; }
  CLEAVE_HD Index in_use() const { return of.surface.live->cohesive; }
  CLEAVE_HD void operator()(Index c) const {
    if (!gate.is_open() || state[of.surface.boundary_sides + 2 * c].exposed != 0) return;
    if (failed(c) && of.has_both_of(c)) atomic_write(*due, 1);
  }
};

/// Notes which corners of exposed sides are sharp, as the body was at the start: a corner does not become sharp while a
/// point is there. The faces of a crack coincide then, and its tip is not sharp.
template <class Element>
struct NoteSharpCorners {
  static constexpr KernelTraits traits{.name = "sharp corners"};
  PartSurface<Element> surface;
  SideState* state;  ///< [side]

  CLEAVE_HD Index size() const { return surface.sides; }
  CLEAVE_HD void operator()(Index side) const {
    if (state[side].exposed == 0) return;
    constexpr int parts = PartSurface<Element>::parts_of_side;
    int sharp = 0;
    for (int end = 0; end < 2; ++end) {
      const Index part = parts * side + (end == 1 ? parts - 1 : 0), beside = surface.beside(part, end);
      if (beside < 0) continue;
      const PartLine here = at_start(part), there = at_start(beside);
      if (turns_convex(here, there, end) && -dot(here.tangent, there.tangent) > sharp_cosine) sharp |= 1 << end;
    }
    state[side].sharp = static_cast<std::uint8_t>(sharp);
  }

 private:
  CLEAVE_HD PartLine at_start(Index part) const {
    return line_between(surface.of.position[surface.node(part, 0)], surface.of.position[surface.node(part, 1)]);
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
