/// Fragmentation of a bar that stretches uniformly and of an expanding ring, against the fit of numerical experiments
/// by F. Zhou, J.-F. Molinari, K. T. Ramesh (Int. J. Fract. 139 (2006) 169 and Appl. Phys. Lett. 88 (2006) 261918) and
/// energy balances by D. E. Grady (J. Appl. Phys. 53 (1982) 322) and L. A. Glenn, A. Chudnovsky (J. Appl. Phys. 59
/// (1986) 1379).
#include <cmath>
#include <random>

#include "cleave/mesh/topology.hpp"
#include "reference/bar.hpp"
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

constexpr double speed = 1e4;  // sqrt(young / density), m/s
constexpr double t0 = young * energy / (strength * strength * speed), s0 = speed * t0;
constexpr double rate0 = strength / (young * t0);

CohesiveCase fracture(const std::string& law) {
  CohesiveCase c;
  c.law = law;
  c.parameters.normal = c.parameters.tangential = {strength, energy, 2};
  c.insertion.every = 1;
  return c;
}

/// Runs until no fragment has come off for twice the time that the last one took, at least some t0.
HistoryRow run(Solver& solver, double r) {
  HistoryRow row = solver.history();
  double last = 0;
  while (row.time < std::max((r > 1 ? 3 : 10) * t0, 3 * last) && row.time < 200 * t0) {
    const Index fragments = row.fragments;
    solver.advance(200);
    row = solver.history();
    if (row.fragments != fragments) last = row.time;
  }
  CHECK(std::abs(row.balance_error) < 1e-11);
  return row;
}

}  // namespace

TEST_CASE("mean fragment size of a stretching bar", "[long]") {
  CLEAVE_ON_EVERY_DEVICE();
  const std::string law = GENERATE(std::string("ppr"), std::string("linear"));
  std::vector<std::vector<double>> rows;
  for (const double rate : {1e4, 3e4, 1e5, 3e5, 1e6}) {
    const double r = rate / rate0, expected = zhou(r) * s0;
    // 30 expected fragments of 20 quads.
    const int quads = 600;
    const double h = expected / 20, length = quads * h;
    double fragments = 0, dissipated = 0;
    const int seeds = r > 1 ? 3 : 1;
    for (int seed = 1; seed <= seeds; ++seed) {
      // nu = 0 and sliding sides: one-dimensional. Only facets across the bar may break (midpoints at mid-height). The
      // stiffness cap, as small as 1 / step^2, makes a bar with a crack in every quad softer: by a tenth at this step.
      Model m = make_model(rectangle(ElementType::t6, {quads, 1}, {length, h}), {young, 0, density, PlaneType::strain},
                           0.3, 1e-3);
      m.cohesive = fracture(law);
      m.cohesive->insertion.box = std::array<double, 4>{h / 2, 0.45 * h, (quads - 0.5) * h, 0.55 * h};
      set_displacement(m, [&](Point p) { return Point{0.98 * strength / young * (p.x - length / 2), 0}; });
      set_velocity(m, [&](Point p) { return Point{rate * (p.x - length / 2), 0}; });
      // A uniform bar would break everywhere at once and by round-off: velocities are disturbed by up to 0.1 % of the
      // difference across a quad, the same for all nodes of a column. The fit is for a homogeneous bar; disturbances
      // that are not small against the strain rate make fewer fragments (VERIFICATION.md).
      std::mt19937 random(seed);
      std::vector<double> noise(2 * quads + 1);
      for (double& v : noise) v = 1e-3 * rate * h * (2 * (random() / 4294967295.0) - 1);
      for (std::size_t n = 0; n < m.velocity.size(); ++n)
        m.velocity[n].x += noise[static_cast<std::size_t>(std::lround(m.mesh.nodes[n].x / (h / 2)))];
      move_y(m, nullptr, add_motion(m, 0));
      move_x(m, "left", add_motion(m, -rate * length / 2));
      move_x(m, "right", add_motion(m, rate * length / 2));
      const auto solver = make_solver(m, backend, 2);
      const HistoryRow row = run(*solver, r);
      fragments += static_cast<double>(row.fragments) / seeds;
      dissipated += row.dissipated_energy / seeds;
    }
    const double size = length / fragments;
    INFO("law " << law << ", r = " << r << ", mean size / s0 = " << size / s0 << ", expected " << zhou(r));
    // Three runs of some 20 fragments that scatter by half their size: the mean is known to about 7 %.
    CHECK(size / expected > 1 / 1.5);
    CHECK(size / expected < 1.5);
    record("fragmentation of a bar", law + ", r = " + std::to_string(r) + ": mean size / s0", zhou(r), size / s0, "",
           "factor 1.5");
    rows.push_back({r, size / s0, zhou(r), grady(r), glenn_chudnovsky(r), fragments,
                    dissipated / (energy * h * 1e-3 * std::max(1.0, fragments - 1))});
  }
  write_series("fragmentation_" + law, "r,cleave,zhou,grady,glenn_chudnovsky,fragments,energy_per_crack", rows);
}

