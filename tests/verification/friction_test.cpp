/// A block that slides on a base until friction has stopped it.
#include <cmath>
#include <string>
#include <vector>

#include "cleave/case/case.hpp"
#include "support.hpp"

namespace cleave::verification {
namespace {

struct Momentum {
  double x = 0, y = 0, mass = 0;
};

/// Of the nodes above the interface, and of the block's own ones on it; before it has broken, those belong to both.
Momentum momentum_of_block(const Snapshot& s) {
  std::vector<bool> upper(s.position.size(), false), lower(s.position.size(), false);
  const std::size_t stride = s.elements.size() / s.fragment.size();
  for (std::size_t e = 0; e < s.fragment.size(); ++e) {
    double y = 0;
    for (std::size_t i = 0; i < 3; ++i) y += s.position[s.elements[e * stride + i]].y / 3;
    for (std::size_t i = 0; i < stride; ++i) (y > 0.004 ? upper : lower)[s.elements[e * stride + i]] = true;
  }
  Momentum all;
  for (std::size_t n = 0; n < s.position.size(); ++n) {
    if (!upper[n]) continue;
    const double mass = (lower[n] ? 0.5 : 1) * s.mass[n];
    all.x += mass * s.velocity[n].x;
    all.y += mass * s.velocity[n].y;
    all.mass += mass;
  }
  return all;
}

}  // namespace

TEST_CASE("friction slows a sliding block by the coefficient times the pressure", "[cohesive][friction]") {
  const std::string backend =
      GENERATE(filter([](const std::string& b) { return b.ends_with("gather"); }, from_range(backends())));
  const std::string element = GENERATE(std::string("T3"), std::string("T6"));
  const std::string law = GENERATE(std::string("linear"), std::string("ppr"));
  const std::string material = GENERATE(std::string("linear_elastic"), std::string("neo_hookean"));  // small and finite
  CAPTURE(backend, element, law, material);
  // Base and block, 4 mm high each; the interface bears next to nothing, so that it fails at once. The pressure on top
  // comes slowly, from 0 to 0.3 MPa in 20 us.
  const std::string text =
      "mesh: {shape: rectangle, size: [0.016, 0.008], divisions: [16, 8], element: " + element +
      ", thickness: 1, regions: {base: {box: [0, 0, 0.016, 0.004]}, block: {box: [0, 0.004, 0.016, 0.008]}}}\n"
      "material: {law: " +
      material +
      ", young_modulus: 1.0e9, poisson_ratio: 0.2, density: 2000, plane: strain}\n"
      "time: {end: 36.0e-6, safety: 0.4}\n"
      "cohesive:\n"
      "  - {law: " +
      law +
      ", friction: 0.3, normal: {strength: 1.0e9, energy: 1000}, insertion: {every: 1}}\n"
      "  - {between: [base, block], normal: {strength: 1.0e3, energy: 1.0e-6}}\n"
      "initial:\n"
      "  - {on: block, velocity: {x: 1, y: 0}}\n"
      "  - {on: base, velocity: {x: 0, y: 0}}\n"
      "curves: {slow: {table: [[0, 0], [20.0e-6, 1]]}}\n"
      "boundary:\n"
      "  - {on: bottom, fix: [x, y]}\n"
      "  - {on: top, pressure: 3.0e5, curve: slow}\n";
  const Model m = cleave::make_model(parse_case(text, "block.yaml"));
  const auto solver = make_solver(m, backend);
  const Momentum before = momentum_of_block(solver->snapshot());
  advance_to(*solver, m, 36e-6);
  const HistoryRow row = solver->history();
  CHECK(row.cohesive_elements == 16);
  CHECK(row.failed_elements == 16);
  CHECK(std::abs(row.balance_error) < 1e-11);
  // What has pressed the faces together: the impulse of the pressure on top, less what moves the block down.
  const Momentum after = momentum_of_block(solver->snapshot());
  const double pressed = 0.016 * 3e5 * (10e-6 + 16e-6) + (after.y - before.y);
  const double lost = before.x - after.x;
  REQUIRE(after.x > 0);  // it has slid all the time
  CHECK(lost == Approx(0.3 * pressed).epsilon(0.03));
  CHECK(row.friction_energy > 0.5 * lost * (before.x + after.x) / 2 / before.mass);
  record("sliding block", law + " " + element + " " + material + ": momentum lost", 0.3 * pressed, lost, "kg m/s",
         "3 %");
}

TEST_CASE("a box of rubbing triangles under pressure creates no energy", "[cohesive][friction]") {
  const std::string backend =
      GENERATE(filter([](const std::string& b) { return b.ends_with("gather"); }, from_range(backends())));
  const std::string element = GENERATE(std::string("T3"), std::string("T6"));
  const std::string friction = GENERATE(std::string("0.3"), std::string("1"), std::string("2"));
  CAPTURE(backend, element, friction);
  // Its sides tear it apart for 6 us, press it for 14 us, and hold it then.
  const std::string text = "mesh: {shape: rectangle, size: [0.02, 0.02], divisions: [8, 8], element: " + element +
                           "}\n"
                           "material: {young_modulus: 2.0e9, poisson_ratio: 0.3, density: 1200}\n"
                           "cohesive: {friction: " +
                           friction +
                           ", normal: {strength: 10.0e6, energy: 0.5}, insertion: {every: 2}}\n"
                           "time: {end: 300.0e-6}\n"
                           "initial: {velocity_gradient: {xx: 1000, yy: 1000}}\n"
                           "curves: {c: {table: [[0, 1], [6.0e-6, 1], [6.1e-6, -1], [20.0e-6, -1], [20.1e-6, 0]]}}\n"
                           "boundary:\n"
                           "  - {on: right, velocity: {x: 10}, curve: c}\n"
                           "  - {on: left, velocity: {x: -10}, curve: c}\n"
                           "  - {on: top, velocity: {y: 10}, curve: c}\n"
                           "  - {on: bottom, velocity: {y: -10}, curve: c}\n";
  const Model m = cleave::make_model(parse_case(text, "box.yaml"));
  const auto solver = make_solver(m, backend);
  const auto mechanical = [](const HistoryRow& row) {
    return row.kinetic_energy + row.strain_energy + row.recoverable_energy;
  };
  advance_to(*solver, m, 20.2e-6);
  const HistoryRow held = solver->history();
  REQUIRE(held.failed_elements > 100);
  double rubbed = held.friction_energy;
  for (int i = 1; i <= 10; ++i) {
    advance_to(*solver, m, 20.2e-6 + 27.9e-6 * i);
    const HistoryRow row = solver->history();
    CHECK(mechanical(row) > 0);
    CHECK(mechanical(row) < mechanical(held));
    CHECK(row.friction_energy > rubbed - 0.02 * mechanical(held));  // springs give a little back
    CHECK(-row.cohesive_account < 0.02 * mechanical(held));
    rubbed = row.friction_energy;
  }
}

}  // namespace cleave::verification
