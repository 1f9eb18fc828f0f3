/// Two blocks on either side of a seam that has failed: what an impact gives back, what sliding costs.
///
/// Faces that no longer hold together feel contact alone. Its energy is conserved from step to step by tractions along
/// the normal, which must leave the motion along the seam alone.
#include <catch2/catch.hpp>

#include "backend/models.hpp"
#include "backend/solver_backend.hpp"

namespace cleave::test {
namespace {

/// Momentum along the seam of the lower and the upper block, kg m/s.
std::array<double, 2> slide_momentum(const Snapshot& s) {
  const int nodes = nodes_per_element(s.type);
  std::array<double, 2> momentum{};
  std::vector<char> seen(s.mass.size(), 0);
  for (std::size_t e = 0; e < s.fragment.size(); ++e) {
    double centre = 0;
    for (int i = 0; i < 3; ++i) centre += s.position[s.elements[e * nodes + i]].y / 3;
    for (int i = 0; i < nodes; ++i) {
      const Index n = s.elements[e * nodes + i];
      if (seen[n]) continue;
      seen[n] = 1;
      momentum[centre > TwoBlocks::seam_height] += s.mass[n] * s.velocity[n].x;
    }
  }
  return momentum;
}

/// Energy that moves or strains the blocks, as the exact identity of the time integration counts it, J.
double energy_of_blocks(const HistoryRow& row) {
  return row.kinetic_energy - row.kinetic_correction + row.strain_energy;
}

/// Steps until the seam has failed; that must not take long.
void fail_seam(Solver& solver) {
  for (int i = 0; i < 20 && solver.history().failed_elements < 4; ++i) solver.advance(1);
  REQUIRE(solver.history().cohesive_elements == 4);
  REQUIRE(solver.history().failed_elements == 4);
  REQUIRE(solver.history().fragments == 2);
}

/// What stored matrices do to the momentum of a flying body: moved by u they answer with eps K u, not with nothing,
/// which adds up to eps (c t / h)^2 of it, as measured. The gather assembly has no matrices.
double rounding(const Model& m, double time) {
  if (m.assembly == Assembly::gather) return 0;
  const double waves = 2100 * time / TwoBlocks::cell;
  return 10 * 2.2e-16 * waves * waves;
}

/// m*, the lightest mass of a facet's node over its share of the facet: both elements are a quarter of a cell.
double lightest_mass(const Model& m) {
  const double element =
      m.materials.front().parameters.density * TwoBlocks::cell / 4;  // per unit length of the facet and thickness
  return m.mesh.type == ElementType::t3 ? element / 3 / 0.5 : element * 3 / 57 / (1.0 / 6);
}

}  // namespace

TEST_CASE("a sliding impact on a failed seam gives back its energy and takes no momentum along it", "[seam]") {
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  const double omega_dt = GENERATE(0.1, 0.3, 0.5, 0.7, 1.0);
  Model m = TwoBlocks::make(type, GENERATE(std::string("ppr"), std::string("linear")), 0.5);
  m.assembly = GENERATE(Assembly::gather, Assembly::coloured);
  // The lightest node of each side swings with the contact stiffness kp at omega^2 = 2 kp / m*.
  const double kp = omega_dt * omega_dt * lightest_mass(m) / (2 * m.step * m.step);
  m.cohesive->contact_penalty = kp * TwoBlocks::cell / m.materials.front().parameters.young_modulus;
  CAPTURE(m.cohesive->law, omega_dt, m.cohesive->contact_penalty);
  // The blocks part at 2 m/s, 6 m/s along the seam; from 4 us to 10 us a push from outside turns the normal motion
  // round, so that they meet again at about 14 us.
  const double speed = 1, push = 4e-6, end = 2.5 * push;
  TwoBlocks::set_apart(m, {3 * speed, speed});
  const double block = m.materials.front().parameters.density * TwoBlocks::seam_height;  // kg per area of the seam
  TwoBlocks::press(m, 2 * block * speed / push, Curve::table({{push, 0}, {1.5 * push, 1}, {2 * push, 1}, {end, 0}}));
  const auto solver = make_solver(m, 1);
  fail_seam(*solver);
  solver->advance(static_cast<Step>(end / m.step) + 1 - solver->step());
  const HistoryRow before = solver->history();
  const auto momentum = slide_momentum(solver->snapshot());
  for (const auto& c : solver->snapshot().cohesive) REQUIRE(c.opening_normal > 0);

  const double normal_energy = 0.5 * block * TwoBlocks::width * m.thickness * speed * speed * 2;
  bool touched = false;
  double least = 1e300;
  for (int i = 0; i < 600; ++i) {
    solver->advance(1);
    least = std::min(least, energy_of_blocks(solver->history()));
    for (const auto& c : solver->snapshot().cohesive) touched = touched || c.traction_normal < 0;
  }
  REQUIRE(touched);
  for (const auto& c : solver->snapshot().cohesive) REQUIRE(c.opening_normal > 0);
  const HistoryRow after = solver->history();
  CHECK(energy_of_blocks(before) - least > 0.01 * normal_energy);  // contact did hold a part of it
  // Momentum along the seam that rounding takes has 3^2 times the energy, twice.
  const double drift = rounding(m, after.time);
  CHECK(std::abs(energy_of_blocks(after) - energy_of_blocks(before)) < (1e-11 + 18 * drift) * normal_energy);
  CHECK(std::abs(after.cohesive_account) < 1e-11 * normal_energy);
  CHECK(std::abs(after.dissipated_energy - before.dissipated_energy) < 1e-11 * normal_energy);
  const auto now = slide_momentum(solver->snapshot());
  for (int b = 0; b < 2; ++b) CHECK(std::abs(now[b] / momentum[b] - 1) < 1e-14 + drift);
}

TEST_CASE("a failed seam slides under pressure for 200 us without friction", "[seam]") {
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  Model m = TwoBlocks::make(type, GENERATE(std::string("ppr"), std::string("linear")), 0.5);
  m.assembly = GENERATE(Assembly::gather, Assembly::coloured);
  CAPTURE(m.cohesive->law);
  TwoBlocks::set_apart(m, {2, 0});
  TwoBlocks::press(m, 1e6, Curve{});
  const auto solver = make_solver(m, 1);
  fail_seam(*solver);
  const auto momentum = slide_momentum(solver->snapshot());
  bool pressed = true;
  while (static_cast<double>(solver->step()) * m.step < 200e-6) {
    solver->advance(200);
    for (const auto& c : solver->snapshot().cohesive) pressed = pressed && c.opening_normal < 10e-6;
  }
  CHECK(pressed);
  const auto now = slide_momentum(solver->snapshot());
  for (int b = 0; b < 2; ++b) CHECK(std::abs(now[b] / momentum[b] - 1) < 1e-13 + rounding(m, 200e-6));
}

}  // namespace cleave::test
