#include "model/strength.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <numeric>
#include <random>

#include "cleave/mesh/numbering.hpp"
#include "cleave/mesh/topology.hpp"
#include "unit/mesh/helpers.hpp"

using namespace cleave;

namespace {

StrengthDistribution weibull(double modulus, std::uint64_t seed, std::optional<double> length = {}) {
  StrengthDistribution d;
  d.scale = 300e6;
  d.modulus = modulus;
  d.reference_length = length;
  d.seed = seed;
  return d;
}

StrengthDistribution uniform(double from, double to, std::uint64_t seed) {
  StrengthDistribution d;
  d.kind = StrengthDistribution::Kind::uniform;
  d.from = from;
  d.to = to;
  d.seed = seed;
  return d;
}

Case plate(const StrengthDistribution& distribution, std::array<int, 2> divisions = {120, 80}) {
  Case c;
  c.file = "case.yaml";
  c.mesh.divisions = divisions;
  c.mesh.size = {1.2, 0.8};
  c.mesh.element = ElementType::t3;
  c.material = {{"", {"linear_elastic", {1e9, 0.25, 1000, PlaneType::strain}}}};
  c.cohesive.emplace();
  c.cohesive->distribution = distribution;
  c.cohesive->parameters.normal = c.cohesive->parameters.tangential = {distribution.nominal(), 100, 2};
  c.time.steps = 1;
  return c;
}

/// The factors of all interior facets, each once.
std::vector<double> factors(const Mesh& mesh, const std::vector<double>& scales) {
  std::vector<double> all;
  for (Index e = 0; e < mesh.element_count(); ++e)
    for (int k = 0; k < 3; ++k)
      if (mesh.neighbour(e, k) > facet_code(e, k)) all.push_back(scales[facet_code(e, k)]);
  return all;
}

/// Largest distance of the sampled from the right distribution.
template <class Right>
double kolmogorov_smirnov(std::vector<double> sample, const Right& right) {
  std::sort(sample.begin(), sample.end());
  const auto n = static_cast<double>(sample.size());
  double distance = 0;
  for (std::size_t i = 0; i < sample.size(); ++i) {
    const double at = right(sample[i]), below = static_cast<double>(i) / n;
    distance = std::max({distance, at - below, below + 1 / n - at});
  }
  return distance;
}

/// Factors by the original ids of the corners of their facets.
std::map<std::pair<Index, Index>, double> by_corners(const Mesh& mesh, const std::vector<double>& scales) {
  std::map<std::pair<Index, Index>, double> all;
  for (Index facet = 0; facet < 3 * mesh.element_count(); ++facet) {
    if (mesh.neighbours[facet] == boundary_facet) continue;
    const Index e = element_of(facet), k = facet_of(facet);
    const auto original = [&](Index corner) {
      const Index n = mesh.node(e, static_cast<int>((k + corner) % 3));
      return mesh.original_nodes.empty() ? n : mesh.original_nodes[n];
    };
    const Index a = original(1), b = original(2);
    const auto [at, fresh] = all.insert({{std::min(a, b), std::max(a, b)}, scales[facet]});
    CHECK((fresh || at->second == scales[facet]));  // both sides have the same
  }
  return all;
}

}  // namespace

TEST_CASE("random strengths have the requested distribution") {
  const double most = 1.95;  // the distance times sqrt(n) is larger in 1 of 1000 samples
  for (const std::uint64_t seed : {1, 2, 3, 4, 5}) {
    CAPTURE(seed);
    for (const double modulus : {1.0, 10.0, 30.0}) {
      const Model m = make_model(plate(weibull(modulus, seed)));
      const std::vector<double> sample = factors(m.mesh, m.strength_scale);
      REQUIRE(sample.size() > 50000);
      const double d = kolmogorov_smirnov(sample, [&](double x) { return 1 - std::exp(-std::pow(x, modulus)); });
      CHECK(d * std::sqrt(static_cast<double>(sample.size())) < most);
    }
    const Model m = make_model(plate(uniform(2e6, 5e6, seed)));
    const std::vector<double> sample = factors(m.mesh, m.strength_scale);
    const double d = kolmogorov_smirnov(sample, [](double x) { return (3.5 * x - 2) / 3; });
    CHECK(d * std::sqrt(static_cast<double>(sample.size())) < most);
  }
}

