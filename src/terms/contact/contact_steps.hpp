/// Kernels of contact points: their step, and the forces on nodes of the parts that they press.
///
/// Points write, nodes add up: a point keeps the forces on the ends of its part, and the part finds them by its row of
/// points (candidates.hpp), in rising order. No force is added by two workers, and no order depends on them.
#pragma once

#include "cleave/core/atomic.hpp"
#include "cleave/core/table.hpp"
#include "cleave/lockstep/device_gate.hpp"
#include "terms/contact/candidates.hpp"
#include "terms/contact/contact_point.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Contact points in memory.
struct ContactPointTable {
  Index* part;             ///< [point][contact] see ContactPoint
  std::uint8_t* touching;  ///< [point][contact] likewise
  std::uint8_t* across;    ///< [point][contact] likewise
  PointState* state;       ///< [point]
  PartForces* acting;      ///< [point], N

  CLEAVE_HD static Index at(Index point, int contact) { return contacts_of_point * point + contact; }
  /// The part that a contact touches, or -1. One that it has left keeps none of the point's contacts away.
  CLEAVE_HD Index touched(Index point, int contact) const {
    const Index i = at(point, contact);
    return touching[i] != 0 ? part[i] : -1;
  }
  CLEAVE_HD ContactPoint read(Index i) const {
    return {state[i], acting[i], part[i], touching[i] != 0, across[i] != 0};
  }
  CLEAVE_HD void write(Index i, const ContactPoint& contact) const {
    part[i] = contact.part;
    touching[i] = contact.touching;
    across[i] = contact.across;
    state[i] = contact.state;
    acting[i] = contact.acting;
  }
};

/// Contact points that a step moves.
struct NearPoints {
  Index* count;           ///< set back by ContactNodeForces
  Index* point;           ///< [row] in any order
  std::uint64_t* marked;  ///< [row] see NearParts
};

/// Lists the contact points that have a part or may enter one in this step. Most do not; their state is not read. A
/// `Surface` has bool may_have_part(Index point) const: false, if it certainly has none.
template <class Surface>
struct ListNearPoints {
  static constexpr KernelTraits traits{.name = "near contact points", .most_blocks = 65536, .has_in_use = true};
  Surface surface;
  CloseCandidates candidates;
  ContactPointTable points;
  DeviceGate gate;
  CloseState* close;  ///< they have been listed, if that was due
  NearPoints near;

  CLEAVE_HD Index size() const { return surface.points(); }
  CLEAVE_HD Index in_use() const { return surface.points_in_use(); }
  CLEAVE_HD void operator()(Index p) const {
    if (!gate.is_open()) return;
    if (p == 0) *close = {.parts = surface.parts_in_use(), .points = close->points};
    if (!surface.has_point(p)) return;
    const NearParts parts = near_parts(surface, candidates.of(p), p);
    if (!parts.any() && !(surface.may_have_part(p) && has_part(p))) return;
    const Index row = atomic_add(*near.count, Index(1));
    near.point[row] = p;
    near.marked[row] = parts.marked;
  }

 private:
  CLEAVE_HD bool has_part(Index p) const {
    for (int contact = 0; contact < contacts_of_point; ++contact)
      if (points.part[points.at(p, contact)] >= 0) return true;
    return false;
  }
};

/// Moves the contact points through a step.
///
/// Besides what candidates.hpp asks for, a `Surface` has
///     Real stiffness(Index point, Index part) const;   // of a point against a part, N/m
///     Real depth_limit(Index point) const;             // of the element of a point, m
///     Index parts_in_use() const, points_in_use() const;
///     void press(Index point, Index part) const;  // the point has the part in this step
/// and a `Fault` reports a point that has sunk too far: fault(point, part).
template <class Surface, class Fault>
struct ContactPointStep {
  static constexpr KernelTraits traits{.name = "contact points", .most_blocks = 4096, .has_in_use = true};
  Surface surface;
  CloseCandidates candidates;
  NearPoints near;
  ContactPointTable points;
  SumRows<PointSums> works;  ///< [point] until now, J
  Real friction;
  DeviceGate gate;
  Fault fault;

  CLEAVE_HD Index size() const { return surface.points(); }
  CLEAVE_HD Index in_use() const { return *near.count; }
  CLEAVE_HD void operator()(Index row) const {
    if (!gate.is_open()) return;
    const Index p = near.point[row];
    const PointPlace place = surface.place(p);
    NearParts parts = candidates.of(p);
    parts.marked = near.marked[row];
    bool engaged = false;
    int touching = 0;
    CLEAVE_KEEP_LOOP
    for (int contact = 0; contact < contacts_of_point; ++contact) {
      if (!step(p, place, parts, contact)) continue;
      engaged = true;
      touching += points.touching[points.at(p, contact)];
    }
    if (engaged) works.at(p, Quantity::contact_points) = touching;
  }

