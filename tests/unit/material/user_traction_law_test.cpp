/// The traction law of user_example.hpp: its strength at a steady speed, its work, and that pieces of a step agree.
#include <catch2/catch.hpp>
#include <cmath>

#include "cleave/material/energy_account.hpp"
#include "laws/user_example.hpp"

namespace cleave {
namespace {

constexpr double strength = 1e6, energy = 100, length = energy / strength, cap = 1e15, reference = 1e-3;

struct Opened {
  double work = 0, dissipated = 0, account = 0;
  double largest = 0;  // traction of the law itself: what acts also settles the account
  bool failed = false;
};
/// Opens a point at a steady speed until nothing is left.
Opened open_at(double speed, double factor, double step) {
  const RateExponential law =
      RateExponential::make({{strength, energy, 2}, {strength, energy, 2}, {factor, reference}}, step);
  const CohesivePoint point{cap, 1e14, law.offset({strength, 0}, cap)};
  RateExponential::State state = law.start({strength, 0}, point);
  Vec2 from{}, acts = law.respond({}, point, state).traction;
  Opened sum;
  sum.account = -law.respond({}, point, state).stored;
  const auto steps = static_cast<long>(8 * length / (speed * step));
  for (long i = 1; i <= steps; ++i) {
    const Vec2 to{static_cast<double>(i) * speed * step, 0};
    const CohesivePointStep now = step_point(law, {from, to, point}, acts, state, sum.account);
    sum.work += 0.5 * dot(acts + now.traction, to - from);
    sum.dissipated += now.dissipated;
    sum.largest = std::max(sum.largest, law.respond(to, point, state).traction.x);
    acts = now.traction;
    from = to;
  }
  sum.failed = law.failed(state);
  return sum;
}

}  // namespace

TEST_CASE("the example's traction law dissipates s times the fracture energy at a steady speed") {
  const double step = 1e-8;
  // s = 1 + 0.05 ln(1 + 1000) = 1.345437738965; what is cut off behind 7 lengths is exp(-7) of it.
  const double left = 1 - std::exp(-7.0);
  const Opened fast = open_at(1000 * reference, 0.05, step), none = open_at(1000 * reference, 0, step);
  CHECK(none.failed);
  CHECK(fast.failed);
  CHECK(none.dissipated == Approx(energy * left).epsilon(1e-4));
  CHECK(fast.dissipated == Approx(1.345437738965 * energy * left).epsilon(1e-4));
  CHECK(fast.dissipated / energy == Approx(1.345).epsilon(1e-3));
  CHECK(fast.largest == Approx(1.345437738965 * strength).epsilon(2e-4));
  CHECK(fast.work == Approx(fast.dissipated + fast.account).epsilon(1e-11));
  // Half the step, the same speed: the same work.
  CHECK(open_at(1000 * reference, 0.05, step / 2).dissipated == Approx(fast.dissipated).epsilon(1e-4));
}

TEST_CASE("the example's traction law does not heal and ignores the closing speed") {
  const double step = 1e-9;
  const RateExponential law =
      RateExponential::make({{strength, energy, 2}, {strength, energy, 2}, {0.2, reference}}, step);
  const CohesivePoint point{1e12, 1e11, law.offset({0.8 * strength, 0.6 * strength}, 1e12)};
  RateExponential::State state = law.start({0.8 * strength, 0.6 * strength}, point);
  CHECK(law.respond({}, point, state).traction.x == Approx(0.8 * strength).epsilon(1e-14));
  CHECK(law.respond({}, point, state).traction.y == Approx(0.6 * strength).epsilon(1e-14));
  law.begin({0, 0}, {length, 0}, state);
  CHECK(lead(law, {length, 0}, point, state));
  const double stiffness = state.stiffness, damage = law.damage(state);
  for (const double back : {0.7 * length, 0.1 * length, 0.99 * length}) {
    law.begin({length, 0}, {back, 0}, state);
    CHECK_FALSE(lead(law, {back, 0}, point, state));
    CHECK(state.stiffness == stiffness);
    CHECK(law.damage(state) == damage);
  }
  CHECK(law.respond({-2 * length, 0}, point, state).traction.x < 0);
}

}  // namespace cleave
