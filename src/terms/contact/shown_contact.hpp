/// Contact as frames show it: traction and depth at nodes of the surface, and what touches what.
#pragma once

#include "backend/host_copy.hpp"
#include "terms/contact/obstacles.hpp"
#include "terms/contact/part_surface.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Contact at a node of the surface.
struct NodalContact {
  Vec2 traction{0, 0};  ///< Pa
  Real depth = 0;       ///< of the deepest point whose force the node bears, m; 0: nothing touches
};

/// Traction of contact at a node, Pa: its force over the area at the start that the node stands for.
template <class Element>
struct ContactTraction {
  PartSurface<Element> surface;  ///< without tables: the body does not touch itself
  const Vec2* force;             ///< [node], N

  CLEAVE_HD Vec2 at(Index n) const {
    const Real length = length_at(n);
    return length > 0 ? 1 / (surface.thickness * length) * force[n] : Vec2{0, 0};
  }

 private:
  /// Faces of cohesive elements that have not failed count where nothing else bears the force.
  CLEAVE_HD Real length_at(Index n) const {
    const auto touches = [&](Index side) {
      return side < surface.of.boundary_sides || surface.state == nullptr || surface.state[side].exposed != 0;
    };
    const Real length = surface.of.length_at(n, touches);
    return length > 0 ? length : surface.of.length_at(n, [](Index) { return true; });
  }
};

/// Writes the contact at the node where each side begins, and at its mid-side node.
template <class Element>
struct ShowContact {
  static constexpr KernelTraits traits{.name = "shown contact"};
  ContactTraction<Element> traction;
  IdRows points_of_parts;    ///< if the body touches itself
  ContactPointTable points;  ///< likewise
  ObstaclePoints obstacles;
  NodalContact* shown;  ///< [part]

  CLEAVE_HD Index size() const { return traction.surface.parts(); }
  CLEAVE_HD void operator()(Index part) const {
    const PartSurface<Element>& surface = traction.surface;
    constexpr int parts_of_side = Surface<Element>::parts_of_side;
    const int inside = static_cast<int>(part % parts_of_side);
    const Index n = surface.of.node(part / parts_of_side, inside);
    const Index side = surface.of.at_node[n].ends;  // itself in a mid-side node
    Real depth = deepest(part, 0);
    if (inside > 0) depth = larger(depth, deepest(part - 1, 1));
    if (inside == 0 && side >= 0) depth = larger(depth, deepest(parts_of_side * (side + 1) - 1, 1));
    shown[part] = {traction.at(n), depth};
  }

 private:
  /// The deepest of the part's own points that act on its end, and of those that press it, m.
  CLEAVE_HD Real deepest(Index part, int end) const {
    Real depth = 0;
    traction.surface.for_each_point_at(part, end, [&](Index p, Real) {
      for (Index o = 0; o < obstacles.obstacles; ++o)
        depth = larger(depth, obstacles.state[obstacles.at(p, o)].depth());
      if (points.state == nullptr) return;
      for (int contact = 0; contact < contacts_of_point; ++contact)
        depth = larger(depth, points.state[points.at(p, contact)].depth());
    });
    // A side that has come since the last search has no row yet.
    if (points.state == nullptr || !traction.surface.is_exposed(part)) return depth;
    for (Index i = 0; i < points_of_parts.size(part); ++i)
      for (int contact = 0; contact < contacts_of_point; ++contact) {
        const Index c = points.at(points_of_parts.row(part)[i], contact);
        if (points.part[c] == part) depth = larger(depth, points.state[c].depth());
      }
    return depth;
  }
};

/// Contact on its way to the host.
template <class Backend>
struct ContactCopy {
  template <class T>
  using Part = typename HostCopy<Backend>::template Part<T>;
  Index sides = 0;  ///< 0: the case has neither contact nor obstacles
  Index boundary_sides = 0, obstacles = 0;
  bool of_body = false;  ///< with itself
  Part<Index> boundary;
  Part<NodalContact> shown;
  Part<Index> part;
  Part<std::uint8_t> touching;
  Part<PointPhase> phase;
};

}  // namespace cleave::inline CLEAVE_PRECISION
