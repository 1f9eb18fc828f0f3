/// How much of a body lies in itself.
#pragma once

#include <algorithm>
#include <array>
#include <tuple>
#include <vector>

#include "cleave/solver/snapshot.hpp"

namespace cleave::reference {

/// Area that two convex polygons share, m^2: one is cut along the sides of the other. Both run counter-clockwise.
inline double common_area(const std::array<Point, 3>& one, const std::array<Point, 3>& other) {
  std::vector<Point> left(one.begin(), one.end());
  for (std::size_t k = 0; k < other.size(); ++k) {
    const Point a = other[k], b = other[(k + 1) % other.size()];
    const auto inside = [&](Point p) { return (b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x); };
    std::vector<Point> kept;
    for (std::size_t i = 0; i < left.size(); ++i) {
      const Point p = left[i], q = left[(i + 1) % left.size()];
      const double of_p = inside(p), of_q = inside(q), share = of_p / (of_p - of_q);
      if (of_p >= 0) kept.push_back(p);
      if ((of_p >= 0) != (of_q >= 0)) kept.push_back({p.x + share * (q.x - p.x), p.y + share * (q.y - p.y)});
    }
    left = kept;
  }
  double twice = 0;
  for (std::size_t i = 0; i < left.size(); ++i) {
    const Point p = left[i], q = left[(i + 1) % left.size()];
    twice += (p.x - left[0].x) * (q.y - left[0].y) - (p.y - left[0].y) * (q.x - left[0].x);
  }
  return twice / 2;
}

/// Area in which the elements of a frame overlap, m^2: of T6, as their sides lie between their nodes.
inline double overlap_area(const Snapshot& s) {
  struct Part {
    std::array<Point, 3> corner;
    double left, right, bottom, top;
    std::size_t element;
  };
  std::vector<Part> parts;
  const std::size_t nodes = s.type == ElementType::t3 ? 3 : 6;
  for (std::size_t e = 0; e < s.elements.size() / nodes; ++e) {
    const auto add = [&](std::array<int, 3> slots) {
      Part part{};
      for (std::size_t i = 0; i < 3; ++i) {
        const auto n = static_cast<std::size_t>(s.elements[e * nodes + static_cast<std::size_t>(slots[i])]);
        part.corner[i] = {s.position[n].x + s.displacement[n].x, s.position[n].y + s.displacement[n].y};
      }
      const auto& [a, b, c] = part.corner;
      std::tie(part.left, part.right) = std::minmax({a.x, b.x, c.x});
      std::tie(part.bottom, part.top) = std::minmax({a.y, b.y, c.y});
      part.element = e;
      if ((b.x - a.x) * (c.y - a.y) > (b.y - a.y) * (c.x - a.x)) parts.push_back(part);
    };
    if (nodes == 3) {
      add({0, 1, 2});
    } else {
      for (const auto& slots : {std::array{0, 3, 5}, {3, 1, 4}, {5, 4, 2}, {3, 4, 5}}) add(slots);
    }
  }
  std::sort(parts.begin(), parts.end(), [](const Part& a, const Part& b) { return a.left < b.left; });
  double sum = 0;
  for (std::size_t i = 0; i < parts.size(); ++i)
    for (std::size_t j = i + 1; j < parts.size() && parts[j].left < parts[i].right; ++j)
      if (parts[i].element != parts[j].element && parts[i].bottom < parts[j].top && parts[j].bottom < parts[i].top)
        sum += common_area(parts[i].corner, parts[j].corner);
  return sum;
}

}  // namespace cleave::reference