TEST_CASE("a facet of n reference lengths is as strong as the weakest of n") {
  const StrengthDistribution d = weibull(8, 1, 1e-3);
  // Of n facets none is weaker than x with the probability (1 - p)^n.
  for (const double p : {0.01, 0.5, 0.9})
    for (const double n : {0.25, 1.0, 7.0})
      CHECK(d.factor(1 - std::pow(1 - p, n), n * 1e-3) == Approx(d.factor(p, 1e-3)).epsilon(1e-9));  // 1 - 1e-7
  CHECK(weibull(8, 1).factor(0.3, 5) == weibull(8, 1).factor(0.3, 1));
  const Model m = make_model(plate(weibull(3, 1, 0.01), {30, 20}));
  const Model half = make_model(plate(weibull(3, 1, 0.02), {30, 20}));
  for (std::size_t f = 0; f < m.strength_scale.size(); ++f)
    if (m.mesh.neighbours[f] != boundary_facet)
      CHECK(half.strength_scale[f] == Approx(std::cbrt(2.0) * m.strength_scale[f]).epsilon(1e-12));
}

TEST_CASE("a chain of 100 facets of the reference length is as strong as its weakest") {
  constexpr int links = 100, chains = 2000;
  constexpr double modulus = 10;
  Case c = plate(weibull(modulus, 1, 0.8), {links + 1, 1});  // facets across it are 0.8 m long
  const Mesh mesh = make_mesh(c);
  std::vector<Index> across;
  for (Index e = 0; e < mesh.element_count(); ++e)
    for (int k = 0; k < 3; ++k) {
      const Point a = mesh.nodes[mesh.node(e, (k + 1) % 3)], b = mesh.nodes[mesh.node(e, (k + 2) % 3)];
      if (mesh.neighbour(e, k) > facet_code(e, k) && std::abs(a.x - b.x) < 1e-9) across.push_back(facet_code(e, k));
    }
  REQUIRE(across.size() == links);
  double sum = 0, squares = 0;
  for (int chain = 1; chain <= chains; ++chain) {
    c.cohesive->distribution->seed = static_cast<std::uint64_t>(chain);
    const std::vector<double> scales = strength_scales(mesh, *c.cohesive);
    double weakest = 1e300;
    for (const Index facet : across) weakest = std::min(weakest, scales[facet]);
    sum += weakest;
    squares += weakest * weakest;
  }
  const double mean = sum / chains, deviation = std::sqrt((squares / chains - mean * mean) * chains / (chains - 1));
  // The smallest of n numbers of a Weibull distribution has that distribution with n^(-1/m) of the scale: a mean of
  // 0.600 and a variation of 12.0 %. Four standard errors; that of a variation v is v sqrt((k - 1)/4 + v^2 - v g) /
  // sqrt(chains) with the skewness g = -0.64 and the kurtosis k = 3.57 of the modulus 10.
  const double expected = std::tgamma(1 + 1 / modulus) * std::pow(links, -1 / modulus);
  const double variation = std::sqrt(std::tgamma(1 + 2 / modulus) / std::pow(std::tgamma(1 + 1 / modulus), 2) - 1);
  const double error = variation / std::sqrt(static_cast<double>(chains));
  const double of_variation = std::sqrt((3.57 - 1) / 4 + variation * variation + variation * 0.64);
  CHECK(std::abs(mean / expected - 1) < 4 * error);
  CHECK(std::abs(deviation / mean - variation) < 4 * of_variation * error);
}

