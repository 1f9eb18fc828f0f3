/// Forces of users (docs/examples/laws/user_force_example.hpp) on whole bodies.
#include <catch2/catch.hpp>
#include <cmath>
#include <sstream>

#include "verification/statics.hpp"
#include "verification/support.hpp"

namespace cleave::verification {
namespace {

const char* const backend = "cpu gather";
const ElasticParameters material{3e9, 0.3, 1200, PlaneType::strain};

/// A free plate in motion.
Model plate(ElementType type, std::vector<ForceCase> forces) {
  Model m = make_model(rectangle(type, {12, 6}, {0.02, 0.01}), material, 0.5);
  m.forces = std::move(forces);
  for (Point& v : m.velocity) v = {3, -1};
  return m;
}

}  // namespace

TEST_CASE("a free body on a bed of springs swings as one, with the frequency of its springs", "[forces]") {
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  const double frequency = 2e4;
  Model m = plate(type, {{.law = "spring_bed", .on = "", .values = {frequency * frequency, 0}}});
  const auto solver = make_solver(m, backend, 1);
  // Central differences swing with x: sin(x) = frequency step / 2, in a step by 2 x. From rest at its place, at speed
  // v, a body is at v / frequency sin(2 n x) / cos(x) after n steps.
  const double x = std::asin(frequency * m.step / 2);
  const double whole = solver->history().kinetic_energy;
  for (int n = 200; n <= 1000; n += 200) {
    solver->advance(200);
    const double expected = std::sin(2 * n * x) / (frequency * std::cos(x));
    const Snapshot s = solver->snapshot();
    for (const Point& u : s.displacement) {
      CHECK(u.x == Approx(3 * expected).epsilon(1e-9));
      CHECK(u.y == Approx(-expected).epsilon(1e-9));
    }
    const HistoryRow row = solver->history();
    CHECK(std::abs(row.balance_error) < 1e-13);
    CHECK(row.external_work == Approx(row.kinetic_energy - row.kinetic_correction - whole).margin(1e-9 * whole));
  }
}

TEST_CASE("a drag slows a free body down", "[forces]") {
  const double rate = 5e3;
  Model m = plate(ElementType::t3, {{.law = "spring_bed", .on = "", .values = {0, rate}}});
  const auto solver = make_solver(m, backend, 1);
  solver->advance(1000);
  // The drag goes by the velocity of the step before: v(n+1/2) = (1 - rate step) v(n-1/2).
  const double expected = std::pow(1 - rate * m.step, 999.0) * (1 - rate * m.step / 2);
  CHECK(solver->snapshot().velocity.front().x == Approx(3 * expected * (1 - rate * m.step / 2)).epsilon(1e-6));
  CHECK(std::abs(solver->history().balance_error) < 1e-13);
}

TEST_CASE("a magnet pulls every node towards its place", "[forces]") {
  Model m = make_model(rectangle(ElementType::t6, {12, 6}, {0.02, 0.01}, {5, -3}), material, 0.5);
  const double x = 5.03, y = -2.99, strength = 2e3, gap = 5e-3;
  m.forces = {{.law = "magnet", .on = "", .values = {x, y, strength, gap, 0}}};
  const auto solver = make_solver(m, backend, 1);
  solver->advance(1);  // from rest: by half the acceleration times the square of the step
  const Snapshot s = solver->snapshot();
  for (std::size_t n = 0; n < s.displacement.size(); ++n) {
    const double right = x - m.mesh.nodes[n].x, up = y - m.mesh.nodes[n].y, distance = std::hypot(right, up);
    const double size = 0.5 * m.step * m.step * strength / ((distance + gap) * (distance + gap));
    CHECK(s.displacement[n].x == Approx(size * right / distance).epsilon(1e-9));
    CHECK(s.displacement[n].y == Approx(size * up / distance).epsilon(1e-9));
  }
}

TEST_CASE("forces act while a body breaks: on a group alone, the same on two threads and after a stop", "[forces]") {
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  Model m = plate(type, {{.law = "spring_bed", .on = "", .values = {1e9, 2e3}},
                         {.law = "magnet", .on = "right", .values = {0.03, 0.005, 2e3, 5e-3, 2e-6}}});
  m.forced.assign(m.mesh.nodes.size(), 1);
  for (const Index n : m.mesh.find_group("right")->nodes) m.forced[n] = 3;
  for (std::size_t n = 0; n < m.velocity.size(); ++n) m.velocity[n].x += 2e4 * (m.mesh.nodes[n].x - 0.01);
  CohesiveCase c;
  c.parameters.normal = c.parameters.tangential = {10e6, 80, 2};
  c.insertion.every = 5;
  m.cohesive = c;
  const auto one = make_solver(m, backend, 1), two = make_solver(m, backend, 2);
  one->advance(150);
  two->advance(150);
  std::stringstream file, other;
  one->save(file);
  two->save(other);
  CHECK((file.str() == other.str()));
  const auto resumed = make_solver(m, backend, 1);
  resumed->load(file);
  one->advance(150);
  resumed->advance(150);
  const HistoryRow row = one->history();
  CHECK(row.cohesive_elements > 20);
  CHECK(row.failed_elements > 0);
  CHECK(std::abs(row.balance_error) < 1e-12);
  CHECK(row.external_work == resumed->history().external_work);
  CHECK(row.kinetic_energy == resumed->history().kinetic_energy);
  // The magnet changes the run, and so does where it acts. Copies of nodes bear the forces of their nodes.
  Model everywhere = m, listed = m, without = m;
  everywhere.forced.clear();
  listed.forced.assign(m.mesh.nodes.size(), 3);
  without.forces.pop_back();
  const auto all = make_solver(everywhere, backend, 1), by_list = make_solver(listed, backend, 1),
             none = make_solver(without, backend, 1);
  for (const auto& solver : {all.get(), by_list.get(), none.get()}) solver->advance(300);
  CHECK(by_list->history().external_work == all->history().external_work);
  CHECK(std::abs(all->history().external_work - row.external_work) > 1e-3 * std::abs(row.external_work));
  CHECK(std::abs(none->history().external_work - row.external_work) > 1e-3 * std::abs(row.external_work));
}

}  // namespace cleave::verification
