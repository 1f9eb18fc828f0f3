/// Place of a contact point relative to the straight part of the surface that it tracks, and the gradient of its depth.
///
/// Parts run counter-clockwise around a body; the part from a to b has the tangent t and the outward normal n:
///
///                 n
///         p2      ^             d = -(p - a).n       distance inwards
///        ____a____|____b        eta = (p - a).t / L  place along the part
///            .  d           D = the depth that the force counts
///            .. p               u, f_a, f_b: D falls by u.dx_p + f_a.dx_a + f_b.dx_b
///           eta L
///
/// A point keeps the side by which it came in: nearest sides take a point out of a thin fragment at its back. It goes
/// over to the part beside where the depths of both agree, so that D is one continuous function of all nodes, and its
/// forces have no resultant and no moment. D falls to zero
///   * over a convex end: along the part beside;
///   * beyond a sharp end (acute), where the part beside faces away, and beyond the end of the surface: as d -
///     overshoot, where d counts up to the limit and falls from there: a point far off the end is not below the part;
/// and around a concave end D is the distance from the node.
///
/// A `Surface` has
///     Index node(Index part, int end) const;    // end 0: start, 1: end
///     Index beside(Index part, int end) const;  // the part that follows there; -1: the surface ends
///     Index joined(Index part, int end) const;  // the same, if it has the node; -1: another one or none
///     bool is_sharp(Index part, int end) const; // fixed when the side comes into being
///     Vec2 position(Index node) const;          // present, m
///     PartSpan span(Index part) const;          // span_between_nodes, which may be kept for all points
///     Real limit(Index part) const;             // deepest that a point may lie under it, m
#pragma once

#include <cmath>

#include "cleave/core/extremes.hpp"
#include "cleave/core/types.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Interior angles below are sharp: the part beside does not take over a point. cos 75.5 degrees.
inline constexpr Real sharp_cosine = Real(0.25);
/// Most parts that a point passes in a step.
inline constexpr int most_hops = 3;

CLEAVE_HD constexpr Real cross(Vec2 a, Vec2 b) { return a.x * b.y - a.y * b.x; }
CLEAVE_HD inline Real length_of(Vec2 a) { return std::sqrt(dot(a, a)); }

/// The parts that a contact point lies on: two that meet in it, or one twice. -1: none.
struct OwnParts {
  Index part[2];
  CLEAVE_HD bool has(Index other) const { return part[0] == other || part[1] == other; }
};

/// The ends of a part, at present.
struct alignas(2 * sizeof(Vec2)) PartSpan {
  Vec2 start, end;
};

/// A straight part, at present.
struct PartLine {
  Vec2 start, tangent;
  Real length;

  CLEAVE_HD Vec2 normal() const { return {tangent.y, -tangent.x}; }
  /// Distance inwards of a point, m.
  CLEAVE_HD Real inwards(Vec2 point) const { return dot(start - point, normal()); }
  /// Place of a point along the part: 0 start, 1 end.
  CLEAVE_HD Real along(Vec2 point) const { return dot(point - start, tangent) / length; }
};

CLEAVE_HD inline PartLine line_between(Vec2 start, Vec2 end) {
  const Vec2 span = end - start;
  const Real length = length_of(span);
  return {start, Real(1) / length * span, length};
}
template <class Surface>
CLEAVE_HD PartLine line_of(const Surface& surface, Index part) {
  const PartSpan span = surface.span(part);
  return line_between(span.start, span.end);
}
template <class Surface>
CLEAVE_HD PartSpan span_between_nodes(const Surface& surface, Index part) {
  return {surface.position(surface.node(part, 0)), surface.position(surface.node(part, 1))};
}

/// Whether the corner between two parts turns as a convex one does, the first seen from its end `end`.
CLEAVE_HD inline bool turns_convex(const PartLine& line, const PartLine& beside, int end) {
  const Real turn = cross(line.tangent, beside.tangent);
  return end == 1 ? turn > 0 : turn < 0;
}
/// Whether a corner that is not sharp is convex. The faces of a crack that is pressed shut turn at its tip as those of
/// a needle do.
CLEAVE_HD inline bool is_convex(const PartLine& line, const PartLine& beside, int end) {
  return turns_convex(line, beside, end) && dot(line.tangent, beside.tangent) > Real(-0.9);
}
CLEAVE_HD constexpr bool is_beyond(Real along, int end) { return end == 1 ? along > 1 : along < 0; }
/// Whether a point has reached a part that begins at end `end` of the part before it.
CLEAVE_HD constexpr bool has_reached(Real along, int end) { return end == 1 ? along >= 0 : along <= 1; }

