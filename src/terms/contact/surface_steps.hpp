/// Kernels of the surface: sides of nodes, and forces of contact points on nodes.
#pragma once

#include "cleave/lockstep/device_gate.hpp"
#include "cleave/lockstep/kernel.hpp"
#include "terms/contact/surface.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Writes the sides that meet in each node, when cohesive elements have been added, and flags the node. Forces of
/// contact begin anew: a node that splits may be left with sides that press nothing.
template <class Element>
struct LinkSides {
  static constexpr KernelTraits traits{.name = "sides of nodes", .most_blocks = 4096, .has_in_use = true};
  Surface<Element> surface;
  Index capacity;          ///< of sides
  const Index* linked;     ///< number of cohesive elements of which the sides have been written
  NodeAssembly* assembly;  ///< [node]
  Vec2* force;             ///< [node] of contact, N; null: keep it

  CLEAVE_HD Index size() const { return capacity; }
  CLEAVE_HD Index in_use() const { return *linked == surface.live->cohesive ? 0 : surface.sides(); }
  CLEAVE_HD void operator()(Index side) const {
    for (int i = 0; i < surface.last; ++i) {  // at its end, the next side begins
      const Index n = surface.node(side, i);
      assembly[n].flags |= pushed_node;
      if (force != nullptr) force[n] = {0, 0};
    }
    surface.at_node[surface.node(side, 0)].begins = side;
    surface.at_node[surface.node(side, surface.last)].ends = side;
    if constexpr (Element::facet_nodes == 3) surface.at_node[surface.node(side, 1)] = {side, side};
  }
};

struct NoteLinked {
  static constexpr KernelTraits traits{.name = "linked sides"};
  const LiveCounts* live;
  Index* linked;  ///< see LinkSides

  CLEAVE_HD Index size() const { return 1; }
  CLEAVE_HD void operator()(Index) const { *linked = live->cohesive; }
};

/// Asks for a list of the surface when cohesive elements have been added that other ranks do not know to be part of it.
struct SurfaceGrown {
  static constexpr KernelTraits traits{.name = "grown surface"};
  const LiveCounts* live;
  const Index* listed;  ///< number of cohesive elements in the list
  DeviceGate gate;
  Index* due;  ///< set to 1

  CLEAVE_HD Index size() const { return 1; }
  CLEAVE_HD void operator()(Index) const {
    if (gate.is_open() && *listed != live->cohesive) *due = 1;
  }
};

/// Adds up the forces of contact points at the nodes of the surface: each side does so for the node at which it begins
/// and for its mid-side node.
template <class Element>
struct SurfaceForces {
  static constexpr KernelTraits traits{.name = "obstacles' forces", .most_blocks = 4096, .has_in_use = true};
  Surface<Element> surface;
  Index capacity;                  ///< of sides
  const Vec2* point_force;         ///< [contact point], N
  const Index* insertion_pending;  ///< see BlockStep
  Vec2* force;                     ///< [node], N

  CLEAVE_HD Index size() const { return capacity; }
  CLEAVE_HD Index in_use() const { return surface.sides(); }
  CLEAVE_HD void operator()(Index side) const {
    if (*insertion_pending != 0) return;
    const Index start = surface.node(side, 0), before = surface.at_node[start].ends;
    Vec2 sum = share(side, 0);
    if (before >= 0) sum += share(before, 2);
    force[start] = sum;
    if constexpr (Element::facet_nodes == 3) force[surface.node(side, 1)] = point_force[points_of_side * side + 1];
  }

 private:
  /// Force of the points of a side on its end node, N.
  CLEAVE_HD Vec2 share(Index side, int end) const {
    const Vec2 own = point_force[points_of_side * side + end];
    if constexpr (Element::facet_nodes == 3) return own;
    return own + Real(0.5) * point_force[points_of_side * side + 1];
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
