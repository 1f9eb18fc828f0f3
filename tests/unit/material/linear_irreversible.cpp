/// The linear irreversible law: independently computed numbers, energies, and what loading and unloading may cost.
#include "cleave/material/linear_irreversible.hpp"

#include <catch2/catch.hpp>
#include <random>

namespace cleave {
namespace {

constexpr double no_cap = 1e300;

/// Law of a normal mode and the two ratios.
LinearIrreversible law_of(double strength, double energy, double beta, double kappa) {
  return LinearIrreversible::make({strength, energy, 2}, {beta * strength, kappa * energy, 2});
}

/// Relative difference to a number printed with 12 digits; zero must be zero.
void near(double value, double expected) {
  if (expected == 0)
    CHECK(value == 0);
  else
    CHECK(std::abs(value / expected - 1) < 1.2e-11);
}

}  // namespace

TEST_CASE("linear law: tractions, largest opening and damage") {
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
    double history[2] = {v.before, v.strength};
    const CohesiveResponse t = law.respond(v.normal, v.tangential, {no_cap, v.contact}, history);
    near(t.normal, v.tn);
    near(t.tangential, v.tt);
    near(history[0], v.largest);
    near(law.damage(history), v.damage);
    near(t.recoverable, 0.5 * (v.tn * v.normal + v.tt * v.tangential));
    CHECK(law.failed(history) == (v.damage == 1));
    CHECK(history[1] == v.strength);
  }
}

TEST_CASE("linear law: a point starts at the traction that broke it, with that strength") {
  const LinearIrreversible law = law_of(1e6, 100, 2, 1.8);
  double history[2] = {-1, -1};
  const CohesivePoint point{no_cap, 1e13, 0, 0.9e6, -1.2e6};
  law.start(history, point);
  CHECK(history[0] == 0);
  CHECK(history[1] == Approx(std::sqrt(0.81 + 0.36) * 1e6).epsilon(1e-14));
  const CohesiveResponse t = law.respond(0, 0, point, history);
  CHECK((t.normal == 0.9e6 && t.tangential == -1.2e6 && t.recoverable == 0));
  CHECK(law.damage(history) == 0);

  SECTION("and goes on from there when it opens in the direction of that traction") {
    // T = f (Dn, beta^2/kappa Dt) is parallel to the traction for (Dn, Dt) = (tn, kappa/beta^2 tt).
    const double h = 1e-18;
    const CohesiveResponse next = law.respond(0.9e6 * h, -1.2e6 * 1.8 / 4 * h, point, history);
    CHECK(next.normal == Approx(t.normal).epsilon(1e-6));
    CHECK(next.tangential == Approx(t.tangential).epsilon(1e-6));
  }
  SECTION("compression does not count") {
    law.start(history, {no_cap, 1e13, 0, -5e6, 1e6});
    CHECK(history[1] == Approx(0.5e6).epsilon(1e-14));
  }
  SECTION("a point that nothing pulled at carries nothing but contact") {
    law.start(history, {no_cap, 1e13, 0, -5e6, 0});
    CHECK(law.failed(history));
    const CohesiveResponse pulled = law.respond(1e-6, 1e-6, {no_cap, 1e13}, history);
    CHECK((pulled.normal == 0 && pulled.tangential == 0));
    CHECK(law.respond(-1e-7, 0, {no_cap, 1e13}, history).normal == Approx(-1e6).epsilon(1e-14));
  }
}