TEST_CASE("the strength of a facet does not depend on the numbering") {
  Case c = plate(weibull(10, 7), {24, 16});
  c.mesh.element = GENERATE(ElementType::t3, ElementType::t6);
  const Model hilbert = make_model(c);
  const auto expected = by_corners(hilbert.mesh, hilbert.strength_scale);
  CHECK(expected.size() == factors(hilbert.mesh, hilbert.strength_scale).size());
  c.mesh.numbering = Numbering::as_given;
  for (const Assembly assembly : {Assembly::gather, Assembly::coloured}) {
    c.run.assembly = assembly;
    const Model m = make_model(c);
    CHECK(by_corners(m.mesh, m.strength_scale) == expected);
  }
  // Elements shuffled, and the ids inside of the program with them.
  Mesh mesh = make_mesh(c);
  std::mt19937 random(3);
  std::vector<Index> nodes(mesh.nodes.size()), elements(static_cast<std::size_t>(mesh.element_count()));
  for (auto* order : {&nodes, &elements}) {
    std::iota(order->begin(), order->end(), 0);
    std::shuffle(order->begin(), order->end(), random);
  }
  renumber(mesh, nodes, elements);
  CHECK(by_corners(mesh, strength_scales(mesh, *c.cohesive)) == expected);
}

TEST_CASE("random strengths do not depend on the number of threads") {
  const auto [one, four] = test::on_one_and_four_threads([] { return make_model(plate(weibull(10, 7))); });
  CHECK(one.mesh.element_count() > 2 * 16384);
  CHECK(four.strength_scale == one.strength_scale);
  CHECK(four.element_strength_scale == one.element_strength_scale);
}

TEST_CASE("random numbers of seeds and facets are uncorrelated") {
  CHECK(part_of_facet(1, 4, 9) == part_of_facet(1, 9, 4));
  double sum = 0, of_seeds = 0, of_neighbours = 0;
  const int n = 20000;
  for (int i = 0; i < n; ++i) {
    const double a = part_of_facet(1, i, i + 1) - 0.5;
    CHECK((a > -0.5 && a < 0.5));
    sum += a / n;
    of_seeds += 12 * a * (part_of_facet(2, i, i + 1) - 0.5) / n;
    of_neighbours += 12 * a * (part_of_facet(1, i + 1, i + 2) - 0.5) / n;
  }
  const double deviation = 1 / std::sqrt(static_cast<double>(n));
  CHECK(std::abs(sum) < 4 * deviation / std::sqrt(12.0));
  CHECK(std::abs(of_seeds) < 4 * deviation);
  CHECK(std::abs(of_neighbours) < 4 * deviation);
}

TEST_CASE("without a distribution there are no factors") {
  Case c = plate(weibull(10, 1), {4, 4});
  c.cohesive->distribution.reset();
  const Model m = make_model(c);
  CHECK(m.strength_scale.empty());
  CHECK(m.element_strength_scale.empty());
  CHECK(strength_range(m).least == 1);
  CHECK(strength_range(m).most == 1);
}

TEST_CASE("random strengths give a range, weakest facets of elements and probes, and a stiffness cap") {
  Case c = plate(weibull(10, 2), {12, 8});
  c.output.probes = {{"tip", {0.33, 0.21}}};
  const Model m = make_model(c);
  const std::vector<double> all = factors(m.mesh, m.strength_scale);
  const auto [least, most] = std::minmax_element(all.begin(), all.end());
  CHECK(strength_range(m).least == *least);
  CHECK(strength_range(m).most == *most);
  REQUIRE(m.element_strength_scale.size() == static_cast<std::size_t>(m.mesh.element_count()));
  for (Index e = 0; e < m.mesh.element_count(); ++e) {
    double weakest = 1e300;
    for (int k = 0; k < 3; ++k)
      if (m.mesh.neighbour(e, k) != boundary_facet) weakest = std::min(weakest, m.strength_scale[facet_code(e, k)]);
    CHECK(m.element_strength_scale[e] == weakest);
  }
  CHECK(m.probes.at(0).strength_scale == m.element_strength_scale[m.probes.at(0).element]);

  // The stiffness of a law grows with the square of the factor.
  Model twice = m;
  for (double& scale : twice.strength_scale) scale = 2;
  Model once = m;
  once.strength_scale.clear();
  CHECK(least_cap_ratio(twice) == Approx(least_cap_ratio(once) / 4).epsilon(1e-12));
}

