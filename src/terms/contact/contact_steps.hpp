/// Kernels of contact points: their step, and the forces on nodes of the parts that they press.
///
/// Points write, nodes add up: a point keeps the forces on the ends of its part, and the part finds them by its row of
/// points (candidates.hpp), in rising order. No force is added by two workers, and no order depends on them.
#pragma once

#include "cleave/core/record.hpp"
#include "cleave/lockstep/device_gate.hpp"
#include "terms/contact/candidates.hpp"
#include "terms/contact/contact_point.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Contact points in memory.
struct ContactPointTable {
  Index* part;             ///< [point] see ContactPoint
  std::uint8_t* touching;  ///< [point] likewise
  std::uint8_t* across;    ///< [point] likewise
  PointState* state;       ///< [point]
  PartForces* acting;      ///< [point], N

  CLEAVE_HD ContactPoint read(Index p) const {
    return {state[p], acting[p], part[p], touching[p] != 0, across[p] != 0};
  }
  CLEAVE_HD void write(Index p, const ContactPoint& point) const {
    part[p] = point.part;
    touching[p] = point.touching;
    across[p] = point.across;
    state[p] = point.state;
    acting[p] = point.acting;
  }
};

/// Boxes of all parts in this step, which most candidates do not meet.
template <class Surface>
struct SweptBoxes {
  static constexpr KernelTraits traits{.name = "contact boxes"};
  Surface surface;
  DeviceGate gate;
  FloatBox* boxes;  ///< [part]

  CLEAVE_HD Index size() const { return surface.parts(); }
  CLEAVE_HD void operator()(Index part) const {
    if (gate.is_open() && surface.is_exposed(part)) write_record(boxes[part], swept_box(surface, part));
  }
};

/// Works of contact points until now, J.
struct ContactWorks {
  double* booked;      ///< [point] that the points have taken from the motion
  double* dissipated;  ///< [point] of it, by friction
};

/// Moves the contact points through a step.
///
/// Besides what candidates.hpp asks for, a `Surface` has
///     Real stiffness(Index point, Index part) const;   // of a point against a part, N/m
///     Real depth_limit(Index point) const;             // of the element of a point, m
/// and a `Fault` reports a point that has sunk too far: fault(point, part).
template <class Surface, class Fault>
struct ContactPointStep {
  static constexpr KernelTraits traits{.name = "contact points"};
  Surface surface;
  IdRows candidates;
  ContactPointTable points;
  ContactWorks works;
  Real friction;
  DeviceGate gate;
  Fault fault;

  CLEAVE_HD Index size() const { return surface.points(); }
  CLEAVE_HD void operator()(Index p) const {
    if (!gate.is_open() || !surface.has_point(p)) return;
    const Index* row = candidates.row(p);
    const Index count = candidates.size(p);
    const PointPlace place = surface.place(p);
    // Most points are free and stay so: their state is not read.
    if (points.part[p] < 0 && !find_entry(surface, row, count, place).found()) return;
    ContactPoint point = points.read(p);
    const ContactStep step = step_contact_point(
        surface, place, row, count, [&](Index part) { return surface.stiffness(p, part); }, friction, point);
    points.write(p, point);
    works.booked[p] += step.booked;
    works.dissipated[p] += step.dissipated;
    if (!(step.sunk <= surface.depth_limit(p)) || (point.part >= 0 && !(step.sunk <= surface.limit(point.part))))
      fault(p, point.part);
  }
};

/// Force on an end of a part of the points that press it, N.
CLEAVE_HD inline Vec2 force_on_end_of(const IdRows& points_of_parts, const ContactPointTable& points, Index part,
                                      int end) {
  Vec2 sum{0, 0};
  const Index* row = points_of_parts.row(part);
  for (Index i = 0; i < points_of_parts.size(part); ++i) {
    const Index p = row[i];
    if (points.part[p] == part) sum += end == 0 ? points.acting[p].on_start : points.acting[p].on_end;
  }
  return sum;
}

/// Forces of contact on the nodes of the surface. A node belongs to the part that begins at it; where the surface ends,
/// to the part that ends there.
///
/// Besides that, a `Surface` has
///     void for_each_point_at(Index part, int end, Visit visit) const;
/// which visits the contact points of the part that act on the node at its end, visit(point, share): each point of the
/// surface once with all shares.
template <class Surface>
struct ContactNodeForces {
  static constexpr KernelTraits traits{.name = "contact forces"};
  Surface surface;
  IdRows points_of_parts;
  ContactPointTable points;
  DeviceGate gate;
  Vec2* force;  ///< [node], N

  CLEAVE_HD Index size() const { return surface.parts(); }
  CLEAVE_HD void operator()(Index part) const {
    if (!gate.is_open() || !surface.is_exposed(part)) return;
    const Index before = surface.beside(part, 0);
    Vec2 sum = share_of(part, 0);
    if (before >= 0) sum += share_of(before, 1);
    force[surface.node(part, 0)] = sum;
    if (surface.beside(part, 1) < 0) force[surface.node(part, 1)] = share_of(part, 1);
  }

 private:
  /// What a part and its own points give to the node at an end.
  CLEAVE_HD Vec2 share_of(Index part, int end) const {
    Vec2 sum = force_on_end_of(points_of_parts, points, part, end);
    surface.for_each_point_at(part, end, [&](Index p, Real share) {
      if (points.part[p] >= 0) sum += share * points.acting[p].on_point;
    });
    return sum;
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
