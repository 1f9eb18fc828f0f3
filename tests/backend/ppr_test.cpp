/// The PPR law: published and independently computed numbers, its potential, energies and the history rule.
#include "cleave/material/ppr.hpp"

#include <catch2/catch.hpp>
#include <random>

#include "backend/backend.hpp"
#include "backend/device_mesh.hpp"
#include "reference/ppr.hpp"

namespace cleave::test {
namespace {

struct Set {
  double phi_n, phi_t, sigma, tau, alpha, beta;
  Ppr law() const { return Ppr::make({sigma, phi_n, alpha}, {tau, phi_t, beta}); }
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

TEST_CASE("PPR envelope", "[ppr]") {
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
    near(law.envelope_normal(v.dn, std::abs(v.dt)), v.tn);
    if (v.tt >= 0) near(law.envelope_tangential(v.dn, std::abs(v.dt)), v.tt);
  }
  // At no opening both strengths are there, whatever the parameters.
  for (const Set& s : {set_a, set_b, set_c, set_d}) {
    CHECK(s.law().envelope_normal(0, 0) == Approx(s.sigma).epsilon(1e-14));
    CHECK(s.law().envelope_tangential(0, 0) == Approx(s.tau).epsilon(1e-14));
  }
}

TEST_CASE("PPR widths", "[ppr]") {
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
    CHECK(law.envelope_normal(x, y) == Approx(expected.normal(x, y)).epsilon(1e-12));
    CHECK(law.envelope_tangential(x, y) == Approx(expected.tangential(x, y)).epsilon(1e-12));
    // Central differences: h^2 truncation and 1e-16/h rounding, both about 1e-10 of the strength.
    CHECK(std::abs((expected.potential(x + hx, y) - expected.potential(x - hx, y)) / (2 * hx) -
                   law.envelope_normal(x, y)) < 1e-8 * s.sigma);
    CHECK(std::abs((expected.potential(x, y + hy) - expected.potential(x, y - hy)) / (2 * hy) -
                   law.envelope_tangential(x, y)) < 1e-8 * s.tau);
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
  CHECK(integral([&](double x) { return law.envelope_normal(x, 0); }, law.width_n) == Approx(s.phi_n).epsilon(1e-6));
  CHECK(integral([&](double y) { return law.envelope_tangential(0, y); }, law.width_t) ==
        Approx(s.phi_t).epsilon(1e-6));
}

TEST_CASE("PPR history", "[ppr]") {
  const Ppr law = set_b.law();
  const CohesivePoint point{1e300, 1e14, 0};
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
    double history[2] = {3e-6, 2.5e-6};
    const CohesiveResponse t = law.respond(v.x, v.y, point, history);
    near(t.normal, v.tn);
    near(t.tangential, v.tt);
    near(t.recoverable, v.w);
    CHECK(history[0] == std::max(3e-6, v.x));
    CHECK(history[1] == std::max(2.5e-6, std::abs(v.y)));
  }
}

TEST_CASE("PPR on random paths is the written rule, dissipates and stays within the fracture energy", "[ppr]") {
  const Set s = GENERATE(values<Set>({set_a, set_b, set_c}));
  const unsigned seed = GENERATE(1u, 2u, 3u, 4u);
  const double stiff = GENERATE(0.3, 10., 1e300);  // cap in strengths per width, down to where the cap shows always
  const Ppr law = s.law();
  const auto expected = s.expected();
  std::mt19937 random(seed);
  CohesivePoint point;
  point.stiffness_cap = stiff < 1e300 ? stiff * s.sigma / law.width_n * 10 : 1e300;
  point.contact_stiffness = stiff < 1e300 ? (seed % 2 == 0 ? 1 : 0.1) * point.stiffness_cap : 1e14;
  point.shear_offset = stiff < 1e300 ? uniform(random, -1, 1) * s.tau / point.stiffness_cap : 0;
  double history[2] = {-1, -1};
  Ppr::start(history, point);
  CHECK(history[0] == 0);
  CHECK(history[1] == std::abs(point.shear_offset));
  reference::PprState state{0, std::abs(point.shear_offset)};

  const double phi = std::max(s.phi_n, s.phi_t);
  double x = 0, y = 0, work = 0, lost = 0, damage = 0;
  CohesiveResponse before = law.respond(0, 0, point, history);
  reference::respond(expected, state, 0, 0, point.stiffness_cap, point.contact_stiffness, point.shear_offset);
  const double stored = before.recoverable;
  for (int leg = 0; leg < 8; ++leg) {
    // Overlap stays small where contact is very stiff: only so much of a step can be integrated.
    const double to_x = uniform(random, stiff < 1e300 ? -0.05 : 0, 0.9) * law.width_n;
    const double to_y = uniform(random, -0.9, 0.9) * law.width_t;
    const double from_x = x, from_y = y;
    const int steps = 1000;
    for (int i = 1; i <= steps; ++i) {
      const double nx = from_x + (to_x - from_x) * i / steps, ny = from_y + (to_y - from_y) * i / steps;
      const CohesiveResponse t = law.respond(nx, ny, point, history);
      const auto r =
          reference::respond(expected, state, nx, ny, point.stiffness_cap, point.contact_stiffness, point.shear_offset);
      const double scale = s.sigma + s.tau;
      if (!(std::abs(t.normal - r.tn) <= 1e-12 * scale && std::abs(t.tangential - r.tt) <= 1e-12 * scale &&
            std::abs(t.recoverable - r.w) <= 1e-12 * phi && law.failed(history) == r.failed)) {
        CAPTURE(nx, ny, t.normal, r.tn, t.tangential, r.tt, t.recoverable, r.w);
        FAIL("the law left the rule");
      }
      work += 0.5 * (before.normal + t.normal) * (nx - x) + 0.5 * (before.tangential + t.tangential) * (ny - y);
      // A cap of the secant makes corners in the paths of traction, each good to a step of quadrature.
      if (!(work - t.recoverable + stored >= lost - 2e-3 * phi)) {
        CAPTURE(leg, i, work, lost, t.recoverable);
        FAIL("dissipation fell");
      }
      lost = std::max(lost, work - t.recoverable + stored);
      if (law.damage(history) < damage - 1e-12) FAIL("damage fell");
      damage = law.damage(history);
      before = t;
      x = nx;
      y = ny;
    }
  }
  CHECK(lost <= phi * 1.002 + stored);
  CHECK((damage >= -1e-12 && damage <= 1));
}

TEST_CASE("a failed point carries nothing but contact and never heals", "[ppr]") {
  const Set s = GENERATE(values<Set>({set_a, set_b, set_c}));
  const Ppr law = s.law();
  const CohesivePoint point{1e15, 1e14, 1e-9};
  double history[2];
  Ppr::start(history, point);
  CHECK_FALSE(law.failed(history));
  law.respond(1.01 * law.width_n, 1.01 * law.width_t, point, history);
  CHECK(law.failed(history));
  CHECK(law.damage(history) == 1);
  const CohesiveResponse open = law.respond(0.1 * law.width_n, -0.2 * law.width_t, point, history);
  CHECK((open.normal == 0 && open.tangential == 0 && open.recoverable == 0));
  const CohesiveResponse closed = law.respond(-1e-9, 0.2 * law.width_t, point, history);
  CHECK(closed.normal == Approx(-1e5).epsilon(1e-14));
  CHECK(closed.tangential == 0);
  CHECK(closed.recoverable == Approx(0.5 * 1e14 * 1e-18).epsilon(1e-14));
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
