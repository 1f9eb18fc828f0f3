/// Fragmentation of a bar that stretches uniformly, against the fit of numerical experiments by F. Zhou, J.-F.
/// Molinari, K. T. Ramesh (Int. J. Fract. 139 (2006) 169 and Appl. Phys. Lett. 88 (2006) 261918) and energy balances by
/// D. E. Grady (J. Appl. Phys. 53 (1982) 322) and L. A. Glenn, A. Chudnovsky (J. Appl. Phys. 59 (1986) 1379).
#include <cmath>
#include <random>

#include "support.hpp"

namespace cleave::verification {
namespace {

constexpr double young = 275e9, density = 2750, strength = 300e6, energy = 100;

/// Mean fragment sizes in units of s0 at the rate r in units of rate0.
double zhou(double r) { return 4.5 / (1 + 0.77 * std::pow(r, 0.25) + 5.4 * std::pow(r, 0.75)); }
double grady(double r) { return std::cbrt(24 / (r * r)); }
/// s = 4 sqrt(a/3) sinh(phi/3), phi = asinh(b (3/a)^(3/2)) with a = 3 strength^2/(rho E rate^2) = 3/r^2 (in s0^2) and
/// b = 3/2 G/(rho rate^2) = 1.5/r^2 (in s0^3).
double glenn_chudnovsky(double r) { return 4 / r * std::sinh(std::asinh(1.5 * r) / 3); }

}  // namespace

TEST_CASE("mean fragment size of a stretching bar", "[long]") {
  CLEAVE_ON_EVERY_BACKEND();
  const std::string law = GENERATE(std::string("ppr"), std::string("linear"));
  const double c = std::sqrt(young / density), t0 = young * energy / (strength * strength * c), s0 = c * t0;
  const double rate0 = strength / (young * t0);
  std::vector<std::vector<double>> rows;
  for (const double rate : {1e4, 3e4, 1e5, 3e5, 1e6}) {
    const double r = rate / rate0, expected = zhou(r) * s0;
    // 30 expected fragments of 20 quads.
    const int quads = 600;
    const double h = expected / 20;
    // nu = 0 and sliding sides: one-dimensional. Only facets across the bar may break (midpoints at mid-height).
    Model m = make_model(rectangle(ElementType::t6, {quads, 1}, {quads * h, h}),
                         {"linear_elastic", young, 0, density, PlaneType::strain}, 0.6, 1e-3);
    CohesiveCase cohesive;
    cohesive.law = law;
    cohesive.normal = cohesive.tangential = {strength, energy, 2};
    cohesive.insertion.every = 1;
    cohesive.insertion.box = std::array<double, 4>{h / 2, 0.45 * h, (quads - 0.5) * h, 0.55 * h};
    m.cohesive = cohesive;
    const double length = quads * h;
    set_displacement(m, [&](Point p) { return Point{0.98 * strength / young * (p.x - length / 2), 0}; });
    set_velocity(m, [&](Point p) { return Point{rate * (p.x - length / 2), 0}; });
    // A uniform bar would break everywhere at once and by round-off: velocities differ by up to 1 % of c * (strain at
    // fracture), the same for all nodes of a column.
    std::mt19937 random(1);
    std::vector<double> noise(2 * quads + 1);
    for (double& v : noise) v = 0.01 * c * strength / young * (2 * (random() / 4294967295.0) - 1);
    for (std::size_t n = 0; n < m.velocity.size(); ++n)
      m.velocity[n].x += noise[static_cast<std::size_t>(std::lround(m.mesh.nodes[n].x / (h / 2)))];
    move_y(m, nullptr, add_motion(m, 0));
    move_x(m, "left", add_motion(m, -rate * length / 2));
    move_x(m, "right", add_motion(m, rate * length / 2));
    const auto solver = make_solver(m, backend, 2);
    // Until no fragment has come off for twice the time that the last one took, at least some t0.
    HistoryRow row = solver->history();
    double last = 0;
    Index fragments = 1;
    while (row.time < std::max((r > 1 ? 3 : 10) * t0, 3 * last)) {
      solver->advance(100);
      row = solver->history();
      if (row.fragments != fragments) last = row.time;
      fragments = row.fragments;
      if (row.time > 200 * t0) break;
    }
    const double size = length / fragments;
    INFO("law " << law << ", r = " << r << ", mean size / s0 = " << size / s0 << ", expected " << zhou(r));
    CHECK(std::abs(row.balance_error) < 1e-11);
    // Some 20 fragments that scatter by half their size: the mean is known to about 12 %. The target above rate 1 is a
    // factor of 1.5; VERIFICATION.md says where it is missed.
    CHECK(size / expected < 2);
    CHECK(size / expected > 1 / 1.5);
    if (r > 1) CHECK_NOFAIL(size / expected < 1.5);
    record("fragmentation of a bar", law + ", r = " + std::to_string(r) + ": mean size / s0", zhou(r), size / s0, "",
           r > 1 ? "target factor 1.5" : "none");
    rows.push_back({r, size / s0, zhou(r), grady(r), glenn_chudnovsky(r), static_cast<double>(fragments),
                    row.dissipated_energy / (energy * h * 1e-3 * std::max(1, static_cast<int>(fragments) - 1))});
  }
  write_series("fragmentation_" + law, "r,cleave,zhou,grady,glenn_chudnovsky,fragments,energy_per_crack", rows);
}

}  // namespace cleave::verification
