/// Materials at one point: closed forms, energies, and what must hold of any law.
#include "cleave/material/material_laws.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <random>

#include "laws/user_example.hpp"

namespace cleave {
namespace {

MaterialCase elastic(const char* law, double e, double nu, PlaneType plane = PlaneType::strain) {
  return {law, {e, nu, 1000, plane}, {}, {}};
}
MaterialCase metal(PlaneType plane, double linear = 0) {
  MaterialCase c = elastic("j2", 210e9, 0.3, plane);
  c.values = {400e6};
  c.hardening.linear = linear;
  return c;
}
double von_mises(const Response& r) {
  const auto& s = r.stress;
  const double a = s.xx - s.yy, b = s.yy - r.across, c = r.across - s.xx;
  return std::sqrt(0.5 * (a * a + b * b + c * c) + 3 * s.xy * s.xy);
}
/// Work of the stresses between two gradients by the trapezoidal rule, J/m^3.
double work(const Response& a, const Response& b, const Gradient& from, const Gradient& to) {
  return 0.5 * ((a.stress.xx + b.stress.xx) * (to.xx - from.xx) + (a.stress.xy + b.stress.xy) * (to.xy - from.xy) +
                (a.stress.yx + b.stress.yx) * (to.yx - from.yx) + (a.stress.yy + b.stress.yy) * (to.yy - from.yy));
}
Gradient random_gradient(std::mt19937& engine, double size) {
  std::uniform_real_distribution<double> any(-size, size);
  return {any(engine), any(engine), any(engine), any(engine)};
}
Gradient turned(double angle) { return {std::cos(angle) - 1, -std::sin(angle), std::sin(angle), std::cos(angle) - 1}; }
/// F of a then b: (I + b)(I + a) - I.
Gradient then(const Gradient& a, const Gradient& b) {
  return {a.xx + b.xx + b.xx * a.xx + b.xy * a.yx, a.xy + b.xy + b.xx * a.xy + b.xy * a.yy,
          a.yx + b.yx + b.yx * a.xx + b.yy * a.yx, a.yy + b.yy + b.yx * a.xy + b.yy * a.yy};
}

/// Stored and dissipated energy on a random walk are the work of the stress.
/// @param steady  part of the gradient that grows from step to step
template <class Material>
void check_ledger(const MaterialCase& c, double size, double dt, const Gradient& steady = {}) {
  std::mt19937 engine(3);
  const Material material = Material::make(c);
  typename Material::State state{};
  Gradient at{};
  Response before = material.update(at, state, dt);
  double done = 0, dissipated = 0, largest = 0;
  for (int i = 0; i < 2000; ++i) {
    const Gradient jump = random_gradient(engine, size);
    const double grown = i / 2000.0;
    const Gradient to{jump.xx + grown * steady.xx, jump.xy + grown * steady.xy, jump.yx + grown * steady.yx,
                      jump.yy + grown * steady.yy};
    const Response after = material.update(to, state, dt);
    done += work(before, after, at, to);
    dissipated += after.dissipated;
    largest = std::max({largest, std::abs(done), after.stored});
    REQUIRE(std::abs(done - after.stored - dissipated) < 1e-12 * largest);
    before = after;
    at = to;
  }
  CHECK(dissipated > 0.1 * largest);
}

/// The stress is the derivative of the stored energy, turns change neither, and small strains are linear elasticity.
template <class Material>
void check_hyperelastic(const MaterialCase& c) {
  std::mt19937 engine(5);
  const Material material = Material::make(c);
  typename Material::State none{};
  const double scale = c.parameters.young_modulus;
  for (int i = 0; i < 200; ++i) {
    const Gradient g = random_gradient(engine, 0.2);
    const Response r = material.update(g, none, 0);
    const double h = 1e-6;
    const double slope[4] = {r.stress.xx, r.stress.xy, r.stress.yx, r.stress.yy};
    for (int k = 0; k < 4; ++k) {
      Gradient up = g, down = g;
      Real* const ups[] = {&up.xx, &up.xy, &up.yx, &up.yy};
      Real* const downs[] = {&down.xx, &down.xy, &down.yx, &down.yy};
      *ups[k] += h;
      *downs[k] -= h;
      const double expected = (material.update(up, none, 0).stored - material.update(down, none, 0).stored) / (2 * h);
      CHECK(std::abs(slope[k] - expected) < 1e-8 * scale);
    }
    const double angle = 0.1 * i;
    const Gradient later = then(g, turned(angle));
    const Response t = material.update(later, none, 0);
    CHECK(std::abs(t.stored - r.stored) < 1e-13 * scale);
    const Sym2 s = cauchy_stress(r.stress, g), now = cauchy_stress(t.stress, later);
    CHECK(std::abs(now.xx + now.yy - s.xx - s.yy) < 1e-12 * scale);
    CHECK(std::abs(t.across - r.across) < 1e-12 * scale);
    const double cosine = std::cos(angle), sine = std::sin(angle);
    CHECK(std::abs(now.xx - (cosine * cosine * s.xx - 2 * cosine * sine * s.xy + sine * sine * s.yy)) < 1e-12 * scale);

    const Gradient small = random_gradient(engine, 1e-7);
    LinearElastic::State no_state;
    const Response linear = LinearElastic::make(c).update(small, no_state, 0), same = material.update(small, none, 0);
    CHECK(std::abs(same.stress.xx - linear.stress.xx) < 1e-6 * 1e-7 * scale * 10);
    CHECK(std::abs(same.stress.xy - linear.stress.xy) < 1e-6 * 1e-7 * scale * 10);
    CHECK(std::abs(same.across - linear.across) < 1e-6 * 1e-7 * scale * 10);
  }
}

/// A bar that hardens in proportion to its accumulated plastic strain, in closed form (J. C. Simo, T. J. R. Hughes,
/// Computational Inelasticity, 1998, section 1.4): beyond yield its stress grows with E H / (E + H), of its strain
/// E / (E + H) is plastic.
struct HardeningBar {
  double e, y, h;  // Pa
  double strain = 0, stress = 0, plastic = 0, accumulated = 0;

