/// Facets with strengths of their own, against exact solutions.
#include <algorithm>
#include <cmath>
#include <map>

#include "cleave/material/linear_elastic.hpp"
#include "model/strength.hpp"
#include "support.hpp"

namespace cleave::verification {

namespace {

/// A body of two rows of quads that is drawn apart until the facets between the rows break at `factor` times their
/// strength. It is stiffer than these facets soften, and starts just before they break with the strain rate that its
/// ends keep up, so that they open as slowly as it is drawn and nothing swings. With fracture energies in proportion to
/// factor^2 the motion is the same for all factors, `factor` times as large.
Model slow_seam(ElementType type, const std::string& law, double factor, const CohesiveMode& mode, double length) {
  const ElasticParameters material{1e9, 0.2, 1e3, PlaneType::strain};
  Model m = make_model(rectangle(type, {4, 2}, {length, 1}, {-length / 2, -0.5}), material, 0.02);
  CohesiveCase c;
  c.law = law;
  c.parameters.normal = c.parameters.tangential = mode;
  c.insertion.every = 1;
  c.insertion.box = {-length, -1e-3, length, 1e-3};
  m.cohesive = c;
  m.strength_scale.assign(m.mesh.neighbours.size(), factor);
  m.element_strength_scale.assign(static_cast<std::size_t>(m.mesh.element_count()), factor);
  const double modulus = LinearElastic::make(material).d11;
  set_displacement(m, [&](Point p) { return Point{0, 0.999 * factor * mode.strength / modulus * p.y}; });
  const double rate = 0.7 * factor;
  set_velocity(m, [&](Point p) { return Point{0, rate * p.y}; });
  move_x(m, nullptr, add_motion(m, 0));
  move_y(m, "top", add_motion(m, rate / 2));
  move_y(m, "bottom", add_motion(m, -rate / 2));
  return m;
}

}  // namespace

TEST_CASE("a facet with the factor s follows s T0(s opening) and keeps its fracture energy", "[strength]") {
  CLEAVE_ON_EVERY_BACKEND();
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  const std::string law = GENERATE(std::string("ppr"), std::string("linear"));
  const double factor = GENERATE(0.5, 1.5);
  CAPTURE(law, name_of(type), factor);
  const CohesiveMode mode{1e6, 900 * factor * factor, 2};
  const double length = 2, strength = factor * mode.strength;
  const Model m = slow_seam(type, law, factor, mode, length);
  const auto solver = make_solver(m, backend);
  do solver->advance(1);
  while (solver->history().cohesive_elements == 0 && solver->step() < 100);
  // Both soften linearly. Law `linear` takes the traction that it breaks at for its strength.
  const double start = solver->snapshot().cohesive.at(0).traction_normal, peak = law == "ppr" ? strength : start;
  const double width = 2 * mode.energy / peak, excess = excess_dissipation(m) * factor * peak / mode.strength;
  const double rise = LinearElastic::make(m.materials.front().parameters).d11 * m.step;  // of the stress in a step, Pa
  CHECK(start >= strength * (1 - 1e-12));
  CHECK(start < strength + rise);

  // A point starts with a debt of peak^2 / (2 cap), which extra tractions work off (theory.md 5.4): at most cap / 8
  // times the way of a step, and nothing is left when a step is as long as twice peak / cap and a few have followed.
  const double cap = peak / (excess * width);
  double late = 0, longest = 0;
  std::map<Index, double> opening;
  while (solver->history().failed_elements < 4 && solver->step() < 20000) {
    solver->advance(1);
    for (const auto& facet : solver->snapshot().cohesive) {
      CHECK(facet.strength_scale == factor);
      double& before = opening[facet.facet_a];
      const double now = facet.opening_normal, way = now - before;
      const double off = std::abs(facet.traction_normal - std::max(0.0, peak * (1 - now / width)));
      REQUIRE(way > -1e-12 * width);
      CHECK(off < cap / 8 * way + 1e-9 * peak);
      if (now > 0.01 * width && now < width) late = std::max(late, off / peak);
      longest = std::max(longest, way);
      before = now;
    }
  }
  CHECK(late < 1e-12);  // rounding
  const HistoryRow row = solver->history();
  CHECK(std::abs(row.balance_error) < 1e-11);
  REQUIRE(row.failed_elements == 4);
  // An eighth of a step counts as a trapezoid, which the one in which a point fails is not.
  const double trapezoid = std::pow(longest / 8 / width, 2);
  CHECK(row.dissipated_energy == Approx(mode.energy * length * (1 + excess)).epsilon(trapezoid));
  const std::string name = law + " " + name_of(type) + ", factor " + std::to_string(factor);
  record("a facet of another strength", name + ": dissipated", mode.energy * length * (1 + excess),
         row.dissipated_energy, "J", "1e-6");
  record("a facet of another strength", name + ": worst traction", 0, late, "of the peak", "1e-12");
}

namespace {

constexpr int links = 100;
constexpr double modulus_of_weibull = 10, scale = 10e6;

/// Links + 1 quads in a row, which only the facets between them can part. It stretches evenly, so that all of them
/// carry the same, as in a chain that is drawn slowly.
Model chain() {
  const double h = 1e-3, young = 1e9, rate = 50;
  const int quads = links + 1;
  const double length = quads * h;
  Model m = make_model(rectangle(ElementType::t3, {quads, 1}, {length, h}),
                       ElasticParameters{young, 0, 1000, PlaneType::strain}, 0.5, 1e-3);
  CohesiveCase c;
  c.parameters.normal = c.parameters.tangential = {scale, 10, 2};
  c.insertion.every = 1;
  c.insertion.box = std::array<double, 4>{h / 2, 0.45 * h, (quads - 0.5) * h, 0.55 * h};
  m.cohesive = c;
  set_displacement(m, [&](Point p) { return Point{0.25 * scale / young * (p.x - length / 2), 0}; });
  set_velocity(m, [&](Point p) { return Point{rate * (p.x - length / 2), 0}; });
  move_y(m, nullptr, add_motion(m, 0));
  move_x(m, "left", add_motion(m, -rate * length / 2));
  move_x(m, "right", add_motion(m, rate * length / 2));
  return m;
}

/// The stress at which the first link breaks, Pa.
double strength_of_chain(const Model& m, const std::string& backend) {
  const auto solver = make_solver(m, backend);
  const double before = 0.25 * scale, per_step = 1e9 * 50 * m.step;
  do solver->advance(1, Output::history, {});
  while (solver->history().cohesive_elements == 0 && solver->step() < 20000);
  return before + per_step * static_cast<double>(solver->step());
}

}  // namespace

TEST_CASE("a chain of 100 facets breaks at its weakest, with Weibull's distribution", "[strength]") {
  CLEAVE_ON_EVERY_BACKEND();
  Model m = chain();
  StrengthDistribution d;
  d.scale = scale;
  d.modulus = modulus_of_weibull;
  d.reference_length = 1e-3;  // that of the links
  constexpr int chains = 200;
  std::vector<double> drawn;  // over the scale
  for (int seed = 1; seed <= chains; ++seed) {
    CAPTURE(seed);
    d.seed = static_cast<std::uint64_t>(seed);
    m.cohesive->distribution = d;
    set_strengths(m);
    double weakest = 1e300;
    for (Index facet = 0; facet < 3 * m.mesh.element_count(); ++facet) {
      const Index e = element_of(facet), k = facet_of(facet);
      if (m.mesh.neighbours[facet] == boundary_facet) continue;
      const Point a = m.mesh.nodes[m.mesh.node(e, static_cast<int>((k + 1) % 3))];
      const Point b = m.mesh.nodes[m.mesh.node(e, static_cast<int>((k + 2) % 3))];
      if (std::abs(a.x - b.x) < 1e-9) weakest = std::min(weakest, m.strength_scale[facet]);
    }
    drawn.push_back(strength_of_chain(m, backend) / scale);
    // It breaks in the step in which it is reached; the check sees the stress one step late.
    CHECK(std::abs(drawn.back() - weakest) < 2 * 1e9 * 50 * m.step / scale);
  }
  // The weakest of n is Weibull's again, with the scale n^(-1/m). Three standard errors of the mean, v / sqrt(chains)
  // of it, and of the variation v, which by the fourth moment of the distribution (its excess 0.57) are 0.06 of it:
  // 0.057 and, of the mean's, v / sqrt(chains).
  const double of_mean = std::tgamma(1 + 1 / modulus_of_weibull), of_square = std::tgamma(1 + 2 / modulus_of_weibull);
  const double right = std::pow(links, -1 / modulus_of_weibull) * of_mean;        // 0.600
  const double right_variation = std::sqrt(of_square / (of_mean * of_mean) - 1);  // 0.120
  double mean = 0, square = 0;
  for (const double x : drawn) mean += x / chains;
  for (const double x : drawn) square += (x - mean) * (x - mean) / (chains - 1);
  const double variation = std::sqrt(square) / mean;
  CHECK(std::abs(mean / right - 1) < 3 * right_variation / std::sqrt(chains));
  CHECK(std::abs(variation / right_variation - 1) < 3 * 0.06);
  record("a chain of 100 random facets, 200 drawn", "mean strength", right, mean, "of the scale",
         "3 standard errors, 0.015");
  record("a chain of 100 random facets, 200 drawn", "variation", 100 * right_variation, 100 * variation, "%",
         "3 standard errors, 2.2");
}

}  // namespace cleave::verification
