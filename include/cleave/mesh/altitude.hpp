/// Altitudes of triangles.
#pragma once

#include <cmath>

#include "cleave/core/types.hpp"

namespace cleave {

/// The least altitude of a triangle, m.
/// @tparam P  has x and y, m
template <class P>
CLEAVE_HD double least_altitude(const P& a, const P& b, const P& c) {
  const auto square = [](const P& from, const P& to) {
    const double x = double(to.x) - from.x, y = double(to.y) - from.y;
    return x * x + y * y;
  };
  const double twice_area = (double(b.x) - a.x) * (double(c.y) - a.y) - (double(c.x) - a.x) * (double(b.y) - a.y);
  const double ab = square(a, b), bc = square(b, c), ca = square(c, a);
  const double longest = ab > bc ? (ab > ca ? ab : ca) : (bc > ca ? bc : ca);
  return twice_area / std::sqrt(longest);
}

/// How deep contact points of a triangle may sink, over its least altitude.
inline constexpr double largest_contact_depth = 0.25;

}  // namespace cleave