  double yield() const { return y + h * accumulated; }
  /// The strain at which it flows if it is led upwards, way = 1, or downwards, -1.
  double yields_at(double way) const { return strain + way * (yield() - way * stress) / e; }
  HardeningBar led_to(double to) const {
    HardeningBar b = *this;
    const double way = to > strain ? 1 : -1, beyond = std::max(0.0, way * (to - yields_at(way)));
    b.strain = to;
    b.accumulated += e / (e + h) * beyond;
    b.plastic += way * e / (e + h) * beyond;
    b.stress = beyond > 0 ? way * (yield() + e * h / (e + h) * beyond) : stress + e * (to - strain);
    return b;
  }
  /// The integral of (Y + H alpha) d alpha, J/m^3.
  double dissipated() const { return accumulated * (y + 0.5 * h * accumulated); }
};

}  // namespace

TEST_CASE("laws are found by name", "[material]") {
  CHECK(MaterialLaws::find("linear_elastic") == 0);
  CHECK(MaterialLaws::names().at(MaterialLaws::find("j2")) == "j2");
  CHECK(MaterialLaws::find("jelly") == -1);
  CHECK(MaterialLaws::is_finite("neo_hookean"));
  CHECK(!MaterialLaws::is_finite("j2"));
}

TEST_CASE("St. Venant-Kirchhoff has the stress of a stretch along x", "[material]") {
  const double e = 1e9, nu = 0.3, lambda = e * nu / ((1 + nu) * (1 - 2 * nu)), mu = e / (2 * (1 + nu));
  const StVenantKirchhoff material = StVenantKirchhoff::make(elastic("st_venant_kirchhoff", e, nu));
  StVenantKirchhoff::State none;
  for (const double stretch : {0.8, 0.99, 1.001, 1.5}) {
    const Response r = material.update({stretch - 1, 0, 0, 0}, none, 0);
    const double green = 0.5 * (stretch * stretch - 1);
    CHECK(r.stress.xx == Approx(stretch * (lambda + 2 * mu) * green).epsilon(1e-12));
    CHECK(r.stress.yy == Approx(lambda * green).epsilon(1e-12));
    CHECK(r.stress.xy == 0);
    CHECK(r.stored == Approx(0.5 * (lambda + 2 * mu) * green * green).epsilon(1e-12));
    CHECK(r.across == Approx(lambda * green / stretch).epsilon(1e-12));
  }
}

TEST_CASE("Cauchy's stress of St. Venant-Kirchhoff in plane stress is per present thickness", "[material]") {
  const double e = 2e9, nu = 0.3, lambda = e * nu / ((1 + nu) * (1 - 2 * nu)), mu = e / (2 * (1 + nu));
  const StVenantKirchhoff material = StVenantKirchhoff::make(elastic("st_venant_kirchhoff", e, nu, PlaneType::stress));
  StVenantKirchhoff::State none;
  const auto cauchy = [&](const Gradient& g) { return true_stress<StVenantKirchhoff>(material.update(g, none, 0), g); };
  CHECK(cauchy({0.15, 0, 0, 0}).xx == Approx(439.0e6).margin(0.05e6));  // with the reference thickness 407.6 MPa
  std::mt19937 engine(11);
  for (int i = 0; i < 200; ++i) {
    const Gradient g = random_gradient(engine, 0.2);
    const double fxx = 1 + g.xx, fyy = 1 + g.yy, fzz = material.update(g, none, 0).thickness_ratio;
    // The law in space, with that stretch across the plane: the face has no stress, and S goes to F S F^T / J.
    const double xx = 0.5 * (fxx * fxx + g.yx * g.yx - 1), yy = 0.5 * (g.xy * g.xy + fyy * fyy - 1);
    const double xy = 0.5 * (fxx * g.xy + g.yx * fyy), zz = 0.5 * (fzz * fzz - 1), trace = lambda * (xx + yy + zz);
    const double sxx = trace + 2 * mu * xx, syy = trace + 2 * mu * yy, sxy = 2 * mu * xy;
    const double volume = (fxx * fyy - g.xy * g.yx) * fzz;
    const Sym2 s = cauchy(g);
    CHECK(std::abs(trace + 2 * mu * zz) < 1e-14 * e);
    CHECK(std::abs(s.xx - (fxx * fxx * sxx + 2 * fxx * g.xy * sxy + g.xy * g.xy * syy) / volume) < 1e-13 * e);
    CHECK(std::abs(s.yy - (g.yx * g.yx * sxx + 2 * g.yx * fyy * sxy + fyy * fyy * syy) / volume) < 1e-13 * e);
    CHECK(std::abs(s.xy - (fxx * g.yx * sxx + (fxx * fyy + g.xy * g.yx) * sxy + g.xy * fyy * syy) / volume) <
          1e-13 * e);
  }
  CHECK(material.update({0.4, 0, 0, 0.4}, none, 0).thickness_ratio > 0.4);
  CHECK(material.update({0.5, 0, 0, 0.5}, none, 0).thickness_ratio == 0);  // the law has no thickness left
}

TEST_CASE("neo-Hookean has the stresses of a stretch along x and of shear", "[material]") {
  const double e = 1e9, nu = 0.3, lambda = e * nu / ((1 + nu) * (1 - 2 * nu)), mu = e / (2 * (1 + nu));
  const NeoHookean material = NeoHookean::make(elastic("neo_hookean", e, nu));
  NeoHookean::State none;
  for (const double stretch : {0.1, 0.8, 0.99, 1.001, 1.5, 5.0}) {
    const Response r = material.update({stretch - 1, 0, 0, 0}, none, 0);
    const double longer = stretch - 1, log = std::log1p(longer);
    CHECK(r.stress.xx == Approx(mu * (stretch - 1 / stretch) + lambda * log / stretch).epsilon(1e-12));
    CHECK(r.stress.yy == Approx(lambda * log).epsilon(1e-12));
    const double stored = mu * (0.5 * longer * longer + (longer - log)) + 0.5 * lambda * log * log;
    CHECK(r.stored == Approx(stored).epsilon(1e-12));
    CHECK(r.across == Approx(lambda * log / stretch).epsilon(1e-12));
  }
  // Simple shear keeps the volume: Cauchy's shear stress is mu times the shear.
  const Gradient sheared{0, 0.4, 0, 0};
  CHECK(cauchy_stress(material.update(sheared, none, 0).stress, sheared).xy == Approx(0.4 * mu).epsilon(1e-12));
}

TEST_CASE("neo-Hookean has no stress at gradients at which a run fails", "[material]") {
  const NeoHookean material = NeoHookean::make(elastic("neo_hookean", 1e9, 0.3));
  NeoHookean::State none;
  const double infinite = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  for (const double bad : {infinite, -infinite, nan, -1.0, -2.0, 1e40})
    CHECK(material.update({bad, 0, 0, 0}, none, 0).stress.xx == 0);
}

TEST_CASE("the logarithm is accurate to a few roundings", "[material]") {
  for (double d = -0.999; d < 30; d += 0.0137)
    CHECK(std::abs(log_one_plus(d) - std::log1p(d)) <= 4e-16 * std::abs(std::log1p(d)) + 3e-16 * (std::abs(d) > 0.29));
  for (double d = 1e-15; d < 1e-3; d *= 3) CHECK(std::abs(log_one_plus(d) / std::log1p(d) - 1) < 5e-16);
}

TEST_CASE("hyperelastic stresses are derivatives of their energy and turn with the body", "[material]") {
  check_hyperelastic<StVenantKirchhoff>(elastic("st_venant_kirchhoff", 1e9, 0.3));
  check_hyperelastic<StVenantKirchhoff>(elastic("st_venant_kirchhoff", 1e9, 0.3, PlaneType::stress));
  check_hyperelastic<NeoHookean>(elastic("neo_hookean", 1e9, 0.3));
}

TEST_CASE("a Kelvin-Voigt bar at a constant rate has the stresses of spring and dashpot", "[material]") {
  MaterialCase c = elastic("kelvin_voigt", 1e9, 0);
  c.values = {100, 0};
  const KelvinVoigt bar = KelvinVoigt::make(c);
  KelvinVoigt::State state;
  const double dt = 1e-8, rate = 50;
  for (int n = 1; n <= 100; ++n) {
    const Response r = bar.update({rate * n * dt, 0, 0, 0}, state, dt);
    CHECK(r.stress.xx == Approx(1e9 * rate * n * dt + 100 * rate).epsilon(1e-12));
    CHECK(r.stress.yy == 0);
    if (n > 1) CHECK(r.dissipated == Approx(100 * rate * rate * dt).epsilon(1e-9));
  }
  // Asked again, without a step, it says the same.
  KelvinVoigt::State copy = state;
  CHECK(bar.update({rate * 100 * dt, 0, 0, 0}, copy, 0).stress.xx ==
        Approx(1e9 * rate * 100 * dt + 5000).epsilon(1e-12));

  c.values = {0, 30};
  const KelvinVoigt bulk = KelvinVoigt::make(c);
  state = {};
  const Response r = bulk.update({1e-6, 2e-6, 2e-6, 3e-6}, state, dt);
  CHECK(r.stress.xx == Approx(1e3 + 30 * 4e-6 / dt).epsilon(1e-12));
  CHECK(r.stress.xy == Approx(0.5e9 * 4e-6).epsilon(1e-12));
}

TEST_CASE("stored and dissipated energy are the work of the stress", "[material]") {
  for (const PlaneType plane : {PlaneType::strain, PlaneType::stress}) {
    MaterialCase c = elastic("kelvin_voigt", 1e9, 0.3, plane);
    c.values = {200, 50};
    check_ledger<KelvinVoigt>(c, 1e-3, 1e-7);
    check_ledger<J2>(metal(plane), 1e-2, 1e-7);
    check_ledger<J2>(metal(plane, 3e9), 1e-2, 1e-7);
  }
}

TEST_CASE("the damage law of the example follows a bar and balances its energy", "[material]") {
  MaterialCase c = elastic("damage", 3e9, 0);
  c.values = {1e4, 5e4};
  const Damage law = Damage::make(c);
  Damage::State state;
  for (int n = 1; n <= 100; ++n) {
    const double strain = 6e-5 * n, energy = 1.5e9 * strain * strain;
    const double damage = std::min(0.999, std::max(0.0, (energy - 1e4) / 4e4));
    CHECK(law.update({strain, 0, 0, 0}, state, 1e-9).stress.xx == Approx((1 - damage) * 3e9 * strain).epsilon(1e-12));
  }
  CHECK(state.damage == 0.999);
  CHECK(law.update({1e-3, 0, 0, 0}, state, 1e-9).stress.xx == Approx(0.001 * 3e6).epsilon(1e-9));  // it does not heal
  c.values = {1e2, 3e4};
  check_ledger<Damage>(c, 1e-5, 1e-9, {4e-3, 1e-3, -2e-3, 3e-3});
}

TEST_CASE("J2 follows cyclic simple shear with linear hardening", "[material]") {
  // tau = (Y + H alpha) / sqrt 3 and d alpha = 2 |d plastic_xy| / sqrt 3, so tau grows with G H / (3 G + H).
  const double y = 400e6, h = 10e9, g = 210e9 / 2.6, slope = g * h / (3 * g + h);
  const PlaneType plane = GENERATE(PlaneType::strain, PlaneType::stress);
  const J2 material = J2::make(metal(plane, h));
  J2::State state;
  const double first = y / std::sqrt(3) / g;
  for (int n = 1; n <= 100; ++n) {
    const double shear = 4 * first * n / 100;
    const Response r = material.update({0, shear, 0, 0}, state, 0);
    const double expected = shear < first ? g * shear : g * first + slope * (shear - first);
    CHECK(r.stress.xy == Approx(expected).epsilon(1e-12));
    CHECK(std::abs(r.stress.xx) < 1e-6 * y);
  }
  // Back: elastic over twice what it has reached, then on along the same slope.
  const double turn = 4 * first, reached = g * first + slope * (turn - first);
  for (int n = 1; n <= 100; ++n) {
    const double shear = turn - 6 * first * n / 100, elastic_end = turn - 2 * reached / g;
    const Response r = material.update({0, shear, 0, 0}, state, 0);
    const double expected =
        shear > elastic_end ? reached - g * (turn - shear) : -reached - slope * (elastic_end - shear);
    CHECK(r.stress.xy == Approx(expected).epsilon(1e-12));
  }
}

TEST_CASE("J2 follows a bar with linear hardening through tension, compression and tension", "[material]") {
  HardeningBar bar{210e9, 400e6, 20e9};
  const double nu = 0.3, first = bar.y / bar.e;
  const J2 material = J2::make(metal(PlaneType::stress, bar.h));
  J2::State state;
  double dissipated = 0, worked = 0;
  Response before{};
  Gradient at{};
  // Points of yield lie at ends of steps, so stresses go straight from end to end: the return to the yield surface and
  // the trapezoidal rule then are exact, however few steps there are. What is left is rounding: 1.2e-14 was seen.
  const double tolerance = 1e-13;
  const int steps = GENERATE(1, 50);
  const auto lead_to = [&](double to) {
    const HardeningBar from = bar;
    for (int n = 1; n <= steps; ++n) {
      bar = from.led_to(from.strain + (to - from.strain) * n / steps);
      const Gradient next{bar.strain, 0, 0, -nu * bar.stress / bar.e - 0.5 * bar.plastic};
      const Response r = material.update(next, state, 0);
      dissipated += r.dissipated;
      worked += work(before, r, at, next);
      before = r;
      at = next;
      CHECK(std::abs(r.stress.xx - bar.stress) < tolerance * bar.y);
      CHECK(std::abs(r.stress.yy) < tolerance * bar.y);
      CHECK(std::abs(state.accumulated - bar.accumulated) < tolerance * first);
      CHECK(std::abs(dissipated - bar.dissipated()) < tolerance * bar.y * first);
      CHECK(std::abs(r.stored - 0.5 * bar.stress * bar.stress / bar.e) < tolerance * bar.y * first);
      CHECK(std::abs(worked - r.stored - dissipated) < tolerance * bar.y * first);
    }
  };
  double largest = bar.y;  // stress so far
  for (const double end : {3 * first, -4 * first, 5 * first}) {
    const double way = end > bar.strain ? 1 : -1;
    lead_to(bar.yields_at(way));
    CHECK(way * before.stress.xx == Approx(largest).epsilon(tolerance));  // as far as it has been, on the other side
    const double start = bar.strain, stress = before.stress.xx;
    lead_to(end);
    CHECK((before.stress.xx - stress) / (end - start) == Approx(bar.e * bar.h / (bar.e + bar.h)).epsilon(tolerance));
    largest = way * before.stress.xx;
  }
  CHECK(state.accumulated > 10 * first);
}

TEST_CASE("J2 follows the table of a bar in tension", "[material]") {
  MaterialCase c = metal(PlaneType::stress);
  c.hardening.table.rows = {{0, 400e6}, {0.01, 500e6}, {0.05, 520e6}};
  const J2 material = J2::make(c);
  J2::State state;
  double yy = 0;
  for (int n = 1; n <= 400; ++n) {
    const double xx = 2e-4 * n;
    // The strain across the bar that leaves no stress there, by secants.
    const auto stress = [&](double trial) {
      J2::State copy = state;
      return material.update({xx, 0, 0, trial}, copy, 0).stress.yy;
    };
    double a = yy, b = yy - 1e-4, fa = stress(a), fb = stress(b);
    for (int i = 0; i < 50 && std::abs(fb) > 1e-3; ++i) {
      const double next = b - fb * (b - a) / (fb - fa);
      a = b;
      fa = fb;
      b = next;
      fb = stress(b);
    }
    yy = b;
    const Response r = material.update({xx, 0, 0, yy}, state, 0);
    const double plastic = xx - r.stress.xx / 210e9;
    const double on_table = plastic < 0.01   ? 400e6 + plastic * 1e10
                            : plastic < 0.05 ? 500e6 + (plastic - 0.01) * 5e8
                                             : 520e6;
    CHECK(r.stress.xx == Approx(plastic > 1e-9 ? on_table : 210e9 * xx).epsilon(1e-6));
  }
}

TEST_CASE("J2 stresses stay on the yield surface", "[material]") {
  std::mt19937 engine(9);
  const PlaneType plane = GENERATE(PlaneType::strain, PlaneType::stress);
  const J2 material = J2::make(metal(plane));
  J2::State state;
  for (int i = 0; i < 1000; ++i)
    CHECK(von_mises(material.update(random_gradient(engine, 0.02), state, 0)) <= 400e6 * (1 + 1e-12));
  CHECK(state.accumulated > 1);
}

}  // namespace cleave