 private:
  /// Whether the contact has one of the parts, or had one until now.
  CLEAVE_HD bool step(Index p, const PointPlace& place, const NearParts& parts, int contact) const {
    const Index i = points.at(p, contact), other = points.touched(p, 1 - contact);
    const bool had_part = points.part[i] >= 0;
    if (!had_part && contact == 1 && other < 0) return false;  // the second waits for a first one
    ContactPoint point = points.read(i);
    const ContactStep step = step_contact_point(
        surface, place, parts, other, [&](Index part) { return surface.stiffness(p, part); }, friction, point);
    if (!had_part && point.part < 0) return false;
    points.write(i, point);
    if (point.part >= 0) surface.press(p, point.part);
    works.at(p, Quantity::contact_energy) += step.booked - step.dissipated;
    works.at(p, Quantity::contact_friction_energy) += step.dissipated;
    if (!(step.sunk <= surface.depth_limit(p)) || (point.part >= 0 && !(step.sunk <= surface.limit(point.part))))
      fault(p, point.part);
    return true;
  }
};

/// Reports tips that lie across a corner of another body by more than the limit, however they have come there: at the
/// start and at every search.
template <class Surface, class Fault>
struct CheckCrossings {
  static constexpr KernelTraits traits{.name = "contact crossings"};
  Surface surface;
  IdRows candidates;
  Fault fault;  ///< see ContactPointStep

  CLEAVE_HD Index size() const { return surface.points(); }
  CLEAVE_HD void operator()(Index p) const {
    if (!surface.has_point(p)) return;
    const PointPlace place = surface.place(p);
    for (Index i = 0; i < candidates.size(p); ++i) {
      const Index part = candidates.row(p)[i];
      if (!surface.is_exposed(part) || !place.is_node()) continue;
      if (!(cut_across(surface, place.own, part) <= surface.limit(part))) fault(p, part);
    }
  }
};

/// Force on an end of a part of the points that press it, N.
CLEAVE_HD inline Vec2 force_on_end_of(const IdRows& points_of_parts, const ContactPointTable& points, Index part,
                                      int end) {
  Vec2 sum{0, 0};
  const Index* row = points_of_parts.row(part);
  for (Index i = 0; i < points_of_parts.size(part); ++i) {
    for (int contact = 0; contact < contacts_of_point; ++contact) {
      const Index c = points.at(row[i], contact);
      if (points.part[c] == part) sum += end == 0 ? points.acting[c].on_start : points.acting[c].on_end;
    }
  }
  return sum;
}

/// Forces of contact on the nodes of the surface. A node belongs to the part that begins at it; where the surface ends,
/// to the part that ends there. Most bear none; where they did not in the step before, nothing is written.
///
/// Besides that, a `Surface` has
///     bool is_pressed(Index part) const;  // perhaps: a point has it in this step
///     // perhaps: in this step or the one before, a point had it or the part in front, or one on them had a part
///     bool is_forced(Index part) const;
///     void for_each_point_at(Index part, int end, Visit visit) const;
/// which visits the contact points of the part that act on the node at its end, visit(point, share): each point of the
/// surface once with all shares.
template <class Surface>
struct ContactNodeForces {
  static constexpr KernelTraits traits{.name = "contact forces", .most_blocks = 4096, .has_in_use = true};
  Surface surface;
  IdRows points_of_parts;
  ContactPointTable points;
  Index* near_count;  ///< see NearPoints
  DeviceGate gate;
  bool adds;    ///< to forces that are there
  Vec2* force;  ///< [node], N

  CLEAVE_HD Index size() const { return surface.parts(); }
  CLEAVE_HD Index in_use() const { return surface.parts_in_use(); }
  CLEAVE_HD void operator()(Index part) const {
    if (part == 0) *near_count = 0;
    if (!gate.is_open() || !surface.is_forced(part) || !surface.is_exposed(part)) return;
    const Index before = surface.joined(part, 0);
    Vec2 sum = share_of(part, 0);
    if (before >= 0) sum += share_of(before, 1);
    set(surface.node(part, 0), sum);
    if (surface.joined(part, 1) < 0) set(surface.node(part, 1), share_of(part, 1));
  }

 private:
  CLEAVE_HD void set(Index node, Vec2 sum) const { force[node] = adds ? force[node] + sum : sum; }
  /// Force of a part and its own points on the node at an end, N.
  CLEAVE_HD Vec2 share_of(Index part, int end) const {
    Vec2 sum{0, 0};
    if (surface.is_pressed(part)) sum = force_on_end_of(points_of_parts, points, part, end);
    surface.for_each_point_at(part, end, [&](Index p, Real share) {
      for (int contact = 0; contact < contacts_of_point; ++contact)
        if (points.part[points.at(p, contact)] >= 0) sum += share * points.acting[points.at(p, contact)].on_point;
    });
    return sum;
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
