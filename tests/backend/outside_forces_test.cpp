/// A body force, absorbing boundaries and damping.
#include <catch2/catch.hpp>
#include <sstream>

#include "backend/models.hpp"
#include "backend/solver_backend.hpp"
#include "model/supports.hpp"
#include "reference/same_bits.hpp"

namespace cleave::test {
namespace {

using reference::same_bits;

/// Breaks, is pulled, pressed, held, falls and absorbs.
Model busy_plate_with_all(ElementType type, Assembly assembly) {
  Model m = busy_plate(type);
  m.assembly = assembly;
  m.body_acceleration = {3e5, -8e5};
  m.body_curve = Curve::half_sine(5e-5);
  m.damping = damping_rates(m, m.mesh.find_group("bottom")->facets);
  m.drag = {2e4, 1e-4};
  return m;
}

}  // namespace

TEST_CASE("a free body slows down as exp(-rate t) until damping ends", "[solver][outside]") {
  Model m = model_of(plate_mesh(GENERATE(ElementType::t3, ElementType::t6)));
  m.precision = GENERATE(Precision::double_precision, Precision::single_precision);
  m.assembly = GENERATE(Assembly::gather, Assembly::coloured);
  const double rate = 0.02 / m.step, until = 80.5 * m.step;
  m.drag = {rate, until};
  add_velocity(m, {3, -2}, {0, 0, 0, 0}, {0, 0});
  const auto solver = make_solver(m, 1);
  const double start = solver->history().kinetic_energy;
  // v(n) = v(0) ((1 - h) / (1 + h))^n with h = rate dt / 2: off by (rate dt)^2 / 12 of the exponent.
  const double close = tolerance(m, 1e-12, 1e-4), of_method = 80 * std::pow(0.02, 3) / 12 * 1.01;
  for (int n = 0; n < 80; n += 20) {
    solver->advance(20);
    const double exact = std::exp(-rate * static_cast<double>(n + 20) * m.step);
    const Snapshot s = solver->snapshot();
    for (const Point v : s.velocity) {
      CHECK(std::abs(v.x / 3 - exact) < exact * (of_method + close));
      CHECK(std::abs(v.y / -2 - exact) < exact * (of_method + close));
    }
    const HistoryRow row = solver->history();
    // T of the identity is 1/2 v(n-1/2) M v(n+1/2).
    CHECK(std::abs(start - row.kinetic_energy - row.damping_energy) < 2e-4 * start);
    CHECK(std::abs(row.balance_error) < tolerance(m, 1e-12, 1e-4));
    CHECK(row.absorbed_energy == 0);
  }
  solver->advance(1);  // half of the last step of damping
  const HistoryRow last = solver->history();
  solver->advance(50);
  const HistoryRow later = solver->history();
  CHECK(later.damping_energy == last.damping_energy);
  CHECK(later.kinetic_energy == Approx(last.kinetic_energy).epsilon(tolerance(m, 1e-12, 1e-4)));
}

TEST_CASE("a damped oscillation is that of theory", "[solver][outside]") {
  // A bar between a held end and a free one, in its first mode; nu = 0, so that it is one-dimensional.
  constexpr double length = 16e-3;
  Model m = model_of(plate_mesh(ElementType::t6, {16, 8}, false, 0));
  MaterialCase material = m.materials.front();
  material.parameters.poisson_ratio = 0;
  m.set_material(material);
  m.assembly = GENERATE(Assembly::gather, Assembly::coloured);
  const double speed = std::sqrt(material.parameters.young_modulus / material.parameters.density);
  const double omega = std::acos(-1.0) / 2 * speed / length, rate = 0.2 * omega, free = omega * std::sqrt(1 - 0.01);
  m.drag = {rate, {}};
  prescribe(m, "left", 1, 0);
  for (std::size_t n = 0; n < m.mesh.nodes.size(); ++n)
    m.displacement[n].x = 1e-6 * std::sin(std::acos(-1.0) / 2 * m.mesh.nodes[n].x / length);
  const Index end = m.mesh.find_group("right")->nodes.front();
  const auto solver = make_solver(m, 2);
  double largest = 0;
  for (int look = 0; look < 50; ++look) {
    solver->advance(20);
    const double t = static_cast<double>(solver->step()) * m.step;
    const double expected =
        1e-6 * std::exp(-rate / 2 * t) * (std::cos(free * t) + rate / 2 / free * std::sin(free * t));
    largest = std::max(largest, std::abs(solver->snapshot().displacement[end].x - expected) / 1e-6);
  }
  CHECK(static_cast<double>(solver->step()) * m.step * omega > 6);  // a period
  CHECK(largest < 2e-3);
  CHECK(std::abs(solver->history().balance_error) < 1e-12);
}

TEST_CASE("damping at a rate of zero changes no bit", "[solver][outside]") {
  Model m = busy_plate(GENERATE(ElementType::t3, ElementType::t6));
  m.assembly = GENERATE(Assembly::gather, Assembly::coloured);
  const auto plain = make_solver(m, 1);
  m.drag = {0, 1e-3};
  const auto without = make_solver(m, 1);
  for (auto* solver : {plain.get(), without.get()}) solver->advance(200);
  CHECK(same_bits(plain->history(), without->history()));
  CHECK(same_bits(plain->snapshot(), without->snapshot()));
}

TEST_CASE("a free body falls", "[solver][outside]") {
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  Model m = model_of(plate_mesh(type));
  m.precision = GENERATE(Precision::double_precision, Precision::single_precision);
  m.assembly = GENERATE(Assembly::gather, Assembly::coloured);
  m.body_acceleration = {2, -9.81};
  const auto solver = make_solver(m, 1);
  solver->advance(150);
  const Snapshot s = solver->snapshot();
  const HistoryRow row = solver->history();
  // Rows of a stored matrix add up to zero before they are rounded only: in single precision a translation makes a
  // force.
  const double t = 150 * m.step, close = tolerance(m, 1e-12, m.assembly == Assembly::gather ? 1e-5 : 1e-4);
  for (std::size_t n = 0; n < s.mass.size(); ++n) {
    CHECK(s.velocity[n].x == Approx(2 * t).epsilon(close));
    CHECK(s.velocity[n].y == Approx(-9.81 * t).epsilon(close));
    CHECK(s.displacement[n].y == Approx(-9.81 * t * t / 2).epsilon(close));
  }
  const double mass = 16e-3 * 8e-3 * m.thickness * m.materials.front().parameters.density;
  CHECK(row.body_work == Approx(0.5 * mass * (4 + 9.81 * 9.81) * t * t).epsilon(close));
  CHECK(row.external_work == 0);
  CHECK(std::abs(row.balance_error) < tolerance(m, 1e-12, 1e-4));
}

TEST_CASE("the reactions of a held body are its weight", "[solver][outside]") {
  Model m = model_of(plate_mesh(GENERATE(ElementType::t3, ElementType::t6)));
  m.assembly = GENERATE(Assembly::gather, Assembly::coloured);
  m.body_acceleration = {0, -9.81};
  m.motions.push_back({});
  m.motion_x.assign(m.motion_x.size(), 1);
  m.motion_y.assign(m.motion_y.size(), 1);
  std::vector<Index> all;
  for (std::size_t n = 0; n < m.mesh.nodes.size(); ++n) all.push_back(static_cast<Index>(n));
  m.held_groups.push_back({"all", all, std::vector<std::uint8_t>(all.size(), 3)});
  const auto solver = make_solver(m, 1);
  const double weight = 9.81 * 16e-3 * 8e-3 * m.thickness * m.materials.front().parameters.density;
  CHECK(solver->history().groups.at(0).reaction_y == Approx(weight).epsilon(1e-12));
  solver->advance(20);
  CHECK(solver->history().groups.at(0).reaction_y == Approx(weight).epsilon(1e-12));
  CHECK(solver->history().kinetic_energy == 0);
}

TEST_CASE("outside forces keep energy and momentum while nodes split, for any threads and stops", "[solver][outside]") {
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  const Assembly assembly = GENERATE(Assembly::gather, Assembly::coloured);
  const Model m = busy_plate_with_all(type, assembly);
  const auto solver = make_solver(m, 1);
  solver->advance(150);
  std::stringstream file;
  solver->save(file);
  HistoryRow row;
  double absorbed = 0, damped = 0;
  for (int i = 0; i < 10; ++i) {
    solver->advance(20);
    row = solver->history();
    CHECK(std::abs(row.balance_error) < 1e-11);
    CHECK(row.absorbed_energy > absorbed);
    absorbed = row.absorbed_energy;
    CHECK(row.damping_energy > damped);
    damped = row.damping_energy;
  }
  REQUIRE(row.cohesive_elements > 20);
  REQUIRE(std::abs(row.body_work) > 1e-3 * row.kinetic_energy);
  REQUIRE(row.absorbed_energy > 1e-3 * row.kinetic_energy);
  REQUIRE(row.damping_energy > 1e-3 * row.kinetic_energy);

  const auto resumed = make_solver(m, 2);
  resumed->load(file);
  resumed->advance(200);
  CHECK(same_bits(row, resumed->history()));
  CHECK(same_bits(solver->snapshot(), resumed->snapshot()));
  const auto in_one = make_solver(m, 1);
  in_one->advance(350);
  CHECK(same_bits(solver->snapshot(), in_one->snapshot()));

  // A free body gets the momentum of the force however often its nodes split.
  Model free = model_of(plate_mesh(type));
  free.assembly = assembly;
  free.cohesive = brittle();
  free.body_acceleration = {3e5, -8e5};
  add_velocity(free, {2, 1}, {1200, -900, 1100, 700}, {8e-3, 4e-3});
  const auto flies = make_solver(free, 1);
  const auto momentum = [&](const Snapshot& s) {
    Point p;
    for (std::size_t n = 0; n < s.mass.size(); ++n) {
      p.x += s.mass[n] * s.velocity[n].x;
      p.y += s.mass[n] * s.velocity[n].y;
    }
    return p;
  };
  const Point before = momentum(flies->snapshot());
  flies->advance(300);
  REQUIRE(flies->history().cohesive_elements > 10);
  const Point after = momentum(flies->snapshot());
  const double push = 300 * free.step * 16e-3 * 8e-3 * free.thickness * free.materials.front().parameters.density;
  CHECK(after.x - before.x == Approx(3e5 * push).epsilon(1e-11));
  CHECK(after.y - before.y == Approx(-8e5 * push).epsilon(1e-11));
}

TEST_CASE("both assemblies agree on outside forces", "[solver][outside]") {
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  std::vector<HistoryRow> rows;
  for (const Assembly assembly : {Assembly::gather, Assembly::coloured}) {
    Model m = busy_plate_with_all(type, assembly);
    m.cohesive.reset();
    const auto solver = make_solver(m, 1);
    solver->advance(200);
    rows.push_back(solver->history());
  }
  for_each_quantity(rows[0], [&](Quantity q, auto value) {
    if (q == Quantity::balance_error || q == Quantity::work_minus_energy) return;  // rounding
    for_each_quantity(rows[1], [&](Quantity other, auto same) {
      CAPTURE(info_of(q).name);
      if (q == other) CHECK(static_cast<double>(value) == Approx(static_cast<double>(same)).epsilon(1e-9));
    });
  });
}

TEST_CASE("a held side of an absorbing body does not absorb", "[solver][outside]") {
  Model m = model_of(plate_mesh(ElementType::t6));
  m.assembly = GENERATE(Assembly::gather, Assembly::coloured);
  prescribe(m, "left", 3, 5);
  const auto plain = make_solver(m, 1);
  m.damping = damping_rates(m, m.mesh.find_group("left")->facets);
  const auto damped = make_solver(m, 1);
  for (auto* solver : {plain.get(), damped.get()}) solver->advance(60);
  CHECK(damped->history().absorbed_energy == 0);
  CHECK(damped->history().reaction_work == Approx(plain->history().reaction_work).epsilon(1e-12));
}

}  // namespace cleave::test
