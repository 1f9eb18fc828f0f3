/// How a contact point that touches nothing comes to touch a part of the surface.
///
/// It enters a part that it has crossed inwards in this step, or that it lies under. The second serves overlaps at the
/// start, sides that have just come into being, and points that have left one body inside another; what no work has
/// paid for becomes an allowance (point_account.hpp). Of several parts it enters one through which it can leave, with
/// the least unpaid depth, then the least depth, then the lowest number: the order of trials does not matter.
///
/// Besides what tracking.hpp asks for, a `Surface` has
///     Vec2 motion(Index node) const;                     // in this step, m
///     Index element(Index part) const;                   // whose side it is
///     bool has_node(Index element, Index node) const;
///     bool share_node(Index element, Index other) const; // also one and the same element
/// and for near_parts:
///     PointPlace place(Index point) const;
///     Vec2 point_at(Index point) const;  // position of its place
#pragma once

#include <limits>

#include "cleave/core/bits.hpp"
#include "terms/contact/crossing.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// A contact point of a surface: a node, or the middle of a straight side.
struct PointPlace {
  Index node[2];  ///< the same one twice; in the middle of a side of a linear element, its ends, which share it
  OwnParts own;
  Index element;

  CLEAVE_HD bool is_node() const { return node[0] == node[1]; }
  template <class Surface>
  CLEAVE_HD Vec2 position(const Surface& surface) const {
    return Real(0.5) * (surface.position(node[0]) + surface.position(node[1]));
  }
  template <class Surface>
  CLEAVE_HD Vec2 motion(const Surface& surface) const {
    return Real(0.5) * (surface.motion(node[0]) + surface.motion(node[1]));
  }
  /// Whether the point never enters a part: one of its own element, or of an element that has its node.
  template <class Surface>
  CLEAVE_HD bool is_barred_from(const Surface& surface, Index part) const {
    const Index of_part = surface.element(part);
    return of_part == element || (is_node() && surface.has_node(of_part, node[0]));
  }
};

/// A box with sides along the axes.
struct FloatBox {
  float low[2], high[2];

  CLEAVE_HD bool meets(const FloatBox& other) const {
    return low[0] <= other.high[0] && other.low[0] <= high[0] && low[1] <= other.high[1] && other.low[1] <= high[1];
  }
};

/// Box around two places, larger by a margin and by what rounding to float may take from it.
CLEAVE_HD inline FloatBox box_around(const Vec2& a, const Vec2& b, Real margin) {
  constexpr Real rounding = Real(1.2e-7);  // of a float, twice
  FloatBox box;
  for (int i = 0; i < 2; ++i) {
    const Real low = smaller(component(a, i), component(b, i)) - margin;
    const Real high = larger(component(a, i), component(b, i)) + margin;
    box.low[i] = static_cast<float>(low - rounding * std::fabs(low));
    box.high[i] = static_cast<float>(high + rounding * std::fabs(high));
  }
  return box;
}

CLEAVE_HD inline Real largest_component(Vec2 v) { return larger(std::fabs(v.x), std::fabs(v.y)); }
/// Largest component of the motions of a part's ends in this step, m.
template <class Surface>
CLEAVE_HD Real largest_motion_of(const Surface& surface, Index part) {
  return larger(largest_component(surface.motion(surface.node(part, 0))),
                largest_component(surface.motion(surface.node(part, 1))));
}
/// Whether a point may enter a part in this step: the boxes that both sweep meet.
/// @param slack  also if they are so much farther from each other along an axis, m
template <class Surface>
CLEAVE_HD bool may_meet(const Surface& surface, Index part, const PartSpan& span, const PointPlace& place, Vec2 point,
                        Real slack) {
  const FloatBox of_point = box_around(point, point, largest_component(place.motion(surface)) + slack);
  return of_point.meets(box_around(span.start, span.end, surface.limit(part) + largest_motion_of(surface, part)));
}

/// Whether a point faces a part: one of the sides that meet in it, or the tip that they form. Otherwise the nodes of a
/// floor would catch on the flanks of a block that has sunk in. Floor and flank are never quite at right angles; the
/// sides of a needle are, nearly, to a wall that its tip meets. Beside a cohesive element that holds, the surface goes
/// on at its other face.
template <class Surface>
CLEAVE_HD bool faces(const Surface& surface, const OwnParts& own, const PartLine& line) {
  constexpr Real least = Real(0.1);
  Vec2 sum{0, 0};
  for (int i = 0; i < 2; ++i) {
    const Index side = own.part[i] >= 0 ? own.part[i] : surface.beside(own.part[1 - i], i);
    if (side < 0) continue;
    const Vec2 normal = line_of(surface, side).normal();
    if (dot(normal, line.normal()) < -least) return true;
    sum += normal;
  }
  return dot(sum, line.normal()) < -least * length_of(sum);
}

