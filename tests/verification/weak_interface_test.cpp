/// Facets with laws of their own: where a body breaks, and what that costs.
#include <cmath>
#include <string>

#include "cleave/case/case.hpp"
#include "support.hpp"

namespace cleave::verification {

TEST_CASE("a bar breaks at its weak interface and dissipates the energy of that interface", "[cohesive]") {
  CLEAVE_ON_EVERY_BACKEND();
  const std::string element = GENERATE(std::string("T3"), std::string("T6"));
  const std::string law = GENERATE(std::string("ppr"), std::string("linear"), std::string("exponential"));
  CAPTURE(element, law);
  // Drawn so slowly that it is in equilibrium until it breaks, at 2 MPa, two fifths of what its middle could bear.
  const std::string text =
      "mesh: {shape: rectangle, size: [0.04, 0.01], divisions: [16, 4], element: " + element +
      ", thickness: 1, regions: {west: {box: [0, 0, 0.015, 0.01]}, east: {box: [0.015, 0, 0.04, 0.01]}}}\n"
      "material: {young_modulus: 1.0e9, poisson_ratio: 0, density: 1000, plane: stress}\n"
      "time: {end: 1.0e-3, safety: 0.3}\n"
      "cohesive:\n"
      "  - {law: " +
      law +
      ", normal: {strength: 5.0e6, energy: 80}, insertion: {every: 1}}\n"
      "  - {between: [west, east], normal: {strength: 2.0e6, energy: 30}}\n"
      "initial: {strain: {xx: 1.9e-3}, velocity_gradient: {xx: 1}}\n"
      "boundary:\n"
      "  - {on: left, velocity: {x: -0.02}}\n"
      "  - {on: right, velocity: {x: 0.02}}\n";
  const Model m = cleave::make_model(parse_case(text, "bar.yaml"));
  const auto solver = make_solver(m, backend);
  double force = 0;
  HistoryRow row = solver->history();
  while (static_cast<double>(solver->step()) * m.step < 1e-3 && row.failed_elements < 4) {
    solver->advance(50);
    row = solver->history();
    if (row.cohesive_elements == 0) force = std::max(force, row.strain_energy);
  }
  CHECK(row.failed_elements == 4);
  CHECK(row.cohesive_elements == 4);
  CHECK(row.crack_length == Approx(0.01).epsilon(1e-9));
  CHECK(std::abs(row.balance_error) < 1e-11);
  for (const auto& facet : solver->snapshot().cohesive) {
    CHECK(facet.strength_scale == Approx(0.4).epsilon(1e-12));
    CHECK(facet.length == Approx(0.0025).epsilon(1e-9));
  }
  // A point starts with the energy strength^2 / (2 kc) that it holds at insertion, for `ppr` and `linear` on top
  // (theory.md 5.4). Triangles of the interface are 1.25 mm high.
  const double lightest = element == "T3" ? 2.0 / 3 : 6.0 / 19, mass = lightest * 1000 * 1.25e-3 / 2;
  const double cap = 2 * stiffness_safety(m) * mass / (m.step * m.step), excess = 2e6 * 2e6 / (2 * cap);
  const double expected = 0.01 * (30 + (law == "exponential" ? 0 : excess));
  CHECK(row.dissipated_energy == Approx(expected).epsilon(1e-3));
  // What the bar held before: stress^2 / (2 E) of its area.
  const double stress = std::sqrt(2 * 1e9 * force / (0.04 * 0.01));
  CHECK(stress == Approx(2e6).epsilon(0.02));
  record("weak interface", law + " " + element + ": dissipated", expected, row.dissipated_energy, "J", "0.1 %");
  record("weak interface", law + " " + element + ": stress before it breaks", 2e6, stress, "Pa", "2 %");
}

}  // namespace cleave::verification
