/// When points of j2 and of the example with a history ask for erosion, and what they say after it.
#include <catch2/catch.hpp>
#include <cmath>

#include "cleave/material/j2.hpp"
#include "laws/user_history_example.hpp"

namespace cleave::test {

static_assert(Erodes<J2> && Erodes<Spall>);
static_assert(!Erodes<LinearElastic>);

TEST_CASE("J2 erodes at its plastic strain and has no stress afterwards", "[erosion]") {
  MaterialCase steel{"j2", {210e9, 0.3, 7850, PlaneType::strain}, {400e6}, {1e9, {}}};
  CHECK(!J2::make(steel).may_erode());
  steel.erosion.plastic_strain = 0.01;
  const J2 law = J2::make(steel);
  CHECK(law.may_erode());
  J2::State state;
  Response last{};
  int steps = 0;
  while (!law.erodes(state) && steps < 1000) last = law.update({1e-4 * ++steps, 0, 0, 0}, state, 1e-9);
  // Pure shear of the deviator: accumulated plastic strain is 2/3 of the plastic part of the stretch.
  CHECK(steps * 1e-4 == Approx(0.015).epsilon(0.2));
  CHECK(state.accumulated >= 0.01);
  CHECK(last.stress.xx > 400e6);
  law.erode(state);
  const Response gone = law.update({1e-4 * steps, 0, 0, 0}, state, 1e-9);
  CHECK(gone.stress.xx == 0);
  CHECK(gone.stress.yy == 0);
  CHECK(gone.across == 0);
  CHECK(gone.stored == 0);
  CHECK(gone.dissipated == 0);
}

TEST_CASE("the example with a history spalls by the impulse of tension", "[erosion]") {
  const double modulus = 3e9, dt = 1e-8, stress = 60e6, threshold = 20e6;
  const Spall law = Spall::make(
      {"spall", {modulus, 0, 1200, PlaneType::strain}, {threshold, 40 * dt * std::pow(stress - threshold, 2), 1e300}});
  Spall::State state;
  const Gradient g{stress / modulus, 0, 0, -1e-3};
  // The mean of four steps comes up over the first four: 1/4, 1/2, 3/4 of the stress, less the threshold.
  double expected = 0;
  for (int step = 1; step <= 60; ++step) {
    const Response r = law.update(g, state, dt);
    CHECK(r.stress.xx == Approx(stress));
    expected += dt * std::pow(std::max(0.0, stress * std::min(step, 4) / 4 - threshold), 2);
    CHECK(state.impulse == Approx(expected).epsilon(1e-12));
    CHECK(law.erodes(state) == (expected >= law.limit));
  }
  CHECK(law.erodes(state));
  CHECK(state.stress[0] == Approx(stress));
  CHECK(state.gradient[1][1] == -1e-3);
  const Spall::State before = state;
  law.update(g, state, 0);  // only asked
  CHECK(state.impulse == before.impulse);
  CHECK(state.tension[3] == before.tension[3]);
  Spall::erode(state);
  CHECK(law.update(g, state, dt).stress.xx == 0);
}

}  // namespace cleave::test
