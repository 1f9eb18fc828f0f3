/// A slit in a large body, opened by a pressure on its faces.
#include <cmath>

#include "statics.hpp"
#include "support.hpp"

namespace cleave::verification {
namespace {

constexpr double half_length = 0.01, pressure = 1e6, extent = 0.4;  // m, Pa, m

/// Lines of the mesh from 0 on: `fine` apart as far as twice the slit's half length, then ever further.
std::vector<double> lines(double fine) {
  std::vector<double> all{0};
  for (int i = 1; all.back() < 2 * half_length * (1 - 1e-9); ++i) all.push_back(i * fine);
  double gap = fine;
  while (all.back() < extent) all.push_back(all.back() + (gap *= 1.15));
  return all;
}

/// A quarter of the body: the slit lies on y = 0, its middle at the origin.
Mesh quarter(double fine) {
  const std::vector<double> at = lines(fine);
  const int cells = static_cast<int>(at.size()) - 1;
  Mesh grid = rectangle(ElementType::t3, {cells, cells}, {static_cast<double>(cells), static_cast<double>(cells)});
  const auto place = [&](double x) {
    const auto cell = static_cast<std::size_t>(std::floor(x));
    return cell + 1 == at.size() ? at[cell] : at[cell] + (x - std::floor(x)) * (at[cell + 1] - at[cell]);
  };
  std::vector<Point> corners;
  std::vector<std::array<Index, 3>> triangles;
  for (const Point& p : grid.nodes) corners.push_back({place(p.x), place(p.y)});
  for (Index e = 0; e < grid.element_count(); ++e)
    triangles.push_back({grid.node(e, 0), grid.node(e, 1), grid.node(e, 2)});
  return make_mesh(ElementType::t6, corners, triangles);
}

}  // namespace

TEST_CASE("a pressurised slit opens as in the solution of I. N. Sneddon (1946)", "[statics]") {
  CLEAVE_ON_EVERY_BACKEND();
  const ElasticParameters material{1e10, 0.25, 2500, PlaneType::strain};
  const double stiffness = material.young_modulus / (1 - 0.25 * 0.25);  // E' = 10.67 GPa
  Model m = make_model(quarter(half_length / 20), material, 0.5);
  const int held = add_motion(m, 0);
  std::vector<Index> faces;
  std::vector<Point> forces(m.mesh.nodes.size());
  for (std::size_t n = 0; n < m.mesh.nodes.size(); ++n) {
    const Point p = m.mesh.nodes[n];
    if (p.x == 0) m.motion_x[n] = held;
    if (p.y == 0 && p.x > half_length * (1 - 1e-9)) m.motion_y[n] = held;
  }
  for (Index e = 0; e < m.mesh.element_count(); ++e)
    for (int k = 0; k < 3; ++k) {
      const Index ends[2] = {m.mesh.node(e, (k + 1) % 3), m.mesh.node(e, (k + 2) % 3)};
      const Point a = m.mesh.nodes[ends[0]], b = m.mesh.nodes[ends[1]];
      if (a.y != 0 || b.y != 0 || std::max(a.x, b.x) > half_length * (1 + 1e-9)) continue;
      faces.push_back(facet_code(e, k));
      const double force = pressure * std::abs(b.x - a.x);
      for (const Index end : ends) forces[end].y += force / 6;
      forces[m.mesh.node(e, 3 + (k + 1) % 3)].y += force * 4 / 6;
    }
  m.loads.push_back({pressure, Curve{}, faces});
  m.displacement = equilibrium(m, forces);

  // In equilibrium by the reference, it stays as it is.
  const auto solver = make_solver(m, backend);
  advance_to(*solver, m, 2e-5);  // waves pass the slit four times
  const Snapshot s = solver->snapshot();
  double moved = 0, largest = 0, shape_error = 0;
  for (std::size_t n = 0; n < s.position.size(); ++n) {
    const Point start = m.displacement[n], now = s.displacement[n];
    moved = std::max(moved, std::hypot(now.x - start.x, now.y - start.y));
    largest = std::max(largest, std::hypot(start.x, start.y));
    const double x = s.position[n].x;
    if (s.position[n].y != 0 || x > 0.9 * half_length) continue;
    const double expected = 2 * pressure / stiffness * std::sqrt(half_length * half_length - x * x);
    shape_error = std::max(shape_error, std::abs(now.y / expected - 1));
  }
  double opening = 0;
  for (std::size_t n = 0; n < s.position.size(); ++n)
    if (s.position[n].x == 0 && s.position[n].y == 0) opening = 2 * s.displacement[n].y;
  CHECK(moved < 1e-9 * largest);
  CHECK(opening == Approx(3.75e-6).epsilon(0.02));
  CHECK(shape_error < 0.03);
  record("pressurised slit", "opening in the middle", 4 * pressure * half_length / stiffness, opening, "m", "2 %");
  record("pressurised slit", "worst part of the opening up to 0.9 of the length", 0, shape_error, "", "3 %");
}

}  // namespace cleave::verification
