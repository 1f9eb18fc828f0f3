/// The exponential law: its closed form, energies, and paths of the reference.
#include <catch2/catch.hpp>
#include <cmath>

#include "cleave/material/effective_opening.hpp"
#include "cleave/material/energy_account.hpp"
#include "reference/linear_irreversible.hpp"
#include "unit/material/follow_reference.hpp"

namespace cleave {
namespace {

Exponential law_of(double strength, double energy, double beta, double kappa, double first) {
  return Exponential::make({{strength, energy, 2}, {beta * strength, kappa * energy, 2}, {first}});
}

}  // namespace

TEST_CASE("the exponential of a negative number agrees with the library to two roundings") {
  double worst = 0;
  for (double x = 0; x < 68; x += 0.00137) worst = std::max(worst, std::abs(exp_minus(x) / std::exp(-x) - 1));
  CHECK(worst < 5e-16);
  CHECK(exp_minus(0) == 1);
  CHECK(exp_minus(70) == 0);
}

TEST_CASE("the exponential law has its traction and damage in monotonic opening") {
  // Computed from the closed form with 30 digits: length = 0.995 energy / strength * 0.99 / (0.99 + 0.01 ln 0.01).
  const double strength = 2e6, energy = 80, first = 0.01;
  const Exponential law = law_of(strength, energy, 1, 1, first);
  const CohesivePoint point{1e18, 1e14, law.offset({strength, 0}, 1e18)};
  CHECK(point.offset.x == Approx(4e-7).epsilon(1e-14));  // the first rise, not that of the cap
  const struct {
    double opening, left;
  } vectors[] = {{0, 1}, {1e-5, 0.784815419674}, {4e-5, 0.377327411349}, {1.2e-4, 0.0468950479819}, {1.95e-4, 0}};
  Exponential::State state = law.start({strength, 0}, point);
  for (const auto& v : vectors) {
    CAPTURE(v.opening);
    lead(law, {v.opening, 0}, point, state);
    CHECK(law.respond({v.opening, 0}, point, state).traction.x == Approx(strength * v.left).epsilon(1e-11));
    CHECK(law.damage(state) == Approx(1 - v.left).epsilon(1e-11).margin(1e-15));
    CHECK(law.failed(state) == (v.left == 0));
  }
}

TEST_CASE("a mode of the exponential law dissipates its fracture energy for any initial rise") {
  const double kappa = GENERATE(1., 1.8), beta = GENERATE(1., 2.), first = GENERATE(0.001, 0.01, 0.1);
  const bool shear = GENERATE(false, true);
  const double strength = 1e6, energy = 100, cap = GENERATE(1e12, 1e15);
  const Exponential law = law_of(strength, energy, beta, kappa, first);
  const Vec2 initial{shear ? 0 : strength, shear ? beta * strength : 0};
  const CohesivePoint point{cap, 0, law.offset(initial, cap)};
  Exponential::State state = law.start(initial, point);
  const double end = 6 * energy / strength * (shear ? kappa / beta : 1);
  const int steps = 4000;
  Vec2 from{}, acts = law.respond({}, point, state).traction;
  CHECK(acts.x + acts.y == Approx(shear ? beta * strength : strength).epsilon(1e-14));
  double account = -law.respond({}, point, state).stored, dissipated = 0, work = 0;
  for (int i = 1; i <= steps; ++i) {
    const double d = end * i / steps;
    const Vec2 to{shear ? 0 : d, shear ? d : 0};
    const CohesivePointStep step = step_point(law, {from, to, point}, acts, state, account);
    work += 0.5 * dot(acts + step.traction, to - from);
    dissipated += step.dissipated;
    acts = step.traction;
    from = to;
  }
  CHECK(law.failed(state));
  CHECK(dissipated == Approx(shear ? kappa * energy : energy).epsilon(1e-4));
  CHECK(work == Approx(dissipated + account).epsilon(1e-11));
}

TEST_CASE("the exponential law agrees with the reference on random paths") {
  const unsigned seed = GENERATE(1u, 2u, 3u, 4u, 5u);
  const double kappa = GENERATE(1., 1.8, 0.5), beta = GENERATE(1., 2.), first = GENERATE(0.01, 0.1);
  const double strength = 1e6, energy = 100, width = 2 * energy / strength;
  const double kc = GENERATE(20., 2000.) * strength / width;
  const Exponential law = law_of(strength, energy, beta, kappa, first);
  const reference::ExponentialLaw expected(energy, beta, kappa, strength, first);
  follow_reference(law, expected, {strength, energy, beta, width, kc, 1.6}, seed);
}

}  // namespace cleave
