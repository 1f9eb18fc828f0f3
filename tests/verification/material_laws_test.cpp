/// Material laws in moving bodies: waves that flow or are damped, and a body that turns.
#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

#include "statics.hpp"
#include "support.hpp"

namespace cleave::verification {
namespace {

constexpr double pi = std::numbers::pi;

/// A strip whose nodes move along x only, so that its waves are plane.
Model bar(const MaterialCase& material, ElementType type, double length, int quads, double fraction) {
  Model m = make_model(rectangle(type, {quads, 1}, {length, length / quads}), material, fraction);
  move_y(m, nullptr, add_motion(m, 0));
  return m;
}

/// A node at (x, 0).
std::size_t node_at(const Model& m, double x) {
  std::size_t nearest = 0;
  const auto off = [&](std::size_t n) { return std::hypot(m.mesh.nodes[n].x - x, m.mesh.nodes[n].y); };
  for (std::size_t n = 0; n < m.mesh.nodes.size(); ++n)
    if (off(n) < off(nearest)) nearest = n;
  return nearest;
}

/// A square of side `a` about the origin, that turns.
struct Spinning {
  double a = 0.01, density = 1000, speed = 0;
  double rate = 0;  ///< 1/s
  Model model;

  Spinning(const MaterialCase& material, ElementType type, int quads, double edge_speed) {
    density = material.parameters.density;
    speed = longitudinal_speed(material.parameters);
    rate = edge_speed * speed / (a / 2);
    model = make_model(rectangle(type, {quads, quads}, {a, a}, {-a / 2, -a / 2}), material, 0.7);
    stretch();
    for (std::size_t n = 0; n < model.velocity.size(); ++n) {
      const double x = model.mesh.nodes[n].x + model.displacement[n].x;
      const double y = model.mesh.nodes[n].y + model.displacement[n].y;
      model.velocity[n] = {-rate * y, rate * x};
    }
  }
  /// To where its spin holds it, so that it does not vibrate.
  void stretch() {
    Model held = model;
    for (std::size_t n = 0; n < held.mesh.nodes.size(); ++n) {
      const Point p = held.mesh.nodes[n];
      if (p.y == 0 && p.x == 0) held.motion_x[n] = 1;
      if (p.y == 0) held.motion_y[n] = 1;
    }
    std::vector<Point> forces;
    const Snapshot s = make_solver(held, "cpu gather")->snapshot();
    for (std::size_t n = 0; n < s.mass.size(); ++n)
      forces.push_back({s.mass[n] * rate * rate * s.position[n].x, s.mass[n] * rate * rate * s.position[n].y});
    model.displacement = equilibrium(held, forces);
  }
  double turn() const { return 2 * pi / rate; }
  double angular_momentum(const Snapshot& s) const {
    double sum = 0;
    for (std::size_t n = 0; n < s.mass.size(); ++n) {
      const double x = s.position[n].x + s.displacement[n].x, y = s.position[n].y + s.displacement[n].y;
      sum += s.mass[n] * (x * s.velocity[n].y - y * s.velocity[n].x);
    }
    return sum;
  }
  /// Largest change of a node's distance from the middle since the start, m.
  double off_shape(const Snapshot& s) const {
    double off = 0;
    const auto distance = [&](std::size_t n, Point u) {
      return std::hypot(model.mesh.nodes[n].x + u.x, model.mesh.nodes[n].y + u.y);
    };
    for (std::size_t n = 0; n < s.displacement.size(); ++n)
      off = std::max(off, std::abs(distance(n, s.displacement[n]) - distance(n, model.displacement[n])));
    return off;
  }
  /// Mean over the body, Pa.
  PlaneTensor mean_stress(const Snapshot& s) const {
    PlaneTensor mean;
    double area = 0;
    for (Index e = 0; e < model.mesh.element_count(); ++e) {
      const Point p = model.mesh.nodes[model.mesh.node(e, 0)], q = model.mesh.nodes[model.mesh.node(e, 1)],
                  r = model.mesh.nodes[model.mesh.node(e, 2)];
      const double of_element = 0.5 * ((q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x));
      mean.xx += of_element * s.element_stress[e].xx;
      mean.yy += of_element * s.element_stress[e].yy;
      mean.xy += of_element * s.element_stress[e].xy;
      area += of_element;
    }
    return {mean.xx / area, mean.yy / area, mean.xy / area};
  }
};

}  // namespace

TEST_CASE("a Kelvin-Voigt bar damps waves of 100 kHz", "[material]") {
  CLEAVE_ON_EVERY_DEVICE();
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  CAPTURE(name_of(type));
  MaterialCase c{"kelvin_voigt", {1e9, 0, 1000, PlaneType::strain}, {}, {}};
  c.values = {100, 0};
  Model m = bar(c, type, 0.12, type == ElementType::t3 ? 480 : 240, 0.8);
  const double omega = 2 * pi * 1e5;
  std::vector<std::pair<double, double>> wave;
  for (int i = 0; i <= 1300; ++i) {
    const double t = i * 1e-7;
    wave.emplace_back(t, std::min(1.0, t / 2e-5) * std::sin(omega * t));
  }
  move_x(m, "left", add_motion(m, 1, Curve::table(wave)));
  const auto solver = make_solver(m, backend);
  const std::size_t n = node_at(m, 0.05);
  double largest = 0;
  for (double t = 90e-6; t < 115e-6; t += 2.5e-7) {
    advance_to(*solver, m, t);
    largest = std::max(largest, std::abs(solver->snapshot().velocity[n].x));
  }
  // k^2 = rho omega^2 / (E + i omega eta)
  const std::complex<double> k = omega * std::sqrt(1000.0 / std::complex<double>(1e9, omega * 100));
  const double expected = std::exp(-std::abs(k.imag()) * 0.05);
  CHECK(expected == Approx(0.373).epsilon(5e-3));
  CHECK(largest == Approx(expected).epsilon(1e-2));
  record("Kelvin-Voigt bar at 100 kHz", std::string(name_of(type)) + ": amplitude after 50 mm", expected, largest, "-",
         "1 %");
  const HistoryRow row = solver->history();
  CHECK(std::abs(row.balance_error) < 1e-11);
  CHECK(std::abs(row.internal_work - row.strain_energy - row.viscous_energy) < 1e-10 * row.internal_work);
}

TEST_CASE("plane waves in steel have the elastic limit and the plastic speed", "[material]") {
  CLEAVE_ON_EVERY_DEVICE();
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  CAPTURE(name_of(type));
  MaterialCase c{"j2", steel, {}, {}};
  c.values = {400e6};
  Model m = bar(c, type, 0.1, type == ElementType::t3 ? 800 : 400, 0.5);
  const double piston = 40, limit = 0.7 / 0.4 * 400e6;  // (1 - nu) / (1 - 2 nu) Y
  const double elastic = longitudinal_speed(steel), plastic = std::sqrt(210e9 / (3 * 0.4) / steel.density);
  CHECK(plastic == Approx(4722).epsilon(1e-4));
  move_x(m, "left", add_motion(m, piston, Curve::table({{0, 0}, {1e-6, 1}})));
  const auto solver = make_solver(m, backend);
  const std::size_t near = node_at(m, 0.02), far = node_at(m, 0.05);
  // When the plastic wave, half way up, passes both.
  const double in_front = limit / (steel.density * elastic), half = 0.5 * (in_front + piston);
  double at_near = 0, at_far = 0, before_near = 0, before_far = 0, precursor = 0;
  int looks = 0;
  const double every = 2e-8;
  for (double t = every; at_far == 0 && t < 15e-6; t += every) {
    advance_to(*solver, m, t);
    const Snapshot s = solver->snapshot();
    const double v = s.velocity[near].x, w = s.velocity[far].x;
    if (at_near == 0 && v > half) at_near = t - every * (v - half) / (v - before_near);
    if (at_far == 0 && w > half) at_far = t - every * (w - half) / (w - before_far);
    before_near = v;
    before_far = w;
    // Behind the elastic wave, in front of the plastic one.
    if (t > 0.05 / elastic + 1.2e-6 && t < 0.05 / plastic) {
      precursor += w;
      ++looks;
    }
  }
  const double speed = 0.03 / (at_far - at_near), stress = steel.density * elastic * precursor / looks;
  CHECK(stress == Approx(limit).epsilon(1e-2));
  CHECK(speed == Approx(plastic).epsilon(1e-2));
  record("plane plastic waves in steel", std::string(name_of(type)) + ": elastic limit over yield stress", 1.75,
         stress / 400e6, "-", "1 %");
  record("plane plastic waves in steel", std::string(name_of(type)) + ": plastic speed", plastic, speed, "m/s", "1 %");
  const HistoryRow row = solver->history();
  CHECK(std::abs(row.balance_error) < 1e-11);
  CHECK(row.plastic_energy > 0.01 * row.internal_work);
  CHECK(std::abs(row.internal_work - row.strain_energy - row.plastic_energy) < 1e-10 * row.internal_work);
}

TEST_CASE("a free square rotates ten times", "[material][finite]") {
  CLEAVE_ON_EVERY_DEVICE();
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  const char* law = GENERATE("st_venant_kirchhoff", "neo_hookean");
  CAPTURE(name_of(type), law);
  Spinning square({law, {1e9, 0.3, 1000, PlaneType::strain}, {}, {}}, type, type == ElementType::t3 ? 12 : 4, 0.01);
  const auto solver = make_solver(square.model, backend);
  const double momentum = square.angular_momentum(solver->snapshot());
  const double expected = square.density * square.rate * square.rate * square.a * square.a / 12;
  const int turns = 10, looks = 50;
  double first_energy = 0;
  for (int turn = 1; turn <= turns; ++turn) {
    double energy = 0, xx = 0, yy = 0;
    for (int look = 1; look <= looks; ++look) {
      advance_to(*solver, square.model, (turn - 1 + look / static_cast<double>(looks)) * square.turn());
      const PlaneTensor stress = square.mean_stress(solver->snapshot());
      xx += stress.xx / looks;
      yy += stress.yy / looks;
      energy += solver->history().kinetic_energy / looks;
    }
    if (turn == 1) first_energy = energy;
    CHECK(std::abs(energy / first_energy - 1) < 1e-6);
    CHECK(xx == Approx(expected).epsilon(1e-2));
    CHECK(yy == Approx(expected).epsilon(1e-2));
    const Snapshot s = solver->snapshot();
    CHECK(std::abs(square.angular_momentum(s) / momentum - 1) < 1e-10);
    // In shape: the spin strains it by 5e-5, of which less than a hundredth may come and go.
    CHECK(square.off_shape(s) < 5e-7 * square.a);
    if (turn == turns) {
      record("a square turns ten times", std::string(law) + " " + name_of(type) + ": mean stress xx", expected, xx,
             "Pa", "1 %");
      record("a square turns ten times",
             std::string(law) + " " + name_of(type) + ": kinetic energy over the first turn", 1, energy / first_energy,
             "-", "1e-6");
    }
  }
  CHECK(std::abs(solver->history().balance_error) < 1e-11);
}

TEST_CASE("a rotating body grows with small strains", "[material][finite]") {
  CLEAVE_ON_EVERY_DEVICE();
  Spinning square({"linear_elastic", {1e9, 0.3, 1000, PlaneType::strain}, {}, {}}, ElementType::t3, 8, 0.01);
  const auto solver = make_solver(square.model, backend);
  advance_to(*solver, square.model, square.turn() / 24);  // 15 degrees
  // Its nodes go straight on, as nothing pulls them round: it grows by 3.4 %.
  const double grown = std::sqrt(1 + std::pow(pi / 12, 2)) - 1;
  CHECK(square.off_shape(solver->snapshot()) == Approx(grown * square.a / std::sqrt(2)).epsilon(2e-2));
}

}  // namespace cleave::verification
