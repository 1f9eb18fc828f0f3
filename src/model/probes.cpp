#include "model/probes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cleave {
namespace {

/// Tolerance of area coordinates: points on the sides of a triangle belong to it, up to rounding of coordinates.
constexpr double tolerance = 1e-9;

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
      l[k] = g.x * (x.x - a.x) + g.y * (x.y - a.y);  // zero on the side opposite to corner k
    }
    return l;
  }
};

/// Bounding boxes of the triangles, enlarged by more than the tolerance.
std::vector<Box> boxes_of_elements(const Mesh& mesh) {
  std::vector<Box> boxes;
  for (Index e = 0; e < mesh.element_count(); ++e) {
    const Corners corners(mesh, e);
    const Box box = box_around(corners.p);
    boxes.push_back(box.grown(10 * tolerance * std::max(box.width(), box.height())));
  }
  return boxes;
}

/// The point between two others that is nearest to x.
Point nearest_between(Point a, Point b, Point x) {
  const double dx = b.x - a.x, dy = b.y - a.y;
  const double part = std::clamp(((x.x - a.x) * dx + (x.y - a.y) * dy) / (dx * dx + dy * dy), 0.0, 1.0);
  return {a.x + part * dx, a.y + part * dy};
}

}  // namespace

ElementFinder::ElementFinder(const Mesh& mesh) : mesh_(mesh), tree_(boxes_of_elements(mesh)) {}

std::optional<Index> ElementFinder::element_at(Point x) const {
  std::optional<Index> found;
  tree_.for_each_met({x, x}, [&](std::size_t i) {
    const Index e = static_cast<Index>(i);
    const AreaCoordinates l = Corners(mesh_, e).at(x);
    if (*std::min_element(l.begin(), l.end()) < -tolerance) return;
    if (!found || mesh_.original_elements[e] < mesh_.original_elements[*found]) found = e;
  });
  return found;
}

namespace {

/// The point of the body nearest to a point outside.
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

}  // namespace

std::string outside_text(const Mesh& mesh, Point at) {
  const Point nearest = nearest_of_body(mesh, at);
  return fmt::format("({:g}, {:g}) lies outside the body; the nearest point of the mesh is ({:.10g}, {:.10g})", at.x,
                     at.y, nearest.x, nearest.y);
}

namespace {

/// Sets the shape functions of corners and mid-sides, polynomials of the area coordinates, and their gradients.
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

}  // namespace

ProbePoint probe_in(const Model& model, Index e, Point at) {
  const Mesh& mesh = model.mesh;
  const Corners corners(mesh, e);
  const AreaCoordinates l = corners.at(at);
  ProbePoint probe;
  probe.element = e;
  set_shape(probe, mesh.type, l, corners);
  // Gauss point q of a T6 has the area coordinates 2/3 at corner q and 1/6 at the others.
  if (mesh.type == ElementType::t6)
    for (int q = 0; q < 3; ++q) probe.gauss_weight[q] = 2 * l[q] - 1.0 / 3;
  if (!model.strength_scale.empty()) probe.strength_scale = model.element_strength_scale[e];
  return probe;
}

void place_probes(Model& model, const Case& c, const ElementFinder& finder, CaseReport& report) {
  for (std::size_t i = 0; i < c.output.probes.size(); ++i) {
    const ProbeCase& probe = c.output.probes[i];
    const Point at{probe.at[0], probe.at[1]};
    if (const auto element = finder.element_at(at)) {
      ProbePoint& placed = model.probes.emplace_back(probe_in(model, *element, at));
      placed.name = probe.name;
      placed.every = probe.every;
      continue;
    }
    report.add(probe.line, fmt::format("output.probes.{}.at", i), outside_text(model.mesh, at));
  }
}

}  // namespace cleave