/// Depth of a point below a part, and its gradient.
struct Stencil {
  Index part = -1;
  PartLine line{};
  Real distance = 0;                      ///< d, m
  Real along = 0;                         ///< eta
  Real depth = 0;                         ///< D, m; negative: the point is outside
  bool past_end = false;                  ///< the point is beyond an end of the part
  Vec2 at_point{}, at_start{}, at_end{};  ///< u, f_a, f_b

  CLEAVE_HD Real arm() const { return distance / line.length; }
  /// Motion of the point away from the part, m, of motions of the point, the start and the end.
  CLEAVE_HD Real parting(Vec2 point, Vec2 start, Vec2 end) const {
    return dot(at_point, point) + dot(at_start, start) + dot(at_end, end);
  }
  /// Motion of the point along the part, m. The part's turning counts as far as the point is off it: only so friction
  /// keeps the angular momentum.
  CLEAVE_HD Real slip(Vec2 point, Vec2 start, Vec2 end) const {
    const Vec2 foot = (1 - along) * start + along * end;
    return dot(line.tangent, point - foot) - arm() * dot(line.normal(), end - start);
  }
  CLEAVE_HD Vec2 force_on_point(Real normal, Real friction) const {
    return normal * at_point - friction * line.tangent;
  }
  CLEAVE_HD Vec2 force_on_start(Real normal, Real friction) const {
    return normal * at_start + friction * ((1 - along) * line.tangent - arm() * line.normal());
  }
  CLEAVE_HD Vec2 force_on_end(Real normal, Real friction) const {
    return normal * at_end + friction * (along * line.tangent + arm() * line.normal());
  }
};

/// Whether both sides that meet in a point run inwards of a part, by more than 15 degrees: faces that lie on each other
/// are never quite flat. Such a tip must not leave through this part: its sides would stay behind, across the body's
/// corner, with no point of either body inside the other.
template <class Surface>
CLEAVE_HD bool runs_inwards(const Surface& surface, const OwnParts& own, const PartLine& line, Vec2 point) {
  constexpr Real steep = Real(0.25);
  if (own.part[0] < 0 || own.part[1] < 0) return false;
  const Vec2 before = surface.position(surface.node(own.part[0], 0)) - point;
  const Vec2 after = surface.position(surface.node(own.part[1], 1)) - point;
  return dot(before, line.normal()) < -steep * length_of(before) &&
         dot(after, line.normal()) < -steep * length_of(after);
}

/// Whether the tip that the sides of a point form points away from a part.
template <class Surface>
CLEAVE_HD bool points_away(const Surface& surface, const OwnParts& own, const PartLine& line) {
  constexpr Real least = Real(0.05);
  if (own.part[0] < 0 || own.part[1] < 0) return false;
  const Vec2 sum = line_of(surface, own.part[0]).normal() + line_of(surface, own.part[1]).normal();
  return dot(sum, line.normal()) > least * length_of(sum);
}

/// The part that takes over a point, or -1.
template <class Surface>
CLEAVE_HD Index part_taking_over(const Surface& surface, Index part, const OwnParts& own, Vec2 point) {
  const PartLine line = line_of(surface, part);
  const Real along = line.along(point), distance = line.inwards(point);
  const int end = along > Real(0.5);
  const Index other = surface.beside(part, end);
  if (other < 0 || own.has(other) || surface.is_sharp(part, end)) return -1;
  const PartLine beside = line_of(surface, other);
  const bool beyond = is_beyond(along, end), reached = has_reached(beside.along(point), end);
  if (!is_convex(line, beside, end)) return beyond && reached ? other : -1;
  const Real depth_beside = beside.inwards(point);
  const bool takes = distance < 0 ? depth_beside < distance : beyond || (depth_beside < distance && reached);
  // A point on the part beside has left already.
  return takes && (depth_beside == 0 || !runs_inwards(surface, own, beside, point)) ? other : -1;
}