/// Whether a point crosses a part inwards in this step. Distance and place are taken as linear in time.
template <class Surface>
CLEAVE_HD bool crosses_inwards(const Surface& surface, Index part, const PointPlace& place, Vec2 point) {
  const PartSpan span = surface.span(part);
  const PartLine now = line_between(span.start, span.end);
  const Real distance = now.inwards(point);
  if (!(distance >= 0)) return false;
  const PartLine old = line_between(span.start - surface.motion(surface.node(part, 0)),
                                    span.end - surface.motion(surface.node(part, 1)));
  const Vec2 old_point = point - place.motion(surface);
  const Real old_distance = old.inwards(old_point);
  if (!(old_distance < 0)) return false;
  const Real share = old_distance / (old_distance - distance), from = old.along(old_point);
  const Real along = from + share * (now.along(point) - from);
  return along >= 0 && along <= 1;
}

/// Whether a point lies in the strip below a part, as deep as the limit, and inside the body or across its corner: the
/// strip of a sharp corner reaches out of the part beside. Around a concave end the strip is a sector.
template <class Surface>
CLEAVE_HD bool lies_under(const Surface& surface, Index part, const OwnParts& own, Vec2 point) {
  const PartLine line = line_of(surface, part);
  const Real distance = line.inwards(point), along = line.along(point), limit = surface.limit(part);
  if (!(distance >= 0 && distance <= limit)) return false;
  if (!(-along * line.length <= limit && (along - 1) * line.length <= limit)) return false;
  for (int end = 0; end < 2; ++end) {
    const Index other = surface.beside(part, end);
    const bool beyond = is_beyond(along, end);
    if (other < 0 || own.has(other)) {
      if (beyond) return false;
      continue;
    }
    const PartLine beside = line_of(surface, other);
    const bool convex = surface.is_sharp(part, end) || is_convex(line, beside, end);
    if (convex && (beyond || (beside.inwards(point) < 0 && !lies_across(surface, own, line, beside)))) return false;
    if (!convex && beyond && has_reached(beside.along(point), end)) return false;
  }
  const Stencil s = depth_below(surface, part, own, point);
  return s.depth >= 0 && s.depth <= limit;
}

/// The part that a point enters; -1: none.
struct PartEntry {
  Stencil stencil{};
  bool away = false;  ///< see points_away
  Real unpaid = 0;    ///< depth that the motion of this step does not explain, m
  Real parting = 0;   ///< see PointMotion

  CLEAVE_HD bool found() const { return stencil.part >= 0; }
  CLEAVE_HD bool is_better_than(const PartEntry& other) const {
    if (!other.found() || away != other.away) return !other.found() || !away;
    if (unpaid != other.unpaid) return unpaid < other.unpaid;
    if (stencil.depth != other.stencil.depth) return stencil.depth < other.stencil.depth;
    return stencil.part < other.stencil.part;
  }
};

/// Motion of a point away from a part in this step.
template <class Surface>
CLEAVE_HD Real parting_from(const Surface& surface, const Stencil& s, const PointPlace& place) {
  return s.parting(place.motion(surface), surface.motion(surface.node(s.part, 0)),
                   surface.motion(surface.node(s.part, 1)));
}

/// How a point enters a part, if it does.
template <class Surface>
CLEAVE_HD PartEntry entry_into(const Surface& surface, Index part, const PointPlace& place) {
  PartEntry entry;
  const Vec2 point = place.position(surface);
  if (!(line_of(surface, part).inwards(point) >= 0) || place.is_barred_from(surface, part)) return entry;
  if (!crosses_inwards(surface, part, place, point) && !lies_under(surface, part, place.own, point)) return entry;
  const Stencil s = track(surface, part, place.own, point);
  if (!(s.depth >= 0) || !faces(surface, place.own, s.line)) return entry;
  entry.stencil = s;
  entry.away = runs_inwards(surface, place.own, s.line, point) || points_away(surface, place.own, s.line);
  entry.parting = parting_from(surface, s, place);
  entry.unpaid = larger(Real(0), s.depth - larger(Real(0), -entry.parting));
  return entry;
}

/// Those of some parts that a point may enter.
struct NearParts {
  static constexpr Index most_marked = 64;
  const Index* parts;
  Index count;
  std::uint64_t marked;  ///< bit i: part i is one; those past the last bit all are

  CLEAVE_HD static NearParts all(const Index* parts, Index count) {
    return {parts, count, count < most_marked ? (std::uint64_t(1) << count) - 1 : ~std::uint64_t(0)};
  }
  CLEAVE_HD bool any() const { return marked != 0 || count > most_marked; }
  template <class Visit>
  CLEAVE_HD void for_each(Visit visit) const {
    Index past = most_marked;
    CLEAVE_KEEP_LOOP
    for (std::uint64_t bits = marked; bits != 0 || past < count; bits &= bits - 1)
      visit(parts[bits != 0 ? first_bit(bits) : past++]);
  }
};