TEST_CASE("linear law: the work of each mode is its fracture energy") {
  const double kappa = GENERATE(1., 1.8, 0.4), beta = GENERATE(1., 2.);
  const double strength = 1e6, energy = 100;
  const LinearIrreversible law = law_of(strength, energy, beta, kappa);
  const bool shear = GENERATE(false, true);
  double history[2];
  CohesivePoint point{no_cap, 0, 0, shear ? 0 : strength, shear ? beta * strength : 0};
  law.start(history, point);
  const double end = shear ? 2 * energy * kappa / (beta * strength) : 2 * energy / strength;
  const int steps = 1000;
  double work = 0;
  CohesiveResponse before = law.respond(0, 0, point, history);
  CHECK((shear ? before.tangential : before.normal) == Approx(shear ? beta * strength : strength).epsilon(1e-14));
  for (int i = 1; i <= steps; ++i) {
    const double d = end * i / steps;
    const CohesiveResponse t = law.respond(shear ? 0 : d, shear ? d : 0, point, history);
    work += 0.5 * (before.normal + t.normal + before.tangential + t.tangential) * end / steps;
    before = t;
  }
  // The traction is linear in the opening: the trapezoidal rule is exact.
  CHECK(work == Approx(shear ? kappa * energy : energy).epsilon(1e-12));
  CHECK(law.damage(history) == Approx(1).epsilon(1e-12));
}

TEST_CASE("linear law: on random paths dissipation is half strength times the largest opening and damage never falls") {
  const unsigned seed = GENERATE(1u, 2u, 3u, 4u, 5u);
  const double kappa = GENERATE(1., 1.8);
  const double strength = 1e6, energy = 100, width = 2 * energy / strength;
  const double cap = GENERATE(no_cap, 20.);  // the second in strengths per width
  const LinearIrreversible law = law_of(strength, energy, 2, kappa);
  std::mt19937 random(seed);
  const auto uniform = [&](double low, double high) { return low + (high - low) * (random() / 4294967295.0); };
  CohesivePoint point;
  point.stiffness_cap = cap < no_cap ? cap * strength / width : cap;
  point.contact_stiffness = 5 * strength / width;
  point.initial_normal = strength;
  double history[2];
  law.start(history, point);

  double x = 0, y = 0, work = 0, lost = 0, damage = 0;
  CohesiveResponse before{strength, 0, 0};
  for (int leg = 0; leg < 8; ++leg) {
    const double from_x = x, from_y = y;
    const double to_x = uniform(-0.2, 0.8) * width, to_y = uniform(-0.3, 0.3) * width;
    const int steps = 4000;
    for (int i = 1; i <= steps; ++i) {
      const double nx = from_x + (to_x - from_x) * i / steps, ny = from_y + (to_y - from_y) * i / steps;
      const CohesiveResponse t = law.respond(nx, ny, point, history);
      work += 0.5 * (before.normal + t.normal) * (nx - x) + 0.5 * (before.tangential + t.tangential) * (ny - y);
      // 4000 steps a leg integrate the corners of the traction to about 1e-4 of the energy.
      if (work - t.recoverable < lost - 2e-4 * kappa * energy || law.damage(history) < damage) {
        CAPTURE(leg, i, work, t.recoverable, lost);
        FAIL("dissipation or damage fell");
      }
      lost = std::max(lost, work - t.recoverable);
      damage = law.damage(history);
      before = t;
      x = nx;
      y = ny;
    }
  }
  const double expected = 0.5 * strength * std::min(history[0], width);
  if (cap == no_cap && kappa == 1) CHECK(lost == Approx(expected).epsilon(2e-3));
  CHECK(lost < 1.002 * std::max(1., kappa) * energy);
}

TEST_CASE("linear law: the cap bounds the stiffness of both modes") {
  const double kappa = GENERATE(0.5, 1.8, 8.);
  const LinearIrreversible law = law_of(1e6, 100, 2, kappa);
  const CohesivePoint point{1e12, 1e11, 0, 1e6, 0};
  double history[2];
  law.start(history, point);
  const CohesiveResponse t = law.respond(1e-12, 1e-12, point, history);
  CHECK(t.normal <= 1e12 * 1e-12 * (1 + 1e-14));
  CHECK(t.tangential <= 1e12 * 1e-12 * (1 + 1e-14));
  CHECK(std::max(t.normal, t.tangential) == Approx(1).epsilon(1e-14));
}

}  // namespace cleave
