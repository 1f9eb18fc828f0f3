/// The surface of a body: sides that may touch, and the contact points on them.
///
/// A row for each side: boundary facets in the order of their codes, then both sides of each cohesive element. Three
/// contact points a side: start, middle, end, with the weights 1/6, 4/6, 1/6. The middle of a T3's side acts half on
/// each end. Each part of the body runs counter-clockwise: at every node of the surface one side begins and one ends.
#pragma once

#include "body/element_table.hpp"
#include "body/gather_table.hpp"
#include "body/live_counts.hpp"
#include "cleave/mesh/facet.hpp"

namespace cleave::inline CLEAVE_PRECISION {

inline constexpr int points_of_side = 3;

/// Share of a side that a contact point stands for.
CLEAVE_HD constexpr Real point_weight(int point) { return point == 1 ? Real(4) / 6 : Real(1) / 6; }

/// Sides that meet in a node; -1: none. In a mid-side node begins and ends its side.
struct NodeSides {
  Index begins = -1;
  Index ends = -1;
};

template <class Element>
struct Surface {
  ElementTable<Element> elements;
  const Index* boundary;  ///< [row] facet codes
  Index boundary_sides;
  const LiveCounts* live;
  NodeSides* at_node;            ///< [node]
  const Real* inverse_mass;      ///< [node] 1/kg
  const Vec2* position;          ///< [node] at the start, m
  const Vec2* displacement;      ///< [node], m
  const Vec2* velocity;          ///< [node] in the middle of the step before, m/s
  const std::uint8_t* touching;  ///< [element] see Model; null: all
  static constexpr int last = Element::facet_nodes - 1;
  static constexpr int parts_of_side = last;  ///< straight parts

  CLEAVE_HD Index sides() const { return boundary_sides + 2 * live->cohesive; }
  CLEAVE_HD Index facet(Index side) const {
    const Index of_cohesive = side - boundary_sides;
    return of_cohesive < 0 ? boundary[side] : elements.cohesive_facet(of_cohesive / 2, of_cohesive % 2);
  }
  CLEAVE_HD Index node(Index side, int i) const {
    const Index code = facet(side);
    return elements.facet_node(element_of(code), facet_of(code), i);
  }
  /// Whether a side takes part in contact.
  CLEAVE_HD bool touches(Index side) const { return touching == nullptr || touching[element_of(facet(side))] != 0; }
  /// Whether a side touches others of the surface once it is exposed. Where only one of both sides of a cohesive
  /// element takes part, the element goes on pressing its faces itself.
  CLEAVE_HD bool may_be_exposed(Index side) const {
    const Index of_cohesive = side - boundary_sides;
    return touches(side) && (of_cohesive < 0 || touches(boundary_sides + (of_cohesive ^ 1)));
  }
  /// Reference length, m.
  CLEAVE_HD Real length(Index side) const {
    const Vec2 span = position[node(side, last)] - position[node(side, 0)];
    return std::sqrt(dot(span, span));
  }

  /// Nodes that a contact point lies on, one or two, each with the same share.
  struct PointNodes {
    Index node[2];
    int count;
  };
  CLEAVE_HD PointNodes nodes_of(Index side, int point) const {
    if (point == 0) return {{node(side, 0), -1}, 1};
    if (point == 2) return {{node(side, last), -1}, 1};
    if constexpr (Element::facet_nodes == 3) return {{node(side, 1), -1}, 1};
    return {{node(side, 0), node(side, last)}, 2};
  }
  CLEAVE_HD Real mass(Index node) const { return 1 / inverse_mass[node]; }  ///< kg
  /// Mean of nodal values at a contact point.
  CLEAVE_HD static Vec2 mean(const PointNodes& of, const Vec2* nodal) {
    return of.count == 1 ? nodal[of.node[0]] : Real(0.5) * (nodal[of.node[0]] + nodal[of.node[1]]);
  }

  /// The largest stiffness per area at a node that takes the share s of the step's stability, Pa/m: 2 s m over dt^2 and
  /// the area of the surface that the node stands for. A node that splits has less of both.
  /// @param cap_factor  2 s / dt^2, 1/s^2
  CLEAVE_HD Real stiffness_cap(Index node, Real cap_factor, Real thickness) const {
    return cap_factor * mass(node) / (thickness * length_at(node, [](Index) { return true; }));
  }
  /// Reference length of the surface that a node stands for, m.
  /// @param counts  counts(side): which sides to count
  template <class Counts>
  CLEAVE_HD Real length_at(Index node, Counts counts) const {
    const NodeSides sides = at_node[node];
    const auto share = [&](Index side, int i) {
      return side >= 0 && counts(side) ? Element::facet_weight(i) * length(side) : Real(0);
    };
    if (Element::facet_nodes == 3 && sides.begins == sides.ends) return share(sides.begins, 1);
    return share(sides.begins, 0) + share(sides.ends, 0);
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
