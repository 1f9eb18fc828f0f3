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
///     FloatBox box(Index part) const;                    // swept_box of it in this step, kept for all points
#pragma once

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

/// A box with sides along the axes, in as few bytes as decide about most candidates.
struct alignas(16) FloatBox {
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

/// Box that a part sweeps in this step, as far as a point may enter it.
template <class Surface>
CLEAVE_HD FloatBox swept_box(const Surface& surface, Index part) {
  const Index a = surface.node(part, 0), b = surface.node(part, 1);
  const Vec2 m = surface.motion(a), n = surface.motion(b);
  const Real moved = larger(larger(std::fabs(m.x), std::fabs(m.y)), larger(std::fabs(n.x), std::fabs(n.y)));
  return box_around(surface.position(a), surface.position(b), surface.limit(part) + moved);
}
/// Box that a point sweeps in this step.
template <class Surface>
CLEAVE_HD FloatBox swept_box(const Surface& surface, const PointPlace& place) {
  const Vec2 now = place.position(surface);
  return box_around(now, now - place.motion(surface), 0);
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
CLEAVE_HD bool crosses_inwards(const Surface& surface, Index part, const PointPlace& place) {
  const Index a = surface.node(part, 0), b = surface.node(part, 1);
  const Vec2 point = place.position(surface), start = surface.position(a), end = surface.position(b);
  const PartLine now = line_between(start, end);
  const Real distance = now.inwards(point);
  if (!(distance >= 0)) return false;
  const PartLine old = line_between(start - surface.motion(a), end - surface.motion(b));
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
  if (!crosses_inwards(surface, part, place) && !lies_under(surface, part, place.own, point)) return entry;
  const Stencil s = track(surface, part, place.own, point);
  if (!(s.depth >= 0) || !faces(surface, place.own, s.line)) return entry;
  entry.stencil = s;
  entry.away = runs_inwards(surface, place.own, s.line, point) || points_away(surface, place.own, s.line);
  entry.parting = parting_from(surface, s, place);
  entry.unpaid = larger(Real(0), s.depth - larger(Real(0), -entry.parting));
  return entry;
}

/// Candidates that a point may enter in this step.
struct NearParts {
  static constexpr Index most_marked = 64;
  const Index* parts;
  Index count;
  std::uint64_t marked;  ///< bit i: candidate i is one; those past the last bit all are

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

/// Candidates whose boxes the point meets, and that it is behind. Sides that meet in the point may have been exposed
/// since the search.
template <class Surface>
CLEAVE_HD NearParts near_parts(const Surface& surface, const Index* candidates, Index count, const PointPlace& place) {
  NearParts near{candidates, count, 0};
  if (count == 0) return near;
  const FloatBox swept = swept_box(surface, place);
  const Vec2 point = place.position(surface);
  for (Index i = 0; i < smaller(count, NearParts::most_marked); ++i) {
    const Index part = candidates[i];
    if (swept.meets(surface.box(part)) && !place.own.has(part) && line_of(surface, part).inwards(point) >= 0)
      near.marked |= std::uint64_t(1) << i;
  }
  return near;
}

/// The best entry into parts.
/// @param other  part of the point's other contact, around which this one does not enter; -1: none
template <class Surface>
CLEAVE_HD PartEntry find_entry(const Surface& surface, const NearParts& near, const PointPlace& place, Index other) {
  PartEntry best;
  near.for_each([&](Index part) {
    const PartEntry entry = entry_into(surface, part, place);
    if (!entry.found() || !entry.is_better_than(best)) return;
    if (other >= 0 && surface.share_node(surface.element(part), surface.element(other))) return;
    best = entry;
  });
  return best;
}

}  // namespace cleave::inline CLEAVE_PRECISION
