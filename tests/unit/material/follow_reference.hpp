/// A cohesive law and the reference's, led along the same random path.
#pragma once

#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include "cleave/material/energy_account.hpp"
#include "reference/energy_account.hpp"

namespace cleave {

/// Numbers that set the scale of a path.
struct PathScale {
  double strength, energy, beta;  ///< Pa, J/m^2, strength in shear over that in tension
  double width;                   ///< m
  double stiffness_cap;           ///< Pa/m; contact has 0.4 of it
  double reach;                   ///< largest normal opening of a leg's end, in widths
};

/// Eight legs from a random start. Tractions, account and dissipation are the reference's to 1e-12; neither dissipation
/// nor damage falls.
template <class Law, class Reference>
void follow_reference(const Law& law, const Reference& expected, const PathScale& of, unsigned seed) {
  const double kc = of.stiffness_cap, kp = 0.4 * kc;
  std::mt19937 random(seed);
  const auto uniform = [&](double low, double high) {
    return low + (high - low) * (static_cast<double>(random()) / 4294967295.0);
  };
  const Vec2 initial{uniform(-0.5, 1) * of.strength, uniform(-1, 1) * of.beta * of.strength};
  reference::AccountedPoint at = reference::insert_point(expected, kc, kp, {initial.x, initial.y});
  const CohesivePoint point{kc, kp, law.offset(initial, kc)};
  typename Law::State state = law.start(initial, point);
  Vec2 from{0, 0}, acts = law.respond(from, point, state).traction;
  double account = -law.respond(from, point, state).stored, damage = 0;
  for (int leg = 0; leg < 8; ++leg) {
    const Vec2 start = from;
    const Vec2 end{uniform(-0.2, of.reach) * of.width, uniform(-0.375, 0.375) * of.reach * of.width};
    for (int i = 1; i <= 50; ++i) {
      const Vec2 to = start + i / 50.0 * (end - start);
      const CohesivePointStep step = step_point(law, {from, to, point}, acts, state, account);
      const reference::StepAnswer r = reference::move_point(expected, at, {to.x, to.y});
      const double largest = (1 + of.beta) * of.strength + kp * std::abs(to.x);
      const double unit = of.energy * kc * of.width / of.strength;
      if (!(std::abs(step.traction.x - r.traction.normal) <= 1e-12 * largest &&
            std::abs(step.traction.y - r.traction.tangential) <= 1e-12 * largest &&
            std::abs(account - r.account) <= 1e-12 * unit && std::abs(step.dissipated - r.dissipated) <= 1e-12 * unit &&
            law.failed(state) == r.failed)) {
        CAPTURE(leg, i, step.traction.x, r.traction.normal, step.traction.y, r.traction.tangential, account, r.account);
        FAIL("the law left the reference");
      }
      if (step.dissipated < 0 || law.damage(state) < damage) FAIL("dissipation or damage fell");
      damage = law.damage(state);
      acts = step.traction;
      from = to;
    }
  }
}

}  // namespace cleave
