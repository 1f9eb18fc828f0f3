/// Corners that lie across each other: their sides cross, without a point of either body inside the other. The corner
/// that has come in through the other's side holds them (entry.hpp); how deep they may get is limited like the depth of
/// a point.
///
///          \ A /                 Tip A has come in through r and has gone out through m, with corner c beside it:
///      r ___\_/___ c             no node of A is below r or m, and c is outside A.
///     B      V    |
///             \   | m
#pragma once

#include "terms/contact/tracking.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Whether two lines cross, each between the ends of the other.
CLEAVE_HD inline bool lines_cross(const PartLine& one, const PartLine& other) {
  const Vec2 one_end = one.start + one.length * one.tangent, other_end = other.start + other.length * other.tangent;
  return (one.inwards(other.start) > 0) != (one.inwards(other_end) > 0) &&
         (other.inwards(one.start) > 0) != (other.inwards(one_end) > 0);
}

/// Whether a side crosses both parts that meet in a corner.
CLEAVE_HD inline bool crosses_both(const PartLine& side, const PartLine& part, const PartLine& beside) {
  return lines_cross(side, part) && lines_cross(side, beside);
}

/// Whether both sides of a tip cross both parts that meet in a corner. Another body may lie closely in a notch.
template <class Surface>
CLEAVE_HD bool lies_across(const Surface& surface, const OwnParts& own, const PartLine& part, const PartLine& beside) {
  if (own.part[0] < 0 || own.part[1] < 0 || own.part[0] == own.part[1]) return false;
  const PartLine one = line_of(surface, own.part[0]), two = line_of(surface, own.part[1]);
  return turns_convex(one, two, 1) && crosses_both(one, part, beside) && crosses_both(two, part, beside);
}

/// Whether a point beyond an end of a part is out of the body, beyond the part beside.
template <class Surface>
CLEAVE_HD bool is_past_corner(const Surface& surface, const OwnParts& own, const Stencil& s, Vec2 point) {
  if (!s.past_end) return false;
  const Index other = surface.beside(s.part, s.along > Real(0.5));
  return other >= 0 && !own.has(other) && line_of(surface, other).inwards(point) < 0;
}

/// How deep the sides of a point that has left a part still lie across a corner of this part, m: the corner is outside
/// of one of them by so much. 0: they do not.
template <class Surface>
CLEAVE_HD Real cut_across(const Surface& surface, const OwnParts& own, Index part) {
  if (own.has(part)) return 0;
  const PartLine here = line_of(surface, part);
  Real deepest = 0;
  for (int end = 0; end < 2; ++end) {
    const Index other = surface.beside(part, end);
    if (other < 0 || own.has(other)) continue;
    const PartLine beside = line_of(surface, other);
    // The tip of a crack is no corner.
    if (!surface.is_sharp(part, end) && !is_convex(here, beside, end)) continue;
    if (!lies_across(surface, own, here, beside)) continue;
    const Vec2 corner = surface.position(surface.node(part, end));
    deepest = larger(deepest, -smaller(line_of(surface, own.part[0]).inwards(corner),
                                       line_of(surface, own.part[1]).inwards(corner)));
  }
  return deepest;
}

}  // namespace cleave::inline CLEAVE_PRECISION
