/// The linear irreversible law: independently computed numbers, energies, and paths of the reference.
#include "reference/linear_irreversible.hpp"

#include <catch2/catch.hpp>

#include "cleave/material/effective_opening.hpp"
#include "cleave/material/energy_account.hpp"
#include "unit/material/follow_reference.hpp"

namespace cleave {
namespace {

/// Law of a normal mode and the two ratios.
LinearIrreversible law_of(double strength, double energy, double beta, double kappa) {
  return LinearIrreversible::make({{strength, energy, 2}, {beta * strength, kappa * energy, 2}});
}

/// Relative difference to a number printed with 12 digits; zero must be zero.
void near(double value, double expected) {
  if (expected == 0)
    CHECK(value == 0);
  else
    CHECK(std::abs(value / expected - 1) < 1.2e-11);
}

}  // namespace

TEST_CASE("the linear law has its tractions, largest opening and damage") {
  const struct {
    double strength, energy, beta, kappa, normal, tangential, before, contact, tn, tt, largest, damage;
  } vectors[] = {{324e6, 352, 1, 1, 1e-6, 0, 0, 0, 174886363.636, 0, 1e-6, 0.460227272727},
                 {324e6, 352, 1, 1, 5e-7, -8e-7, 0, 0, 97162838.3792, -155460541.407, 9.43398113206e-7, 0.434177540737},
                 {1e6, 100, 2, 1, 2e-5, 3e-5, 0, 0, 216227.766017, 1297366.5961, 6.32455532034e-5, 0.316227766017},
                 {1e6, 100, 2, 1.8, 2e-5, 3e-5, 0, 0, 414495.755428, 1381652.51809, 3.88730126323e-5, 0.194365063162},
                 {1e6, 100, 2, 1.8, 1e-5, 1.5e-5, 5e-5, 0, 150000, 500000, 5e-5, 0.25},
                 {1e6, 100, 2, 1.8, -1e-7, 1.5e-5, 5e-5, 1e13, -1000000, 500000, 5e-5, 0.25},
                 {1e6, 100, 2, 1.8, 3e-4, 0, 0, 0, 0, 0, 3e-4, 1}};
  for (const auto& v : vectors) {
    CAPTURE(v.strength, v.beta, v.kappa, v.normal, v.tangential, v.before);
    const LinearIrreversible law = law_of(v.strength, v.energy, v.beta, v.kappa);
    // Without a cap nothing is offset: the law as it was published.
    const CohesivePoint point{1e300, v.contact, {0, 0}};
    LinearIrreversible::State state = law.start({v.strength, 0}, point);
    if (v.before > 0) CHECK(lead(law, {v.before, 0}, point, state));
    CHECK(lead(law, {v.normal, v.tangential}, point, state) == (v.before == 0));
    const CohesiveResponse t = law.respond({v.normal, v.tangential}, point, state);
    near(t.traction.x, v.tn);
    near(t.traction.y, v.tt);
    near(state.largest, v.largest);
    near(law.damage(state), v.damage);
    near(t.stored, 0.5 * (v.tn * v.normal + v.tt * v.tangential));
    CHECK(law.failed(state) == (v.damage == 1));
    CHECK(state.strength == v.strength);
  }
}

TEST_CASE("a point of the linear law starts at the traction that broke it, with that strength") {
  const LinearIrreversible law = law_of(1e6, 100, 2, 1.8);
  const double cap = 1e12;
  const auto start = [&](Vec2 initial) {
    const CohesivePoint point{cap, 1e11, law.offset(initial, cap)};
    return std::pair(point, law.start(initial, point));
  };
  const auto [point, state] = start({0.9e6, -1.2e6});
  CHECK(state.largest == 0);
  CHECK(state.strength == Approx(std::sqrt(0.81 + 0.36) * 1e6).epsilon(1e-14));
  const CohesiveResponse t = law.respond({0, 0}, point, state);
  CHECK(t.traction.x == Approx(0.9e6).epsilon(1e-14));
  CHECK(t.traction.y == Approx(-1.2e6).epsilon(1e-14));
  CHECK(law.damage(state) == 0);
  // Compression does not count.
  CHECK(start({-5e6, 1e6}).second.strength == Approx(0.5e6).epsilon(1e-14));
}

TEST_CASE("the work of each mode of the linear law is its fracture energy") {
  const double kappa = GENERATE(1., 1.8, 0.4), beta = GENERATE(1., 2.);
  const double strength = 1e6, energy = 100;
  const LinearIrreversible law = law_of(strength, energy, beta, kappa);
  const bool shear = GENERATE(false, true);
  const Vec2 initial{shear ? 0 : strength, shear ? beta * strength : 0};
  const double cap = 1e15;
  const CohesivePoint point{cap, 0, law.offset(initial, cap)};
  LinearIrreversible::State state = law.start(initial, point);
  const double end = shear ? 2 * energy * kappa / (beta * strength) : 2 * energy / strength;
  const int steps = 1000;
  double work = 0;
  CohesiveResponse before = law.respond({0, 0}, point, state);
  for (int i = 1; i <= steps; ++i) {
    const double d = end * i / steps;
    const Vec2 opening{shear ? 0 : d, shear ? d : 0};
    lead(law, opening, point, state);
    const CohesiveResponse t = law.respond(opening, point, state);
    const Vec2 sum = before.traction + t.traction;
    work += 0.5 * (sum.x + sum.y) * end / steps;
    before = t;
  }
  // The traction is linear in the opening but for what the cap's initial opening adds, 1e6 / 1e15 of the width.
  CHECK(work == Approx(shear ? kappa * energy : energy).epsilon(1e-4));
  CHECK(law.damage(state) == Approx(1).epsilon(1e-12));
}

TEST_CASE("the linear law agrees with the reference on random paths") {
  const unsigned seed = GENERATE(1u, 2u, 3u, 4u, 5u);
  const double kappa = GENERATE(1., 1.8, 0.5), beta = GENERATE(1., 2.);
  const double strength = 1e6, energy = 100, width = 2 * energy / strength;
  const double kc = GENERATE(3., 200.) * strength / width;
  const LinearIrreversible law = law_of(strength, energy, beta, kappa);
  const reference::LinearIrreversibleLaw expected(energy, beta, kappa);
  follow_reference(law, expected, {strength, energy, beta, width, kc, 0.8}, seed);
}

TEST_CASE("the cap limits the stiffness of both modes of the linear law") {
  const double kappa = GENERATE(0.5, 1.8, 8.);
  const LinearIrreversible law = law_of(1e6, 100, 2, kappa);
  const double cap = 1e12;
  const Vec2 initial{1e6, 0};
  const CohesivePoint point{cap, 1e11, law.offset(initial, cap)};
  const LinearIrreversible::State state = law.start(initial, point);
  const Vec2 still = law.respond({0, 0}, point, state).traction;
  const Vec2 more = law.respond({1e-9, 1e-9}, point, state).traction - still;
  CHECK(more.x <= cap * 1e-9 * (1 + 1e-9));
  CHECK(more.y <= cap * 1e-9 * (1 + 1e-9));
  CHECK(std::max(more.x, more.y) == Approx(cap * 1e-9).epsilon(1e-9));
}

}  // namespace cleave
