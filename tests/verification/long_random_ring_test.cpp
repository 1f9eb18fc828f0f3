/// Fragments of an expanding ring whose facets have random strengths.
#include <cmath>

#include "model/strength.hpp"
#include "stretching.hpp"

namespace cleave::verification {

TEST_CASE("a ring with random strength breaks into fragments near or above the fitted size", "[long]") {
  CLEAVE_ON_EVERY_DEVICE();
  std::vector<std::vector<double>> rows;
  for (const double modulus : {0.0, 30.0, 10.0}) {  // 0: all facets alike
    const std::string name = modulus == 0 ? "no distribution" : "modulus " + std::to_string(static_cast<int>(modulus));
    CAPTURE(name);
    CohesiveCase c;
    c.parameters.normal = c.parameters.tangential = {Ceramic::strength, Ceramic::energy, 2};
    c.insertion.every = 5;
    constexpr int seeds = 3;
    std::vector<double> lengths;
    for (unsigned seed = 1; seed <= seeds; ++seed) {
      // So far below the strength that the weakest facets hold at first; then 0.9 of it is reached at `begin`.
      const Stretching body{false, 0.1, 2, 0.3, 80, seed, 0.3};
      const double begin = (0.9 - body.start) / body.r * Ceramic::t0;
      Model m = body.make(c);
      if (modulus > 0) {
        StrengthDistribution d;
        d.scale = Ceramic::strength;
        d.modulus = modulus;
        d.reference_length = body.thickness() / body.quads;
        d.seed = seed;
        m.cohesive->distribution = d;
        set_strengths(m);
      }
      const auto solver = make_solver(m, backend, 2);
      for (int t = 2; t <= 12; t += 2) {
        solver->advance(static_cast<Step>(std::ceil((begin + t * Ceramic::t0) / m.step)) - solver->step());
        const auto pieces = body.pieces(m.mesh, solver->snapshot());
        rows.push_back({modulus, double(seed), double(t), 80.0 / static_cast<double>(pieces.size())});
        if (t == 12) lengths.insert(lengths.end(), pieces.begin(), pieces.end());
      }
      CHECK(std::abs(solver->history().balance_error) < 1e-11);
    }
    const auto n = static_cast<double>(lengths.size());
    const double ratio = 80 * seeds / n;
    INFO("mean size over that of the fit: " << ratio);
    // With random strengths fragments are those of a weaker material, for which there is no fit.
    CHECK(ratio > 0.9);
    if (modulus == 0) CHECK(ratio < 1.7);
    // Largest distance from the Rayleigh distribution with their mean.
    double mean = 0, distance = 0;
    for (const double l : lengths) mean += l / n;
    std::sort(lengths.begin(), lengths.end());
    for (std::size_t i = 0; i < lengths.size(); ++i) {
      const double x = lengths[i] / mean, at = 1 - std::exp(-M_PI / 4 * x * x), below = static_cast<double>(i) / n;
      distance = std::max({distance, at - below, below + 1 / n - at});
    }
    record("ring with random strength", name + ": mean size / fit", 1, ratio, "",
           modulus == 0 ? "0.9 to 1.7" : "above 0.9");
    record("ring with random strength", name + ": distance from Rayleigh times sqrt(n)", 0, distance * std::sqrt(n), "",
           "none");
  }
  write_series("random_ring", "modulus,seed,t_over_t0,size_over_fit", rows);
}

}  // namespace cleave::verification