TEST_CASE("the last of several entries of laws counts for a facet") {
  const std::string text =
      "mesh: {shape: rectangle, size: [4, 1], divisions: [8, 2], element: T3, regions: {west: {box: [0, 0, 2, 1]}, "
      "east: "
      "{box: [2, 0, 4, 1]}, end: {box: [3, 0, 4, 1]}}}\n"
      "material: {young_modulus: 1.0e9, poisson_ratio: 0.25, density: 1000}\n"
      "time: {steps: 1}\n"
      "cohesive:\n"
      "  - {normal: {strength: 4.0e6, energy: 100}}\n"
      "  - {on: east, normal: {strength: 8.0e6, energy: 200}}\n"
      "  - {between: [east, west], normal: {strength: 1.0e6, energy: 50}}\n";
  const Model m = make_model(parse_case(text, "case.yaml"));
  std::map<std::pair<double, double>, int> counts;
  for (Index e = 0; e < m.mesh.element_count(); ++e)
    for (int k = 0; k < 3; ++k) {
      const Index code = facet_code(e, k), other = m.mesh.neighbours[code];
      if (other == boundary_facet) continue;
      const bool right = centroid(m.mesh, e).x > 2, other_right = centroid(m.mesh, element_of(other)).x > 2;
      const std::pair<double, double> factors{m.strength_scale[code], m.energy_scale[code]};
      CHECK(factors == (right != other_right ? std::pair(0.25, 0.5)
                        : right              ? std::pair(2.0, 2.0)
                                             : std::pair(1.0, 1.0)));
      CHECK(factors == std::pair(m.strength_scale[other], m.energy_scale[other]));
      ++counts[factors];
    }
  CHECK(counts[{0.25, 0.5}] == 2 * 2);
  CHECK(counts.size() == 3);
  const StrengthRange range = strength_range(m);
  CHECK(range.least == 0.25);
  CHECK(range.most == 2);
  // The law of the right half is f^2 / g = 2 times as stiff, which leaves half the cap.
  const Model plain = make_model(parse_case(text.substr(0, text.find("  - {on")), "case.yaml"));
  CHECK(least_cap_ratio(m) == Approx(least_cap_ratio(plain) / 2).epsilon(1e-12));

  CHECK_THROWS_WITH(make_model(parse_case(text, "case.yaml", {"cohesive.1.on=eats"})),
                    Catch::Contains("cohesive.1.on: the mesh has no group \"eats\"; did you mean \"east\"?"));
  CHECK_THROWS_WITH(make_model(parse_case(text, "case.yaml", {"cohesive.2.between.0=end"})),
                    Catch::Contains("cohesive.2.between: no facet lies between \"end\" and \"west\""));
}

