/// Step of a contact point against the surface: what it tracks, enters or leaves, and the forces on the nodes.
#pragma once

#include "terms/contact/crossing.hpp"
#include "terms/contact/entry.hpp"
#include "terms/contact/point_account.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Forces of a contact point on itself and on the ends of its part, N.
struct PartForces {
  Vec2 on_point{0, 0}, on_start{0, 0}, on_end{0, 0};
};

/// Contacts that a point may have at a time. Where the corners of several bodies meet, one that has a contact with one
/// of them would pass through the others unseen.
inline constexpr int contacts_of_point = 2;

/// State of one contact of a contact point from step to step.
struct ContactPoint {
  PointState state{};
  PartForces acting{};
  Index part = -1;  ///< that it tracks, or that it has left and settles with; -1: none
  bool touching = false;
  bool across = false;  ///< it has left its part, but its sides still cross a corner there
};

/// Result of a step of a contact point.
struct ContactStep {
  double booked = 0, dissipated = 0;  ///< see PointForces
  /// How far the point has sunk (sunk_below), or its sides lie across a corner, m; the limits of the part and of the
  /// point's own element hold for it.
  Real sunk = 0;
};

/// How far a point has sunk below the part that it touches, m: its depth less the allowance, and no less than half of
/// the depth. Beyond an end the depth falls, but the point may be no farther behind the part than elsewhere.
/// @param out  see is_past_corner: the point is not behind the part; what counts is whether its sides lie across the
///             corner
CLEAVE_HD inline Real sunk_below(const Stencil& s, bool out, Real allowance) {
  const Real inside = larger(s.depth, out ? Real(0) : s.distance);
  return larger(inside - larger(Real(0), allowance), Real(0.5) * inside);
}

/// Work that the forces take from the motion in half of a step, J.
template <class Surface>
CLEAVE_HD double half_taken(const Surface& surface, const PointPlace& place, const ContactPoint& point) {
  const PartForces& f = point.acting;
  return -0.5 * (static_cast<double>(dot(f.on_point, place.motion(surface))) +
                 static_cast<double>(dot(f.on_start, surface.motion(surface.node(point.part, 0)))) +
                 static_cast<double>(dot(f.on_end, surface.motion(surface.node(point.part, 1)))));
}

/// Moves a contact point through a step.
/// @param near       parts that it may enter
/// @param other      see find_entry
/// @param stiffness  of the point against a part, N/m: stiffness(part)
/// @param friction   Coulomb's coefficient
template <class Surface, class Stiffness>
CLEAVE_HD ContactStep step_contact_point(const Surface& surface, const PointPlace& place, const NearParts& near,
                                         Index other, Stiffness stiffness, Real friction, ContactPoint& point) {
  const Vec2 now = place.position(surface);
  const bool was_touching = point.touching;
  PointMotion motion;
  Stencil s;
  if (point.part >= 0) {
    motion.taken = half_taken(surface, place, point);
    s = track(surface, point.part, place.own, now, was_touching ? most_hops : 0);
    motion.touching = was_touching && s.depth >= 0;
  }
  bool begins = false;
  if (!motion.touching) {
    const PartEntry entry = find_entry(surface, near, place, other);
    begins = motion.touching = entry.found();
    if (begins) s = entry.stencil;
    if (!begins && s.part >= 0) s = nearest_place(s, now);
  }
  if (s.part < 0) return {};
  motion.depth = s.depth;
  motion.settling = !motion.touching && -s.depth < settling_range * s.line.length;
  motion.parting = parting_from(surface, s, place);
  const Vec2 start = surface.motion(surface.node(s.part, 0)), end = surface.motion(surface.node(s.part, 1));
  motion.slip = begins ? Real(0) : s.slip(place.motion(surface), start, end);
  if (begins)
    begin_contact(point.state, stiffness(s.part), motion);
  else if (motion.touching)
    soften_contact(point.state, stiffness(s.part));
  const PointForces f = step_point_state(point.state, motion, friction);
  const bool out = motion.touching && is_past_corner(surface, place.own, s, now);
  Real sunk = motion.touching ? sunk_below(s, out, point.state.allowance) : Real(0);
  if (out || (!motion.touching && (was_touching || point.across)))
    sunk = larger(sunk, cut_across(surface, place.own, s.part));
  point.across = !motion.touching && sunk > 0;
  point.touching = motion.touching;
  const bool settles = motion.settling && !has_settled(point.state, motion);
  point.part = motion.touching || settles || point.across ? s.part : -1;
  point.acting = {};
  if (point.part >= 0)
    point.acting = {s.force_on_point(f.normal, f.friction), s.force_on_start(f.normal, f.friction),
                    s.force_on_end(f.normal, f.friction)};
  return {f.booked, f.dissipated, sunk};
}

}  // namespace cleave::inline CLEAVE_PRECISION
