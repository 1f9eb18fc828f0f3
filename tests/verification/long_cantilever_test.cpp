/// A double cantilever: two arms of a split beam are slowly drawn apart and the crack between them follows.
#include <cmath>

#include "statics.hpp"
#include "support.hpp"

namespace cleave::verification {
namespace {

const ElasticParameters material{3.24e9, 0.35, 1190, PlaneType::strain};
constexpr double energy = 352, arm = 6e-3, start = 4 * arm, length = 14 * arm, thickness = 1e-3;

/// Energy release rate of arms of that height and crack length whose ends are `opening` apart: cantilevers longer by
/// 0.668 arm heights, which their elastic root adds (S. M. Wiederhorn, A. M. Shorb, R. L. Moses, J. Appl. Phys. 39
/// (1968) 1569).
double release_rate(double modulus, double opening, double crack) {
  return 3 * modulus * arm * arm * arm * opening * opening / (16 * std::pow(crack + 0.668 * arm, 4));
}

}  // namespace

TEST_CASE("a crack in a double cantilever follows beam theory", "[long]") {
  CLEAVE_ON_EVERY_DEVICE();
  const auto [law, facets] =  // per arm height
      GENERATE(values<std::pair<std::string, int>>({{"ppr", 5}, {"ppr", 8}, {"linear", 5}}));
  CAPTURE(law, facets);
  const double modulus = material.young_modulus / (1 - material.poisson_ratio * material.poisson_ratio);
  Model m = make_model(rectangle(ElementType::t6, {14 * facets, 2 * facets}, {length, 2 * arm}, {0, -arm}, start),
                       material, 0.5, thickness);
  CohesiveCase c;
  c.law = law;
  c.parameters.normal = c.parameters.tangential = {std::sqrt(modulus * energy / (0.8 * arm)), energy, 2};
  c.insertion.every = 2;
  c.insertion.box = std::array<double, 4>{0, -0.01 * arm / facets, length, 0.01 * arm / facets};
  m.cohesive = c;
  // The ends open at a constant rate from 0.9 of the opening at which the crack starts: all moves in proportion, with
  // the displacement of equilibrium. Arms of 8 heights swing in about 6 * 64 arm / c: the crack takes three times that
  // for 4 arm heights.
  const double critical = std::sqrt(energy / release_rate(modulus, 1, start));
  const double end = critical * std::pow((2 * start + 0.668 * arm) / (start + 0.668 * arm), 2);
  const double duration = 1200 * arm / std::sqrt(modulus / material.density), first = 0.9 * critical;
  const double rate = (end - first) / duration;
  const int up = add_motion(m, rate / 2), down = add_motion(m, -rate / 2), held = add_motion(m, 0);
  move_y(m, "left_below", down);
  move_y(m, "left_above", up);
  for (const Index n : m.mesh.find_group("left")->nodes)
    m.displacement[n].y = (m.motion_y[n] == up ? 0.5 : -0.5) * first;
  move_x(m, "right", held);
  m.displacement = equilibrium(m);
  for (std::size_t n = 0; n < m.velocity.size(); ++n)
    m.velocity[n] = {m.displacement[n].x * rate / first, m.displacement[n].y * rate / first};
  const auto solver = make_solver(m, backend, 2);
  std::vector<std::vector<double>> rows;
  double ratio = 0, worst = 0, dissipated = 0;
  int samples = 0;
  HistoryRow row = solver->history();
  while (row.time < duration) {
    solver->advance(static_cast<Step>(duration / 100 / m.step));
    row = solver->history();
    const Snapshot s = solver->snapshot();
    double damaged = 0;
    for (const Snapshot::Cohesive& each : s.cohesive) damaged += each.damage * each.length;
    const double opening = first + rate * row.time, crack = start + damaged;
    rows.push_back({opening / critical, crack / arm,
                    std::pow(3 * modulus * std::pow(arm, 3) * opening * opening / (16 * energy), 0.25) / arm - 0.668});
    if (crack < start + arm) continue;
    ratio += release_rate(modulus, opening, crack) / energy;
    worst = std::max(worst, std::abs(release_rate(modulus, opening, crack) / energy - 1));
    ++samples;
    dissipated = row.dissipated_energy / (energy * thickness * damaged);
  }
  REQUIRE(samples > 10);
  ratio /= samples;
  CHECK(std::abs(row.balance_error) < 1e-11);
  const double excess = excess_dissipation(m);
  CHECK(dissipated == Approx(1 + excess).epsilon(2e-3));
  // The crack waits for each facet and then jumps: G exceeds Gc by about 0.6 / facets in the mean.
  CHECK(ratio > 0.99);
  CHECK(ratio < 1 + 0.75 / facets);
  const std::string name = law + ", " + std::to_string(facets) + " facets per arm height: ";
  record("double cantilever", name + "mean release rate of the crack's length / Gc", 1, ratio, "",
         facets == 8 ? "-1 % to 9 %" : "-1 % to 15 %");
  record("double cantilever", name + "crack length at the end", rows.back()[2], rows.back()[1], "arm heights", "none");
  record("double cantilever", name + "dissipated / (Gc damaged length)", 1 + excess, dissipated, "", "0.2 %");
  if (facets == 5) write_series("cantilever_" + law, "opening,crack,beam", rows);
}

}  // namespace cleave::verification