TEST_CASE("facets between different groups are those where the groups of the triangles change") {
  const std::string text =
      "mesh: {shape: rectangle, size: [4, 1], divisions: [8, 2], element: T3, regions: {west: {box: [0, 0, 2, 1]}, "
      "east: {box: [2, 0, 3, 1]}, all: {box: [0, 0, 3, 1]}}}\n"  // no group holds what lies behind x = 3
      "material: {young_modulus: 1.0e9, poisson_ratio: 0.25, density: 1000}\n"
      "time: {steps: 1}\n"
      "cohesive:\n"
      "  - {normal: {strength: 4.0e6, energy: 100}}\n"
      "  - {between: different, normal: {strength: 1.0e6, energy: 50}}\n";
  const Model m = make_model(parse_case(text, "case.yaml"));
  int between = 0;
  for (Index e = 0; e < m.mesh.element_count(); ++e)
    for (int k = 0; k < 3; ++k) {
      const Index code = facet_code(e, k), other = m.mesh.neighbours[code];
      if (other == boundary_facet) continue;
      const bool weak = (centroid(m.mesh, e).x > 2) != (centroid(m.mesh, element_of(other)).x > 2);
      between += weak;
      CHECK(m.strength_scale[code] == (weak ? 0.25 : 1));
    }
  CHECK(between == 2 * 2);
  CHECK_THROWS_WITH(
      make_model(parse_case(text, "case.yaml", {"mesh.regions.west=", "mesh.regions.east="})),
      Catch::Contains("case.yaml:6: cohesive.1.between: no facet lies between triangles of different groups"));
}

TEST_CASE("facets without an entry do not break") {
  const std::string text =
      "mesh: {shape: rectangle, size: [4, 1], divisions: [8, 2], element: T3, regions: {west: {box: [0, 0, 2, 1]}, "
      "east: "
      "{box: [2, 0, 4, 1]}}}\n"
      "material: {young_modulus: 1.0e9, poisson_ratio: 0.25, density: 1000}\n"
      "time: {steps: 1}\n"
      "cohesive:\n"
      "  - {between: [east, west], normal: {strength: 1.0e6, energy: 50}}\n";
  const std::string with_west = text + "  - {on: west, normal: {strength: 4.0e6, energy: 100}}\n";
  for (const std::string& entries : {text, with_west}) {
    const Model m = make_model(parse_case(entries, "case.yaml"));
    const bool west_breaks = entries == with_west;
    int between = 0;
    for (Index e = 0; e < m.mesh.element_count(); ++e)
      for (int k = 0; k < 3; ++k) {
        const Index code = facet_code(e, k), other = m.mesh.neighbours[code];
        if (other == boundary_facet) continue;
        const bool right = centroid(m.mesh, e).x > 2, other_right = centroid(m.mesh, element_of(other)).x > 2;
        between += right != other_right;
        const double west = west_breaks ? 4 : unbreakable;
        CHECK(m.strength_scale[code] == (right != other_right ? 1 : right ? unbreakable : west));
        CHECK(m.energy_scale[code] == (west_breaks && !right && !other_right ? 2 : 1));
      }
    CHECK(between == 2 * 2);
    const StrengthRange range = strength_range(m);
    CHECK(range.least == 1);
    CHECK(range.most == (west_breaks ? 4 : 1));
    for (const double scale : m.element_strength_scale) CHECK(std::isfinite(scale));
    // Facets that do not break set no limit to the cap: the step is that of the same law everywhere.
    if (!west_breaks) {
      const Model all =
          make_model(parse_case(entries, "case.yaml", {"cohesive.0={normal: {strength: 1.0e6, energy: 50}}"}));
      CHECK(least_cap_ratio(m) >= least_cap_ratio(all));
      CHECK(m.step == all.step);
    }
  }
}

TEST_CASE("random strengths of an entry are relative to those of all facets") {
  const std::string text =
      "mesh: {shape: rectangle, size: [4, 1], divisions: [8, 2], element: T3, regions: {east: {box: [2, 0, 4, 1]}}}\n"
      "material: {young_modulus: 1.0e9, poisson_ratio: 0.25, density: 1000}\n"
      "time: {steps: 1}\n"
      "cohesive:\n"
      "  - {normal: {strength: 4.0e6, energy: 100}}\n"
      "  - {on: east, normal: {strength: {uniform: {from: 2.0e6, to: 6.0e6}}, energy: 100}}\n";
  const Model m = make_model(parse_case(text, "case.yaml"));
  const StrengthRange range = strength_range(m);
  CHECK(range.least > 0.5);
  CHECK(range.least < 0.55);
  CHECK(range.most < 1.5);
  CHECK(range.most > 1.45);
}
