#include "model/probes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace cleave {
namespace {

/// Area coordinates of a point in a triangle.
using AreaCoordinates = std::array<double, 3>;

struct Corners {
  Point p[3];

  Corners(const Mesh& mesh, Index e) {
    for (int k = 0; k < 3; ++k) p[k] = mesh.nodes[mesh.node(e, k)];
  }
  double twice_area() const { return (p[1].x - p[0].x) * (p[2].y - p[0].y) - (p[1].y - p[0].y) * (p[2].x - p[0].x); }
  /// Gradient of area coordinate k, 1/m.
  Point gradient(int k) const {
    const Point &a = p[(k + 1) % 3], &b = p[(k + 2) % 3];
    return {(a.y - b.y) / twice_area(), (b.x - a.x) / twice_area()};
  }
  AreaCoordinates at(Point x) const {
    AreaCoordinates l{};
    for (int k = 0; k < 3; ++k) {
      const Point &a = p[(k + 1) % 3], g = gradient(k);
      l[k] = g.x * (x.x - a.x) + g.y * (x.y - a.y);  // zero along the side opposite corner k
    }
    return l;
  }
};

/// The point between two others that is nearest to x.
Point nearest_between(Point a, Point b, Point x) {
  const double dx = b.x - a.x, dy = b.y - a.y;
  const double part = std::clamp(((x.x - a.x) * dx + (x.y - a.y) * dy) / (dx * dx + dy * dy), 0.0, 1.0);
  return {a.x + part * dx, a.y + part * dy};
}

/// The element that holds a point, if any does. Points on its sides are in it, up to rounding of coordinates.
std::optional<Index> element_at(const Mesh& mesh, Point x) {
  constexpr double tolerance = 1e-9;  // of area coordinates
  std::optional<Index> found;
  for (Index e = 0; e < mesh.element_count(); ++e) {
    const AreaCoordinates l = Corners(mesh, e).at(x);
    if (*std::min_element(l.begin(), l.end()) < -tolerance) continue;
    if (!found || mesh.original_elements[e] < mesh.original_elements[*found]) found = e;
  }
  return found;
}

/// The point of the body that is nearest to one outside.
Point nearest_of_body(const Mesh& mesh, Point x) {
  double least = std::numeric_limits<double>::infinity();
  Point nearest;
  for (Index e = 0; e < mesh.element_count(); ++e) {
    for (int k = 0; k < 3; ++k) {
      if (mesh.neighbour(e, k) != boundary_facet) continue;
      const Corners corners(mesh, e);
      const Point p = nearest_between(corners.p[(k + 1) % 3], corners.p[(k + 2) % 3], x);
      const double distance = std::hypot(p.x - x.x, p.y - x.y);
      if (distance >= least) continue;
      least = distance;
      nearest = p;
    }
  }
  return nearest;
}

/// Shape functions of corners and mid-sides, as polynomials of the area coordinates, with their gradients.
void set_shape(ProbePoint& probe, ElementType type, const AreaCoordinates& l, const Corners& corners) {
  for (int k = 0; k < 3; ++k) {
    const Point g = corners.gradient(k);
    const bool linear = type == ElementType::t3;
    const double slope = linear ? 1 : 4 * l[k] - 1;
    probe.shape[k] = linear ? l[k] : l[k] * (2 * l[k] - 1);
    probe.gradient[k] = {slope * g.x, slope * g.y};
    if (linear) continue;
    const int j = (k + 1) % 3;  // node 3 + k lies between corners k and j
    const Point h = corners.gradient(j);
    probe.shape[3 + k] = 4 * l[k] * l[j];
    probe.gradient[3 + k] = {4 * (l[k] * h.x + l[j] * g.x), 4 * (l[k] * h.y + l[j] * g.y)};
  }
}

ProbePoint probe_in(const Mesh& mesh, Index e, const ProbeCase& c) {
  const Corners corners(mesh, e);
  const AreaCoordinates l = corners.at({c.at[0], c.at[1]});
  ProbePoint probe{.name = c.name, .every = c.every, .element = e};
  set_shape(probe, mesh.type, l, corners);
  // Gauss point q of a T6 is the one nearest to corner q.
  if (mesh.type == ElementType::t6)
    probe.gauss_point = static_cast<int>(std::max_element(l.begin(), l.end()) - l.begin());
  return probe;
}

}  // namespace

void place_probes(Model& model, const Case& c, CaseReport& report) {
  for (std::size_t i = 0; i < c.output.probes.size(); ++i) {
    const ProbeCase& probe = c.output.probes[i];
    const Point at{probe.at[0], probe.at[1]};
    if (const auto element = element_at(model.mesh, at)) {
      model.probes.push_back(probe_in(model.mesh, *element, probe));
      if (!model.strength_scale.empty()) model.probes.back().strength_scale = model.element_strength_scale[*element];
      continue;
    }
    const Point nearest = nearest_of_body(model.mesh, at);
    report.add(probe.line, fmt::format("output.probes.{}.at", i),
               fmt::format("({:g}, {:g}) lies outside the body; the nearest point of the mesh is ({:.10g}, {:.10g})",
                           at.x, at.y, nearest.x, nearest.y));
  }
}

}  // namespace cleave
