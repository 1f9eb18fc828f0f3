/// Sides that cross without a point of either body inside the other: contact does not see them. They often part by
/// themselves; how deep they may get is limited like the depth of a point.
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

/// How far the corner at an end of a part lies outside of a side that crosses both parts that meet there, m; 0: none.
template <class Surface>
CLEAVE_HD Real corner_cut(const Surface& surface, const PartLine& side, Index part, int end) {
  const Index other = surface.beside(part, end);
  const Real inwards = side.inwards(surface.position(surface.node(part, end)));
  const bool cuts = other >= 0 && inwards < 0 && lines_cross(side, line_of(surface, part)) &&
                    lines_cross(side, line_of(surface, other));
  return cuts ? -inwards : Real(0);
}

/// How deep the sides of a point that has left a part still lie across a corner of this part, m.
template <class Surface>
CLEAVE_HD Real cut_across(const Surface& surface, const OwnParts& own, Index part) {
  Real deepest = 0;
  for (int i = 0; i < 4; ++i) {
    const Index side = own.part[i / 2];
    const int end = i % 2;
    if (side < 0 || own.has(part) || own.has(surface.beside(part, end))) continue;
    deepest = larger(deepest, corner_cut(surface, line_of(surface, side), part, end));
  }
  return deepest;
}

}  // namespace cleave::inline CLEAVE_PRECISION
