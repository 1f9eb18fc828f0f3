/// A bar that hits a wall: artificial viscosity takes the ringing behind the shock, and leaves its stress.
#include <algorithm>
#include <cmath>
#include <string>

#include "cleave/case/case.hpp"
#include "support.hpp"

namespace cleave::verification {
namespace {

struct Shock {
  double mean = 0;     ///< stress along the bar behind the front, Pa
  double largest = 0;  ///< of its magnitude
  double viscous = 0;  ///< energy, J
  double balance = 0;
};

/// A bar of 100 mm, 100 elements long, with waves of 1000 m/s, hits a wall at 10 m/s: 10 MPa. After 60 us the front is
/// at 60 mm.
Shock hit(const std::string& backend, const std::string& element, const std::string& viscosity) {
  const std::string text =
      "mesh: {shape: rectangle, size: [0.1, 0.002], divisions: [100, 2], element: " + element +
      ", thickness: 1}\n"
      "material: {young_modulus: 1.0e9, poisson_ratio: 0, density: 1000, plane: strain, artificial_viscosity: " +
      viscosity +
      "}\n"
      "time: {end: 60.0e-6, safety: 0.4}\n"
      "initial: {velocity: {x: -10}}\n"
      "boundary: [{on: left, fix: x}]\n";
  const Model m = cleave::make_model(parse_case(text, "bar.yaml"));
  const auto solver = make_solver(m, backend);
  advance_to(*solver, m, 60e-6);
  const Snapshot s = solver->snapshot();
  Shock shock;
  int count = 0;
  for (std::size_t n = 0; n < s.position.size(); ++n) {
    if (s.position[n].x < 0.01 || s.position[n].x > 0.05) continue;
    shock.mean += s.nodal_stress[n].xx;
    shock.largest = std::max(shock.largest, std::abs(s.nodal_stress[n].xx));
    ++count;
  }
  shock.mean /= count;
  const HistoryRow row = solver->history();
  shock.viscous = row.viscous_energy;
  shock.balance = row.balance_error;
  return shock;
}

}  // namespace

TEST_CASE("artificial viscosity takes the ringing behind a shock", "[viscosity]") {
  const std::string backend =
      GENERATE(filter([](const std::string& b) { return b.ends_with("gather"); }, from_range(backends())));
  const std::string element = GENERATE(std::string("T3"), std::string("T6"));
  CAPTURE(backend, element);
  const Shock rings = hit(backend, element, "none"), smooth = hit(backend, element, "{linear: 0.3, quadratic: 1.2}");
  CHECK(smooth.mean == Approx(-10e6).epsilon(0.01));
  CHECK(rings.viscous == 0);
  CHECK(std::abs(smooth.balance) < 1e-12);
  CHECK(rings.largest > 1.08 * 10e6);
  CHECK(smooth.largest - 10e6 < 0.5 * (rings.largest - 10e6));
  // Kinetic energy of the 60 mm that have been stopped: 1000 * 0.06 * 0.002 * 10^2 / 2, half of it heat at most.
  CHECK(smooth.viscous > 0);
  CHECK(smooth.viscous < 0.5 * 6);
  record("shock", element + ": stress behind it", -10e6, smooth.mean, "Pa", "1 %");
  record("shock", element + ": largest stress, without viscosity " + std::to_string(rings.largest / 10e6) + " times",
         10e6, smooth.largest, "Pa", "half the excess");
}

}  // namespace cleave::verification