TEST_CASE("what moves the mean fragment size of a bar, in one dimension", "[long]") {
  const double r = 28, expected = zhou(r);
  // Ratio to the fit of 60 expected fragments.
  const auto ratio = [&](int facets, double disturbance, double step, int seeds) {
    double sum = 0;
    for (int seed = 1; seed <= seeds; ++seed)
      sum += reference::fragments({r, 60 * expected, 60 * facets, disturbance, static_cast<unsigned>(seed), step});
    return 60 * seeds / sum;
  };
  const auto note = [](const std::string& what, double reached) {
    record("fragmentation of a bar, in one dimension, r = 28", what + ": mean size / fit", 1, reached, "", "none");
  };
  for (const auto& [text, disturbance] : {std::pair("1e-6", 1e-6), {"1e-4", 1e-4}, {"1e-3", 1e-3}, {"1e-2", 1e-2}}) {
    const double reached = ratio(20, disturbance, 0.1, 3);
    note(std::string("disturbance ") + text, reached);
    // What the bar is compared under: disturbances that are small against the strain rate.
    if (disturbance < 5e-4) CHECK(reached < 1.5);
  }
  for (const int facets : {10, 20, 40})
    for (const auto& [text, disturbance] : {std::pair("1e-4", 1e-4), {"1e-2", 1e-2}})
      note(std::to_string(facets) + " facets, disturbance " + text, ratio(facets, disturbance, 0.1, 1));
  for (const auto& [text, step] : {std::pair("0.4", 0.4), {"0.2", 0.2}, {"0.1", 0.1}, {"0.05", 0.05}})
    note(std::string("step ") + text + ", disturbance 1e-3", ratio(20, 1e-3, step, 1));
}

TEST_CASE("fragments of an expanding thick ring", "[long]") {
  CLEAVE_ON_EVERY_DEVICE();
  const std::string law = GENERATE(std::string("ppr"), std::string("linear"));
  const bool structured = GENERATE(true, false);
  std::vector<std::vector<double>> rows;
  for (const double rate : {1e5, 3e5, 1e6}) {
    const double r = rate / rate0, expected = zhou(r) * s0;
    // 20 expected fragments, 8 quads long and 4 high.
    const int around = 160, through = 4;
    const double h = expected / 8, radius = around * h / (2 * M_PI), wall = through * h;
    Mesh mesh =
        ring(structured ? ElementType::t6 : ElementType::t3, {through, around}, radius - wall / 2, radius + wall / 2);
    if (structured)
      perturb(mesh, 0.1, 1);
    else
      mesh = delaunay(std::move(mesh), ElementType::t6, 1);
    Model m = make_model(mesh, {young, 0, density, PlaneType::strain}, 0.5, 1e-3);
    m.cohesive = fracture(law);
    m.cohesive->insertion.every = 5;
    // The same radial velocity and displacement everywhere: strain along the circumference only.
    const auto outwards = [](Point p, double u) {
      const double at = std::hypot(p.x, p.y);
      return Point{u * p.x / at, u * p.y / at};
    };
    set_displacement(m, [&](Point p) { return outwards(p, 0.9 * strength / young * radius); });
    set_velocity(m, [&](Point p) { return outwards(p, rate * radius); });
    const auto solver = make_solver(m, backend, 2);
    solver->advance(static_cast<Step>(6 * t0 / m.step));
    const HistoryRow row = solver->history();
    CHECK(std::abs(row.balance_error) < 1e-11);
    // Chips are not fragments of the ring: only parts of at least a tenth of the expected mass count.
    const Snapshot s = solver->snapshot();
    std::vector<double> area(s.fragment.size());
    for (Index e = 0; e < m.mesh.element_count(); ++e) area[s.fragment[e]] += twice_area(m.mesh, e) / 2;
    double large = 0;
    for (const double each : area) large += each > 0.1 * expected * wall ? 1 : 0;
    const double size = 2 * M_PI * radius / large, cracks = row.dissipated_energy / (energy * wall * 1e-3 * 20);
    INFO("law " << law << ", r = " << r << ", mean size / s0 = " << size / s0 << ", expected " << zhou(r));
    // What is dissipated is what the cracks of the fit need, but much of it in facets that open partly and close again:
    // everything reaches the strength at once, and nothing decides where the cracks through the wall will be.
    CHECK(cracks > 1 / 1.5);
    CHECK(cracks < 1.5);
    CHECK_NOFAIL(size / expected < 1.5);
    const std::string name =
        law + (structured ? ", crossed quads" : ", unstructured") + ", r = " + std::to_string(r) + ": ";
    record("fragmentation of a thick ring", name + "mean size / s0", zhou(r), size / s0, "", "target factor 1.5");
    record("fragmentation of a thick ring", name + "dissipated / (Gc times expected cracks)", 1, cracks, "",
           "factor 1.5");
    rows.push_back({r, size / s0, large, static_cast<double>(row.fragments), cracks});
    if (law != "ppr" || structured || r < 5 || r > 10) continue;
    std::vector<std::vector<double>> lines;
    for (const Snapshot::Cohesive& c : s.cohesive)
      lines.push_back({s.position[c.nodes[0]].x, s.position[c.nodes[0]].y, s.position[c.nodes[2]].x,
                       s.position[c.nodes[2]].y, c.damage});
    write_series("ring_cracks", "x0,y0,x1,y1,damage", lines);
  }
  if (structured) write_series("ring_fragments_" + law, "r,cleave,fragments,parts,cracks", rows);
}

}  // namespace cleave::verification
