/// Contact of a body's surface with itself: bars, fragments, faces of cracks.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>

#include "backend/models.hpp"
#include "backend/solver_backend.hpp"
#include "reference/same_bits.hpp"

namespace cleave::test {
namespace {

/// Two meshes as one, not joined. The groups are those of the first.
Mesh both(Mesh mesh, const Mesh& other) {
  const Index nodes = mesh.node_count(), elements = mesh.element_count();
  mesh.nodes.insert(mesh.nodes.end(), other.nodes.begin(), other.nodes.end());
  for (const Index n : other.elements) mesh.elements.push_back(nodes + n);
  for (const Index code : other.neighbours)
    mesh.neighbours.push_back(code == boundary_facet ? boundary_facet : facet_code(elements, 0) + code);
  mesh.original_nodes.clear();
  mesh.original_elements.clear();
  mesh.structured_colours.clear();
  return mesh;
}

/// A model of two bars of unit modulus and density on the x axis, the second one as many times as long, with so many
/// rows of quads. Poisson's ratio is 0, so waves have the speed 1.
Model bars(ElementType type, double length, double times, std::array<int, 2> rows, Point velocity) {
  const auto bar = [&](double from, double span, int of) {
    return rectangle(type, {static_cast<int>(std::lround(of * span / 0.4)), of}, {span, 0.4}, {from, 0});
  };
  const double gap = 1e-3;
  Model m = model_of(both(bar(-length, length, rows[0]), bar(gap, times * length, rows[1])));
  m.assembly = Assembly::gather;
  m.thickness = 1;
  m.set_material({.parameters = {1, 0, 1, PlaneType::strain}});
  const double bound = (type == ElementType::t3 ? 0.70 : 0.338) * smallest_altitude(m.mesh);
  m.critical_step = m.stable_step = bound;
  m.step = 0.5 * bound;
  m.sides_touch = true;
  for (std::size_t n = 0; n < m.velocity.size(); ++n)
    m.velocity[n] = {m.mesh.nodes[n].x > 0.5 * gap ? velocity.y : velocity.x, 0};
  return m;
}

/// Momentum and mass of the nodes left (first) and right of x = 0 at the start.
struct Halves {
  double mass[2] = {0, 0};
  Point momentum[2];
  double speed(int half) const { return momentum[half].x / mass[half]; }
};
Halves halves_of(const Snapshot& s) {
  Halves h;
  for (std::size_t n = 0; n < s.mass.size(); ++n) {
    const int half = s.position[n].x > 5e-4;
    h.mass[half] += s.mass[n];
    h.momentum[half].x += s.mass[n] * s.velocity[n].x;
    h.momentum[half].y += s.mass[n] * s.velocity[n].y;
  }
  return h;
}

/// Runs until nothing has touched for a while. Returns how long the surfaces touched, s.
double run_through_contact(Solver& solver, const Model& m, double end) {
  double first = 0, last = 0;
  while (solver.history().time < end) {
    solver.advance(2, Output::history);
    const HistoryRow row = solver.history();
    REQUIRE(std::abs(row.balance_error) < tolerance(m, 1e-12, 1e-4));
    if (row.contact_points == 0) continue;
    if (first == 0) first = row.time;
    last = row.time;
  }
  return last - first;
}

}  // namespace

TEST_CASE("two equal bars that meet exchange their velocities", "[contact][solver][body_contact]") {
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  const double length = 10, speed = 0.02;
  // Nodes of the faces do not lie opposite each other.
  const Model m = bars(type, length, 1, type == ElementType::t3 ? std::array{4, 3} : std::array{2, 3}, {speed, -speed});
  const auto solver = make_solver(m, 1);
  const double lasts = run_through_contact(*solver, m, 1.5 * 2 * length);
  solver->advance(1);
  const Halves after = halves_of(solver->snapshot());
  CHECK(lasts == Approx(2 * length).epsilon(0.02));
  CHECK(after.speed(0) == Approx(-speed).epsilon(0.01));
  CHECK(after.speed(1) == Approx(speed).epsilon(0.01));
  CHECK(std::abs(after.momentum[0].x + after.momentum[1].x) < 1e-13 * length * speed);
  CHECK(std::abs(after.momentum[0].y + after.momentum[1].y) < 1e-13 * length * speed);
}

TEST_CASE("a striker that meets a bar twice as long stops", "[contact][solver][body_contact]") {
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  const double length = 10, speed = 0.02;
  const Model m = bars(type, length, 2, type == ElementType::t3 ? std::array{4, 3} : std::array{2, 3}, {speed, 0});
  const auto solver = make_solver(m, 1);
  const double lasts = run_through_contact(*solver, m, 1.5 * 2 * length);
  solver->advance(1);
  const Halves after = halves_of(solver->snapshot());
  CHECK(lasts == Approx(2 * length).epsilon(0.02));
  CHECK(std::abs(after.speed(0)) < 0.01 * speed);
  CHECK(after.speed(1) == Approx(speed / 2).epsilon(0.01));
}

}  // namespace cleave::test