/// Gradient over the part and its continuation: D = d.
CLEAVE_HD inline void measure_from_line(Stencil& s) {
  const Vec2 n = s.line.normal();
  s.depth = s.distance;
  s.at_point = n;
  s.at_start = (s.along - 1) * n;
  s.at_end = -s.along * n;
}

/// Gradient beyond an end where the depth falls to zero: D = d - overshoot; 2 limit - d - overshoot for d > limit.
CLEAVE_HD inline void measure_from_end(Stencil& s, int end, Real limit) {
  const Real overshoot = (end == 1 ? s.along - 1 : -s.along) * s.line.length;
  const Vec2 off = end == 1 ? s.line.tangent : Real(-1) * s.line.tangent, lever = s.arm() * s.line.normal();
  measure_from_line(s);
  if (s.distance > limit) {
    s.depth = 2 * limit - s.distance;
    s.at_point = Real(-1) * s.at_point;
    s.at_start = Real(-1) * s.at_start;
    s.at_end = Real(-1) * s.at_end;
  }
  s.depth -= overshoot;
  s.at_point += off;
  if (end == 1) {
    s.at_start += lever;
    s.at_end += Real(-1) * off - lever;
  } else {
    s.at_start += Real(-1) * off - lever;
    s.at_end += lever;
  }
}

/// Gradient around a node: D = distance.
CLEAVE_HD inline void measure_from_node(Stencil& s, int end, Vec2 point) {
  const Vec2 node = end == 1 ? s.line.start + s.line.length * s.line.tangent : s.line.start;
  const Vec2 out = node - point;
  s.depth = length_of(out);
  s.at_point = s.depth > 0 ? Real(1) / s.depth * out : s.line.normal();
  s.at_start = end == 0 ? Real(-1) * s.at_point : Vec2{0, 0};
  s.at_end = end == 1 ? Real(-1) * s.at_point : Vec2{0, 0};
}

/// Depth of a point below the part that it tracks.
template <class Surface>
CLEAVE_HD Stencil depth_below(const Surface& surface, Index part, const OwnParts& own, Vec2 point) {
  Stencil s{.part = part, .line = line_of(surface, part)};
  s.distance = s.line.inwards(point);
  s.along = s.line.along(point);
  const int end = s.along > Real(0.5);
  s.past_end = is_beyond(s.along, end);
  measure_from_line(s);
  if (!s.past_end) return s;
  const Index other = surface.beside(part, end);
  // A point at the mouth of a crack whose faces have slid still lies over the other face.
  if (other >= 0 && own.has(other) && surface.joined(part, end) < 0) return s;
  const bool ends = other < 0 || own.has(other) || surface.is_sharp(part, end);
  const PartLine beside = ends ? s.line : line_of(surface, other);
  if (ends || is_convex(s.line, beside, end)) {
    measure_from_end(s, end, surface.limit(part));
  } else if (s.distance >= 0 || beside.inwards(point) >= 0) {
    // Between the perpendiculars of both parts. By rounding, a point outside may seem to be there, too.
    measure_from_node(s, end, point);
  }
  return s;
}

/// Follows a point from the part that it tracked in the step before.
/// @param hops  most parts that it passes
template <class Surface>
CLEAVE_HD Stencil track(const Surface& surface, Index part, const OwnParts& own, Vec2 point, int hops = most_hops) {
  CLEAVE_KEEP_LOOP
  for (int hop = 0; hop < hops; ++hop) {
    const Index other = part_taking_over(surface, part, own, point);
    if (other < 0) break;
    part = other;
  }
  return depth_below(surface, part, own, point);
}

/// The nearest place of a part for a point that has left it: the direction in which its account settles. D = -gap.
CLEAVE_HD inline Stencil nearest_place(Stencil s, Vec2 point) {
  s.along = larger(Real(0), smaller(s.along, Real(1)));
  const Vec2 from = point - (s.line.start + s.along * s.line.length * s.line.tangent);
  const Real gap = length_of(from);
  s.depth = -gap;
  s.at_point = gap > 0 ? Real(1) / gap * from : s.line.normal();
  s.at_start = (s.along - 1) * s.at_point;
  s.at_end = -s.along * s.at_point;
  return s;
}

}  // namespace cleave::inline CLEAVE_PRECISION