/// Whether a point is in front of a part for certain, whatever is rounded. So are all of one that is not exposed and
/// lies nowhere.
CLEAVE_HD inline bool is_in_front(const PartSpan& span, Vec2 point) {
  constexpr Real rounding = 8 * std::numeric_limits<Real>::epsilon();
  const Vec2 t = span.end - span.start, from = point - span.start;
  const Real one = from.y * t.x, other = from.x * t.y;
  return !(one - other >= -rounding * (std::fabs(one) + std::fabs(other)));
}

/// How far a point is beyond an end of a part, times the length of the part, m^2: no more than that, whatever is
/// rounded here and in PartLine::along.
CLEAVE_HD inline Real least_beyond(const PartSpan& span, Vec2 point, int end) {
  constexpr Real rounding = 8 * std::numeric_limits<Real>::epsilon();
  const Vec2 t = span.end - span.start, from = point - (end == 1 ? span.end : span.start);
  const Real x = from.x * t.x, y = from.y * t.y;
  return (end == 1 ? x + y : -(x + y)) - rounding * (std::fabs(x) + std::fabs(y) + dot(t, t));
}

/// Whether two parts form a convex corner for certain (is_convex), the first seen from its end `end`.
CLEAVE_HD inline bool are_convex(const PartSpan& span, const PartSpan& beside, int end) {
  constexpr Real rounding = 8 * std::numeric_limits<Real>::epsilon();
  const Vec2 t = span.end - span.start, u = beside.end - beside.start;
  const Real turn = end == 1 ? cross(t, u) : -cross(t, u), along = dot(t, u), size = dot(t, t) * dot(u, u);
  return turn * std::fabs(turn) > rounding * size && (along >= 0 || along * along < Real(0.8) * size);
}

/// Whether a point is beyond an end of a part where it cannot lie under it (lies_under), and was beyond the same end
/// before this step, so that it has not crossed it: sides that lie in one line see each other's points there. Some are
/// not found.
template <class Surface>
CLEAVE_HD bool is_past_end(const Surface& surface, Index part, const PointPlace& place, Vec2 point) {
  const PartSpan span = surface.span(part);
  const int end = dot(point - span.start, span.end - span.start) > 0;
  if (!(least_beyond(span, point, end) > 0)) return false;
  const Index other = surface.beside(part, end);
  if (other >= 0 && !surface.is_sharp(part, end) && !are_convex(span, surface.span(other), end)) return false;
  const PartSpan before{span.start - surface.motion(surface.node(part, 0)),
                        span.end - surface.motion(surface.node(part, 1))};
  return least_beyond(before, point - place.motion(surface), end) > 0;
}

/// Whether a point may enter a part before an end of either has moved by half of `slack` along an axis. What bars it
/// does so until nodes split.
template <class Surface>
CLEAVE_HD bool is_close(const Surface& surface, Index part, const PointPlace& place, Real slack) {
  return !place.is_barred_from(surface, part) &&
         may_meet(surface, part, span_between_nodes(surface, part), place, place.position(surface), slack);
}

/// Parts that a point may enter in this step: it is not in front of them, meets their boxes, and is not past their
/// ends.
/// @param close  parts to choose from
template <class Surface>
CLEAVE_HD NearParts near_parts(const Surface& surface, const NearParts& close, Index p) {
  NearParts near{close.parts, close.count, 0};
  if (close.count == 0) return near;
  const Vec2 point = surface.point_at(p);
  // Two at a time, so that one does not wait for the other to be read.
  constexpr Index at_a_time = 2;
  const Index count = smaller(close.count, NearParts::most_marked);
  for (Index first = 0; first < count; first += at_a_time)
    for (Index i = first; i < first + at_a_time; ++i) {
      const Index part = close.parts[smaller(i, count - 1)];
      const std::uint64_t is_near = i < count && !is_in_front(surface.span(part), point);
      near.marked |= is_near << i;
    }
  if (near.marked == 0) return near;
  const PointPlace place = surface.place(p);
  CLEAVE_KEEP_LOOP
  for (std::uint64_t bits = near.marked; bits != 0; bits &= bits - 1) {
    const Index part = close.parts[first_bit(bits)];
    if (place.own.has(part) || is_past_end(surface, part, place, point) ||
        !may_meet(surface, part, surface.span(part), place, point, 0))
      near.marked &= ~(bits & (0 - bits));
  }
  return near;
}

/// The best entry into parts.
/// @param other  part of the point's other contact, around which this one does not enter; -1: none
template <class Surface>
CLEAVE_HD PartEntry find_entry(const Surface& surface, const NearParts& near, const PointPlace& place, Index other) {
  PartEntry best;
  near.for_each([&](Index part) {
    if (other >= 0 && surface.share_node(surface.element(part), surface.element(other))) return;
    const PartEntry entry = entry_into(surface, part, place);
    if (entry.found() && entry.is_better_than(best)) best = entry;
  });
  return best;
}

}  // namespace cleave::inline CLEAVE_PRECISION
