#include "app/frame_checks.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "cleave/material/strength_ratio.hpp"
#include "cleave/mesh/element.hpp"
#include "cleave/mesh/facet.hpp"
#include "model/strength.hpp"

namespace cleave {

namespace {

/// Traction over strength of both modes of the law.
struct Modes {
  double normal = 0, tangential = 0;
};

/// Position of a node: in small kinematics that of the reference shape.
Point place(const Snapshot& s, Index node) {
  const Point x = s.position[node], u = s.displacement[node];
  return s.finite ? Point{x.x + u.x, x.y + u.y} : x;
}

}  // namespace

double LargestFacetLoad::ratio_at(const Snapshot& s, Index e, int k) const {
  const CohesiveCase& law = *model_.cohesive;
  const Mesh& mesh = model_.mesh;
  const int samples = nodes_per_facet(mesh.type);
  std::array<Index, 3> nodes{};
  for (int i = 0; i < samples; ++i) nodes[i] = mesh.node(e, facet_node_slot(mesh.type, k, i));
  const Point a = place(s, nodes[0]), b = place(s, nodes[samples - 1]);
  const double length = distance(a, b), tx = (b.x - a.x) / length, ty = (b.y - a.y) / length;
  const double scale = model_.strength_scale.empty() ? 1 : model_.strength_scale[3 * e + k];
  const double normal_strength = scale * law.parameters.normal.strength;
  const double tangential_strength = scale * law.parameters.tangential.strength;
  Modes mean;
  double largest = 0;
  for (int i = 0; i < samples; ++i) {
    const StressTensor& at = s.nodal_stress[nodes[i]];
    const double x = at.xx * ty - at.xy * tx, y = at.xy * ty - at.yy * tx;  // traction on the normal (ty, -tx)
    const Modes here{(x * ty - y * tx) / normal_strength, (x * tx + y * ty) / tangential_strength};
    const double weight = mesh.type == ElementType::t3 ? T3::facet_weight(i) : T6::facet_weight(i);
    mean = {mean.normal + weight * here.normal, mean.tangential + weight * here.tangential};
    largest = std::max<double>(largest, strength_ratio(law.insertion.criterion, here.normal, here.tangential));
  }
  return law.insertion.aggregate == Aggregate::max
             ? largest
             : strength_ratio(law.insertion.criterion, mean.normal, mean.tangential);
}

void LargestFacetLoad::look_at(const Snapshot& s) {
  if (!model_.cohesive || !s.cohesive.empty() || s.nodal_stress.empty()) return;
  const Mesh& mesh = model_.mesh;
  double largest = 0;
  for (Index e = 0; e < mesh.element_count(); ++e)
    for (int k = 0; k < 3; ++k)
      if (may_break(model_, e, k) && element_of(mesh.neighbour(e, k)) > e)
        largest = std::max(largest, ratio_at(s, e, k));
  const std::lock_guard lock(mutex_);
  ++found_.frames;
  if (largest > found_.ratio || (largest == found_.ratio && s.time < found_.time)) {
    found_.ratio = largest;
    found_.time = s.time;
  }
}

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
