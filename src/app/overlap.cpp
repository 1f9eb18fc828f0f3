#include "app/overlap.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "cleave/mesh/facet.hpp"

namespace cleave {
namespace {

/// The present triangles of a frame, by squares of a grid that they reach.
class PresentTriangles {
 public:
  explicit PresentTriangles(const Snapshot& s) : s_(s), stride_(nodes_per_element(s.type)) {
    double area = 0;
    for (Index e = 0; e < count(); ++e) area += std::abs(twice_area(e)) / 2;
    side_ = 2 * std::sqrt(area / count());
    for (Index e = 0; e < count(); ++e) add(e);
    std::sort(reached_.begin(), reached_.end());
  }

  Index count() const { return static_cast<Index>(s_.fragment.size()); }
  Point corner(Index e, int i) const {
    const Index node = s_.elements[static_cast<std::size_t>(e) * stride_ + i];
    const Point x = s_.position[node], u = s_.displacement[node];
    return {x.x + u.x, x.y + u.y};
  }
  /// Whether a point of a fragment lies deep inside a triangle of another one.
  bool other_fragment_has(Point p, Index fragment) const {
    const std::int64_t key = key_of(square(p.x), square(p.y));
    const auto first = std::lower_bound(reached_.begin(), reached_.end(), std::pair(key, Index{0}));
    for (auto at = first; at != reached_.end() && at->first == key; ++at)
      if (s_.fragment[at->second] != fragment && is_deep_in(p, at->second)) return true;
    return false;
  }

 private:
  static double twice_area(Point a, Point b, Point c) { return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x); }
  double twice_area(Index e) const { return twice_area(corner(e, 0), corner(e, 1), corner(e, 2)); }

  bool is_deep_in(Point p, Index e) const {
    constexpr double deep = 0.1;  // of the height over each side; contact lets faces overlap by less
    const Point a = corner(e, 0), b = corner(e, 1), c = corner(e, 2);
    const double all = twice_area(a, b, c);
    return all > 0 && twice_area(p, b, c) > deep * all && twice_area(a, p, c) > deep * all &&
           twice_area(a, b, p) > deep * all;
  }

  std::int64_t square(double x) const { return std::llround(std::clamp(std::floor(x / side_), -1e9, 1e9)); }
  static std::int64_t key_of(std::int64_t x, std::int64_t y) { return x * 4'000'000'000 + y; }

  /// Leaves out eroded triangles and those that are stretched over many squares.
  void add(Index e) {
    constexpr std::int64_t most = 64;
    if (s_.fragment[e] < 0) return;
    const Point a = corner(e, 0), b = corner(e, 1), c = corner(e, 2);
    const auto [left, right] = std::minmax({a.x, b.x, c.x});
    const auto [bottom, top] = std::minmax({a.y, b.y, c.y});
    const std::int64_t x0 = square(left), x1 = square(right), y0 = square(bottom), y1 = square(top);
    if (x1 - x0 >= most || y1 - y0 >= most || (x1 - x0 + 1) * (y1 - y0 + 1) > most) return;
    for (std::int64_t x = x0; x <= x1; ++x)
      for (std::int64_t y = y0; y <= y1; ++y) reached_.emplace_back(key_of(x, y), e);
  }

  const Snapshot& s_;
  int stride_;
  double side_ = 0;                                      // of the squares, m
  std::vector<std::pair<std::int64_t, Index>> reached_;  // a square and a triangle that reaches it, ascending
};

}  // namespace

void FirstOverlap::look_at(const Snapshot& s) {
  const bool one_fragment =
      std::all_of(s.fragment.begin(), s.fragment.end(), [&](Index fragment) { return fragment == s.fragment.front(); });
  if (one_fragment || model_.sides_touch || s.time > found().time) return;
  std::vector<Index> free;
  for (std::size_t code = 0; code < model_.mesh.neighbours.size(); ++code)
    if (model_.mesh.neighbours[code] == boundary_facet) free.push_back(static_cast<Index>(code));
  for (const Snapshot::Cohesive& broken : s.cohesive) free.insert(free.end(), {broken.facet_a, broken.facet_b});
  const PresentTriangles triangles(s);
  for (const Index code : free) {
    const Index e = element_of(code);
    if (s.fragment[e] < 0) continue;
    const Point a = triangles.corner(e, (facet_of(code) + 1) % 3), b = triangles.corner(e, (facet_of(code) + 2) % 3);
    for (const double along : {0.125, 0.375, 0.625, 0.875}) {  // corners of parts that fit lie on each other's facets
      const Point p{a.x + along * (b.x - a.x), a.y + along * (b.y - a.y)};
      if (!triangles.other_fragment_has(p, s.fragment[e])) continue;
      const std::lock_guard lock(mutex_);
      if (s.time < found_.time) found_ = {s.time, p};
      return;
    }
  }
}

}  // namespace cleave
