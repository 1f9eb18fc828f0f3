/// Exact standing waves of a unit square with smooth walls, and how to compare a run with them.
#pragma once

#include <cmath>
#include <vector>

#include "reference/triangle.hpp"
#include "support.hpp"

namespace cleave::verification {

/// Modes of the square [0,1]^2 whose sides let the material slide but not leave: normal displacement and shear traction
/// are zero there. With kx = i pi, ky = j pi the field is the gradient of cos(kx x) cos(ky y) (longitudinal) or the
/// curl of sin(kx x) sin(ky y) (shear), times cos(c |k| t): a solution in two dimensions for both plane types.
struct StandingWave {
  enum class Kind { longitudinal, shear };
  Kind kind;
  int i, j;
  double amplitude;  ///< m
  ElasticParameters material;

  double kx() const { return i * M_PI; }
  double ky() const { return j * M_PI; }
  double period() const {
    const double c = kind == Kind::longitudinal ? longitudinal_speed(material) : shear_speed(material);
    return 2 * M_PI / (c * std::hypot(kx(), ky()));
  }
  Point displacement(Point p, double t) const {
    const double a = amplitude * std::cos(2 * M_PI * t / period()) / std::hypot(kx(), ky());
    const double x = std::sin(kx() * p.x) * std::cos(ky() * p.y), y = std::cos(kx() * p.x) * std::sin(ky() * p.y);
    return kind == Kind::longitudinal ? Point{a * kx() * x, a * ky() * y} : Point{a * ky() * x, -a * kx() * y};
  }

  /// n x n crossed quads with moved interior nodes, at the wave's largest displacement.
  Model model(ElementType type, int n, double perturbation) const {
    Mesh mesh = rectangle(type, {n, n}, {1, 1});
    if (perturbation > 0) perturb(mesh, perturbation, 3);
    Model m = make_model(mesh, material, 0.5);
    set_displacement(m, [&](Point p) { return displacement(p, 0); });
    const int held = add_motion(m, 0);
    for (const char* side : {"left", "right"}) move_x(m, side, held);
    for (const char* side : {"bottom", "top"}) move_y(m, side, held);
    return m;
  }

  /// f(position, weight in m^2, shape functions) at the 7 points of a rule of degree 5 (D. A. Dunavant, 1985).
  template <class F>
  static void for_each_point(const Mesh& mesh, Index e, F f) {
    const double a = 0.0597158717897698, b = 0.4701420641051151, c = 0.7974269853530873, d = 0.1012865073234563;
    const double w0 = 0.1125, w1 = 0.0661970763942531, w2 = 0.0629695902724136;
    const double rule[7][3] = {{1. / 3, 1. / 3, w0}, {b, b, w1}, {a, b, w1}, {b, a, w1},
                               {d, d, w2},           {c, d, w2}, {d, c, w2}};
    const int nodes = nodes_per_element(mesh.type);
    const Point p0 = mesh.nodes[mesh.node(e, 0)], p1 = mesh.nodes[mesh.node(e, 1)], p2 = mesh.nodes[mesh.node(e, 2)];
    const double twice = (p1.x - p0.x) * (p2.y - p0.y) - (p1.y - p0.y) * (p2.x - p0.x);
    for (const auto& q : rule) {
      const auto shape = reference::shape(nodes, q[0], q[1]);
      Point at{};
      for (int k = 0; k < nodes; ++k) {
        at.x += shape[k] * mesh.nodes[mesh.node(e, k)].x;
        at.y += shape[k] * mesh.nodes[mesh.node(e, k)].y;
      }
      f(at, q[2] * twice, shape);
    }
  }

  /// Error of nodal displacements in L2 relative to the wave's largest norm.
  double l2_error(const Mesh& mesh, const std::vector<Point>& u, double t) const {
    double sum = 0;
    for (Index e = 0; e < mesh.element_count(); ++e)
      for_each_point(mesh, e, [&](Point at, double weight, const std::vector<double>& shape) {
        Point value = displacement(at, t);
        for (std::size_t k = 0; k < shape.size(); ++k) {
          value.x -= shape[k] * u[mesh.node(e, static_cast<int>(k))].x;
          value.y -= shape[k] * u[mesh.node(e, static_cast<int>(k))].y;
        }
        sum += weight * (value.x * value.x + value.y * value.y);
      });
    return std::sqrt(sum) / (amplitude / 2);  // the norm at t = 0
  }
};

/// Period of a free oscillation: the time between the first and the third zero of the projection of the displacement on
/// its initial shape (mass-weighted), by linear interpolation between samples `every` steps apart. `expected` only says
/// how long to run.
inline double measured_period(Solver& solver, double expected, const std::vector<Point>& shape, Step every) {
  std::vector<double> zeros;
  double before = 1, time_before = 0;
  for (bool first = true; zeros.size() < 3; first = false) {
    if (!first) solver.advance(every);
    const Snapshot s = solver.snapshot();
    if (s.time > 3 * expected) return 0;
    double now = 0;
    for (std::size_t n = 0; n < shape.size(); ++n)
      now += s.mass[n] * (shape[n].x * s.displacement[n].x + shape[n].y * s.displacement[n].y);
    if (!first && now * before < 0) zeros.push_back(time_before + (s.time - time_before) * before / (before - now));
    before = now;
    time_before = s.time;
  }
  return zeros[2] - zeros[0];
}

}  // namespace cleave::verification
