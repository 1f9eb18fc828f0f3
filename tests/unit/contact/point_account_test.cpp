/// Law of a contact point: numbers worked out by hand, the balance of every step, and a long run between two walls.
#include "terms/contact/point_account.hpp"

#include <catch2/catch.hpp>
#include <random>

namespace cleave::test {
namespace {

/// A point on a line, led by the test. The work of its forces is added up from outside.
struct LedPoint {
  PointState state{};
  PointForces acted{};
  double work = 0, heat = 0;

  PointForces lead(PointMotion motion, double friction, double stiffness = 0) {
    motion.taken = -0.5 * acted.normal * motion.parting + 0.5 * acted.friction * motion.slip;
    if (stiffness > 0) begin_contact(state, stiffness, motion);
    const PointForces now = step_point_state(state, motion, friction);
    work += -0.5 * (acted.normal + now.normal) * motion.parting + 0.5 * (acted.friction + now.friction) * motion.slip;
    heat += now.dissipated;
    return acted = now;
  }
};

void check_step(const PointForces& forces, double normal, double friction, double booked, double dissipated) {
  CHECK(forces.normal == Approx(normal).epsilon(1e-13).margin(1e-15));
  CHECK(forces.friction == Approx(friction).epsilon(1e-13).margin(1e-15));
  CHECK(forces.booked == Approx(booked).epsilon(1e-13).margin(1e-15));
  CHECK(forces.dissipated == Approx(dissipated).epsilon(1e-13).margin(1e-15));
}

}  // namespace

TEST_CASE("a contact point comes, sticks, leaves and settles by the numbers worked out by hand", "[contact]") {
  LedPoint point;
  check_step(point.lead({.depth = 0.1, .parting = -0.2, .touching = true}, 0.5, 8), 0.8, 0, 0.08, 0);
  CHECK(point.state.account == Approx(0.04));  // all of it is the reserve
  check_step(point.lead({.depth = 0.2, .parting = -0.1, .slip = 0.1, .touching = true}, 0.5), 1.5, 0.2, 0.125, 0);
  CHECK(point.state.account == Approx(0.035));  // the extra force is at its limit
  check_step(point.lead({.depth = -0.05, .parting = 0.25, .slip = 0.1, .settling = true}, 0.5), 0.03, 0, -0.18125,
             0.02);
  CHECK(point.state.account == Approx(0.00375));
  CHECK(point.state.closing == 0);
  CHECK(point.state.stretch == 0);
  check_step(point.lead({.depth = -0.15, .parting = 0.1, .settling = true}, 0.5), 0.0225, 0, -0.002625, 0);
  check_step(point.lead({.depth = -0.14, .parting = -0.01, .settling = true}, 0.5), 0, 0, 0.0001125, 0);
  check_step(point.lead({.depth = -5, .parting = 4.86}, 0.5), 0, 0, 0, 0);
  CHECK(point.state.account == Approx(0.0012375));  // stays with the point
}

TEST_CASE("a contact point slides at Coulomb's limit of the whole normal force", "[contact]") {
  LedPoint point;
  point.lead({.depth = 0.1, .parting = -0.1, .touching = true}, 0.25, 8);
  // N 0.8 and nothing to settle: the limit is 0.2, the spring of 2 reaches it at 0.1.
  point.state.account = 0;
  check_step(point.lead({.depth = 0.1, .slip = 0.3, .touching = true}, 0.25), 0.8, 0.2, 0.03, 0.02);
  check_step(point.lead({.depth = 0.1, .slip = 0.3, .touching = true}, 0.25), 0.8, 0.2, 0.06, 0.06);
  check_step(point.lead({.depth = 0.1, .slip = -0.15, .touching = true}, 0.25), 0.8, -0.1, -0.0075, 0);
  check_step(point.lead({.depth = 0.1, .slip = -0.15, .touching = true}, 0.25), 0.8, -0.2, 0.0225, 0.015);
}

TEST_CASE("an overlap that no work has paid for shrinks with the depth and makes no force", "[contact]") {
  LedPoint point;
  check_step(point.lead({.depth = 0.3, .parting = -0.1, .touching = true}, 0, 8), 0.8, 0, 0.04, 0);
  CHECK(point.state.allowance == Approx(0.2));
  point = {};
  check_step(point.lead({.depth = 0.3, .parting = 0.1, .touching = true}, 0, 8), 0, 0, 0, 0);
  CHECK(point.state.allowance == Approx(0.3));
  check_step(point.lead({.depth = 0.1, .parting = 0.2, .touching = true}, 0), 0, 0, 0, 0);
  CHECK(point.state.allowance == Approx(0.1));
  check_step(point.lead({.depth = 0.15, .parting = -0.05, .touching = true}, 0), 0.4, 0, 0.01, 0);
  CHECK(point.state.allowance == Approx(0.1));
}

TEST_CASE("a point without contact so far has no forces", "[contact]") {
  LedPoint point;
  check_step(point.lead({.depth = -0.1, .parting = 0.1, .slip = 0.2, .settling = true}, 0.5), 0, 0, 0, 0);
  CHECK(point.state.energy() == 0);
}

TEST_CASE("a point that becomes softer keeps its energy", "[contact]") {
  LedPoint point;
  point.lead({.depth = 0.1, .parting = -0.1, .touching = true}, 0.5, 8);
  point.lead({.depth = 0.2, .parting = -0.1, .slip = 0.05, .touching = true}, 0.5);
  const double energy = point.state.energy();
  soften_contact(point.state, 9);
  CHECK(point.state.stiffness == 8);
  soften_contact(point.state, 2);
  CHECK(point.state.stiffness == 2);
  CHECK(point.state.normal_energy() == Approx(0.04));
  CHECK(point.state.energy() == Approx(energy).epsilon(1e-14));
}

TEST_CASE("a point takes over from another law without a jump of force and energy", "[contact]") {
  // The other law is such a point, too, without an allowance; this one sees the same motion 0.3 deeper, or less deep.
  const double offset = GENERATE(0.3, -0.1), friction = 0.4;
  LedPoint other, point;
  other.lead({.depth = 0.1, .parting = -0.2, .touching = true}, friction, 8);
  other.lead({.depth = 0.25, .parting = -0.15, .slip = 0.02, .touching = true}, friction);
  PointMotion motion{.depth = 0.2, .parting = 0.05, .slip = 0.03, .touching = true};
  const double taken = -0.5 * other.acted.normal * motion.parting + 0.5 * other.acted.friction * motion.slip;
  take_over_contact(point.state, 8, motion.depth + offset, motion.depth, other.state.stretch,
                    other.state.energy() + taken);
  const PointForces would_be = other.lead(motion, friction);
  motion.depth += offset;
  const PointForces now = point.lead(motion, friction);
  CHECK(point.state.allowance == Approx(offset));
  CHECK(now.normal == Approx(would_be.normal).epsilon(1e-13));
  CHECK(now.friction == Approx(would_be.friction).epsilon(1e-13));
  CHECK(now.dissipated == Approx(would_be.dissipated).margin(1e-15));
  CHECK(point.state.energy() == Approx(other.state.energy()).epsilon(1e-13));
}

TEST_CASE("booked work is the change of energy and account, and heat", "[contact]") {
  std::mt19937 random(3);
  const auto uniform = [&](double low, double high) { return std::uniform_real_distribution<>(low, high)(random); };
  double worst = 0, most = 0, booked = 0;
  LedPoint point;
  bool touching = false;
  for (int step = 0; step < 100000; ++step) {
    PointMotion motion{.depth = uniform(-0.5, 1), .parting = uniform(-1, 1), .slip = uniform(-1, 1)};
    motion.touching = motion.depth >= 0;
    motion.settling = motion.depth < 0 && motion.depth > -0.25;
    const bool begins = motion.touching && (!touching || uniform(0, 1) < 0.1);  // or goes from body to body
    if (begins) motion.slip = 0;
    booked += point.lead(motion, uniform(0, 1), begins ? uniform(0.5, 2) : 0).booked;
    touching = motion.touching;
    most = std::max({most, std::abs(point.work), std::abs(point.state.energy()), point.heat});
    worst = std::max(worst, std::abs(point.work - point.state.energy() - point.heat));
    CHECK(point.acted.dissipated >= 0);
  }
  CHECK(most > 100);
  CHECK(worst < 1e-13 * most);
  CHECK(std::abs(booked - point.work) < 1e-12 * most);
}

TEST_CASE("a mass between two walls keeps its energy", "[contact]") {
  for (const double omega_dt : {0.03, 0.2, 0.5, 0.9}) {
    CAPTURE(omega_dt);
    const double stiffness = omega_dt * omega_dt, width = 7 + omega_dt, start = 0.1 / std::sqrt(2);
    LedPoint wall[2];
    double x = 1, v = start, largest = 0, last = 0;
    int hits = 0;
    for (int step = 0; step < 200000; ++step) {
      x += v;
      double force = 0;
      for (int side = 0; side < 2; ++side) {
        const double depth = side == 0 ? -x : x - width;
        const bool begins = depth >= 0 && wall[side].state.closing == 0;
        hits += begins;
        const PointForces f = wall[side].lead({.depth = depth,
                                               .parting = side == 0 ? v : -v,
                                               .touching = depth >= 0,
                                               .settling = depth < 0 && depth > -2},
                                              0, begins ? stiffness : 0);
        force += side == 0 ? f.normal : -f.normal;
      }
      v += force;
      if (force != 0) continue;
      last = v * v;
      largest = std::max(largest, last);
    }
    CHECK(hits > 500);
    CHECK(largest < (1 + 1e-11) * start * start);
    CHECK(last == Approx(start * start).epsilon(1e-11));
  }
}

}  // namespace cleave::test
