/// The PPR law: published and independently computed numbers, its potential, energies and the history.
#include "cleave/material/ppr.hpp"

#include <catch2/catch.hpp>
#include <random>

#include "backend/backend.hpp"
#include "backend/device_mesh.hpp"
#include "cleave/material/energy_account.hpp"
#include "reference/energy_account.hpp"
#include "reference/ppr.hpp"

namespace cleave::test {
namespace {

struct Set {
  double phi_n, phi_t, sigma, tau, alpha, beta;
  Ppr law() const { return Ppr::make({{sigma, phi_n, alpha}, {tau, phi_t, beta}}); }
  reference::PprLaw expected() const { return {phi_n, phi_t, sigma, tau, alpha, beta}; }
};
const Set set_a{352, 352, 324e6, 324e6, 2, 2}, set_b{100, 200, 40e6, 30e6, 5, 1.3}, set_c{200, 100, 40e6, 30e6, 2, 3},
    set_d{2000, 2000, 850e6, 850e6, 2, 2};

/// Relative difference to a number printed with 12 digits.
void near(double value, double expected) {
  if (expected == 0)
    CHECK(value == 0);
  else
    CHECK(std::abs(value / expected - 1) < 1.2e-11);
}

}  // namespace

TEST_CASE("PPR envelope has the known tractions", "[ppr]") {
  const struct {
    Set set;
    double dn, dt, tn, tt;
  } vectors[] = {{set_a, 0, 0, 324000000, -1},
                 {set_a, 5e-7, 0, 249443181.818, -1},
                 {set_a, 5e-7, -8e-7, 99576275.1221, 121336198.553},
                 {set_a, 2.0e-6, 2.1e-6, 28962.7013289, 68725.0540008},
                 {set_b, 1e-6, 2e-6, 12093092.3458, 18275841.6195},
                 {set_b, 4e-6, -3e-6, 1293088.04119, 3839798.99206},
                 {set_c, 1e-6, 2e-6, 18432000, 11904000},
                 {set_c, 2.5e-6, -4e-6, 6480000, 1350000},
                 {set_c, 6e-6, 1e-6, 11664000, 0},
                 {set_d, 1.5e-6, 2.5e-6, 127235412.598, 184915466.309}};
  for (const auto& v : vectors) {
    CAPTURE(v.set.phi_n, v.set.phi_t, v.dn, v.dt);
    const Ppr law = v.set.law();
    near(law.envelope(v.dn, std::abs(v.dt)).normal, v.tn);
    if (v.tt >= 0) near(law.envelope(v.dn, std::abs(v.dt)).tangential, v.tt);
  }
  // At no opening both strengths are there, whatever the parameters.
  for (const Set& s : {set_a, set_b, set_c, set_d}) {
    CHECK(s.law().envelope(0, 0).normal == Approx(s.sigma).epsilon(1e-14));
    CHECK(s.law().envelope(0, 0).tangential == Approx(s.tau).epsilon(1e-14));
  }
}

TEST_CASE("PPR widths have the known values", "[ppr]") {
  near(set_a.law().width_n, 2.17283950617e-6);
  near(set_a.law().width_t, 2.17283950617e-6);
  near(set_b.law().width_n, 1.25e-5);
  near(set_b.law().width_t, 8.66666666667e-6);
  near(set_b.law().conjugate_t, 3.58167133998e-6);
  near(set_c.law().width_n, 1e-5);
  near(set_c.law().width_t, 1e-5);
  near(set_c.law().conjugate_n, 2.92893218813e-6);
  // The other conjugate width is the final width.
  near(set_b.law().conjugate_n, set_b.law().width_n);
  near(set_c.law().conjugate_t, set_c.law().width_t);
}

TEST_CASE("PPR tractions are the gradient of its potential and carry the fracture energies", "[ppr]") {
  const Set s = GENERATE(values<Set>({set_a, set_b, set_c, {30, 30, 5e6, 9e6, 1.6, 4}}));
  const Ppr law = s.law();
  const auto expected = s.expected();
  std::mt19937 random(3);
  for (int i = 0; i < 200; ++i) {
    const double x = uniform(random, 0.01, 0.95) * law.conjugate_n, y = uniform(random, 0.01, 0.95) * law.conjugate_t;
    const double hx = 1e-5 * law.width_n, hy = 1e-5 * law.width_t;
    CHECK(law.envelope(x, y).normal == Approx(expected.normal(x, y)).epsilon(1e-12));
    CHECK(law.envelope(x, y).tangential == Approx(expected.tangential(x, y)).epsilon(1e-12));
    // Central differences: h^2 truncation and 1e-16/h rounding, both about 1e-10 of the strength.
    CHECK(std::abs((expected.potential(x + hx, y) - expected.potential(x - hx, y)) / (2 * hx) -
                   law.envelope(x, y).normal) < 1e-8 * s.sigma);
    CHECK(std::abs((expected.potential(x, y + hy) - expected.potential(x, y - hy)) / (2 * hy) -
                   law.envelope(x, y).tangential) < 1e-8 * s.tau);
  }
  // Simpson's rule; the end point of a curve with exponent below 2 has a steep end, hence the loose bound.
  const auto integral = [](auto f, double end) {
    const int n = 20000;
    double sum = 0;
    for (int i = 0; i < n; ++i) {
      const double a = end * i / n, b = end * (i + 1) / n;
      sum += (f(a) + 4 * f((a + b) / 2) + f(b)) * (b - a) / 6;
    }
    return sum;
  };
  CHECK(integral([&](double x) { return law.envelope(x, 0).normal; }, law.width_n) == Approx(s.phi_n).epsilon(1e-6));
  CHECK(integral([&](double y) { return law.envelope(0, y).tangential; }, law.width_t) ==
        Approx(s.phi_t).epsilon(1e-6));
}

TEST_CASE("PPR unloads to the origin and never heals", "[ppr]") {
  const Ppr law = set_b.law();
  const CohesivePoint point{1e300, 1e14, {0, 0}};
  const double contact = 0.5 * 1e14 * 1e-8 * 1e-8;  // the written energy counts the overlap in; 1.3736... is without it
  const struct {
    double x, y, tn, tt, w;
  } vectors[] = {{1e-6, 1e-6, 1267562.14091, 2747316.67149, 2.0074394062},
                 {3e-6, -2.5e-6, 3802686.42274, -6868291.67873, 14.2893942325},
                 {-1e-8, 1e-6, -1000000, 2747316.67149, 1.37365833575 + contact},
                 {3.5e-6, 1e-6, 3063134.95073, 2096540.43248, 6.40875638002},
                 {1e-6, 4e-6, 0, 6317359.9448, 12.6347198896}};
  for (const auto& v : vectors) {
    CAPTURE(v.x, v.y);
    Ppr::State state = law.start({0, 0}, point);
    CHECK(lead(law, {3e-6, 2.5e-6}, point, state));
    const bool larger = v.x > 3e-6 || std::abs(v.y) > 2.5e-6;
    CHECK(lead(law, {v.x, v.y}, point, state) == larger);
    const CohesiveResponse t = law.respond({v.x, v.y}, point, state);
    near(t.traction.x, v.tn);
    near(t.traction.y, v.tt);
    near(t.stored, v.w);
    CHECK(state.largest_normal == std::max(3e-6, v.x));
    CHECK(state.largest_tangential == std::max(2.5e-6, std::abs(v.y)));
  }
}

TEST_CASE("PPR agrees with the reference on random paths, and damage never falls", "[ppr]") {
  const Set s = GENERATE(values<Set>({set_a, set_b, set_c}));
  const unsigned seed = GENERATE(1u, 2u, 3u, 4u);
  const double stiff = GENERATE(3., 100.);  // cap in strengths per width, down to where the cap shows always
  const Ppr law = s.law();
  const reference::PprCohesive expected(s.expected());
  std::mt19937 random(seed);
  const double kc = stiff * s.sigma / law.width_n, kp = (seed % 2 == 0 ? 1 : 0.1) * kc;
  const Vec2 initial{uniform(random, -0.5, 1.2) * s.sigma, uniform(random, -1.2, 1.2) * s.tau};
  reference::AccountedPoint at = reference::insert_point(expected, kc, kp, {initial.x, initial.y});
  const CohesivePoint point{kc, kp, law.offset(initial, kc)};
  Ppr::State state = law.start(initial, point);
  CHECK(point.offset.x == Approx(at.constants.offset.normal).epsilon(1e-14).margin(1e-30));
  CHECK(point.offset.y == Approx(at.constants.offset.tangential).epsilon(1e-14));
  const double phi = std::max(s.phi_n, s.phi_t), scale = s.sigma + s.tau;
  Vec2 from{0, 0}, acts = law.respond(from, point, state).traction;
  double account = -law.respond(from, point, state).stored, damage = law.damage(state);
  for (int leg = 0; leg < 8; ++leg) {
    const Vec2 start = from;
    const Vec2 end{uniform(random, -0.05, 0.9) * law.width_n, uniform(random, -0.9, 0.9) * law.width_t};
    const int steps = 50;
    for (int i = 1; i <= steps; ++i) {
      const Vec2 to = start + static_cast<double>(i) / steps * (end - start);
      const CohesivePointStep step = step_point(law, {from, to, point}, acts, state, account);
      const reference::StepAnswer r = reference::move_point(expected, at, {to.x, to.y});
      const double largest = scale + kp * std::abs(to.x);
      if (!(std::abs(step.traction.x - r.traction.normal) <= 1e-12 * largest &&
            std::abs(step.traction.y - r.traction.tangential) <= 1e-12 * largest &&
            std::abs(account - r.account) <= 1e-12 * phi * stiff &&
            std::abs(step.dissipated - r.dissipated) <= 1e-12 * phi * stiff && law.failed(state) == r.failed)) {
        CAPTURE(leg, i, step.traction.x, r.traction.normal, step.traction.y, r.traction.tangential, account, r.account);
        FAIL("the law left the reference");
      }
      if (step.dissipated < 0 || law.damage(state) < damage - 1e-12) FAIL("dissipation or damage fell");
      damage = law.damage(state);
      acts = step.traction;
      from = to;
    }
  }
  CHECK((damage >= -1e-12 && damage <= 1));
}

TEST_CASE("a failed point carries nothing but contact and never heals", "[ppr]") {
  const Set s = GENERATE(values<Set>({set_a, set_b, set_c}));
  const Ppr law = s.law();
  const CohesivePoint point{1e15, 1e14, {0, 1e-9}};
  Ppr::State state = law.start({0, 1e6}, point);
  CHECK_FALSE(law.failed(state));
  lead(law, {1.01 * law.width_n, 1.01 * law.width_t}, point, state);
  CHECK(law.failed(state));
  CHECK(law.damage(state) == 1);
  // In one mode alone, too: the other opening is still zero.
  Ppr::State straight = law.start({0, 0}, {1e15, 1e14, {0, 0}});
  lead(law, {1.01 * law.width_n, 0}, {1e15, 1e14, {0, 0}}, straight);
  const bool other_lives = law.envelope(1.01 * law.width_n, 0).tangential > 0;
  CHECK(law.failed(straight) != other_lives);
  const CohesiveResponse open = law.respond({0.1 * law.width_n, -0.2 * law.width_t}, point, state);
  CHECK((open.traction.x == 0 && open.traction.y == 0 && open.stored == 0));
  const CohesiveResponse closed = law.respond({-1e-9, 0.2 * law.width_t}, point, state);
  CHECK(closed.traction.x == Approx(-1e5).epsilon(1e-14));
  CHECK(closed.traction.y == 0);
  CHECK(closed.stored == Approx(0.5 * 1e14 * 1e-18).epsilon(1e-14));
}

TEST_CASE("whole powers round as products", "[ppr]") {
  for (const double b : {0., 0.1, 0.7, 1.}) {
    CHECK(power(b, 1) == b);
    CHECK(power(b, 2) == b * b);
    CHECK(power(b, 3) == b * b * b);
    CHECK(power(b, 4) == Approx(std::pow(b, 4)).epsilon(1e-15));
    CHECK(power(b, 1.3) == std::pow(b, 1.3));
  }
}

}  // namespace cleave::test
