#include "cleave/material/curve.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

using cleave::Curve;

namespace {

/// Midpoint rule with n cells.
double quadrature_mean(const Curve& curve, double t0, double t1, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += curve.value(t0 + (i + 0.5) * (t1 - t0) / n);
  return sum / n;
}

}  // namespace

TEST_CASE("the constant curve is exactly 1") {
  const Curve curve;
  CHECK(curve.kind() == Curve::Kind::constant);
  CHECK(curve.value(-1) == 1);
  CHECK(curve.value(12.5) == 1);
  CHECK(curve.mean(0.1, 0.1 + 1e-9) == 1);
}

TEST_CASE("exponential decay has its values and means") {
  const Curve curve = Curve::exponential(100e-6);
  CHECK(curve.decay_time() == 100e-6);
  CHECK(curve.value(0) == 1);
  CHECK(curve.value(-5) == 1);
  CHECK(curve.value(100e-6) == Approx(0.36787944117144233).epsilon(1e-15));
  CHECK(curve.mean(0, 100e-6) == Approx(0.63212055882855767).epsilon(1e-15));
  CHECK(curve.mean(-3, -1) == 1);
  // Half of the interval at 1, half of it decaying.
  CHECK(curve.mean(-100e-6, 100e-6) == Approx(0.5 + 0.5 * 0.63212055882855767).epsilon(1e-15));
  // A step of 1e-12 decay times: 1 - x/2 to the last digits, where the difference of exponentials has lost four.
  CHECK(std::abs(curve.mean(0, 1e-16) - (1 - 0.5e-12)) < 2e-16);
  CHECK(curve.mean(0, 1) == Approx(1e-4).epsilon(1e-15));
}

TEST_CASE("linear decay has its values and means") {
  const Curve curve = Curve::linear_decay(2);
  CHECK(curve.value(-1) == 1);
  CHECK(curve.value(0.5) == 0.75);
  CHECK(curve.value(2) == 0);
  CHECK(curve.value(9) == 0);
  CHECK(curve.mean(0, 2) == 0.5);
  CHECK(curve.mean(0, 4) == 0.25);
  CHECK(curve.mean(1, 3) == 0.125);
  CHECK(curve.mean(-2, 2) == 0.75);
  CHECK(curve.mean(5, 6) == 0);
}

TEST_CASE("a half sine has its values and means") {
  const Curve curve = Curve::half_sine(2e-5);
  CHECK(curve.kind() == Curve::Kind::half_sine);
  CHECK(curve.value(-1) == 0);
  CHECK(curve.value(0) == 0);
  CHECK(curve.value(1e-5) == 1);
  CHECK(curve.value(2e-5 / 6) == Approx(0.5).epsilon(1e-14));
  CHECK(curve.value(2e-5) == 0);
  CHECK(curve.value(1) == 0);
  CHECK(curve.mean(0, 2e-5) == Approx(0.63661977236758134).epsilon(1e-15));
  CHECK(curve.mean(0, 8e-5) == Approx(0.63661977236758134 / 4).epsilon(1e-15));
  CHECK(curve.mean(-2e-5, 2e-5) == Approx(0.63661977236758134 / 2).epsilon(1e-15));
  CHECK(curve.mean(3e-5, 4e-5) == 0);
  CHECK(curve.mean(-2, -1) == 0);
  CHECK(curve.mean(3e-6, 1.1e-5) == Approx(quadrature_mean(curve, 3e-6, 1.1e-5, 4000)).epsilon(1e-7));
  CHECK(curve.mean(1e-5, 1e-5 + 1e-15) == Approx(1).epsilon(1e-12));  // nothing cancels
}

TEST_CASE("a table has its values and means") {
  const Curve curve = Curve::table({{1, 2}, {2, 4}, {4, -2}});
  CHECK(curve.value(0) == 2);
  CHECK(curve.value(1) == 2);
  CHECK(curve.value(1.5) == 3);
  CHECK(curve.value(2) == 4);
  CHECK(curve.value(3) == 1);
  CHECK(curve.value(7) == -2);
  CHECK(curve.mean(0, 1) == 2);
  CHECK(curve.mean(1, 2) == 3);
  CHECK(curve.mean(1.25, 1.75) == 3);
  CHECK(curve.mean(0, 6) == Approx((2 + 3 + 2 * 1 - 2 * 2) / 6.0).epsilon(1e-15));
  CHECK(curve.mean(10, 11) == -2);

  SECTION("is constant before t = 0 even if it has points there") {
    const Curve early = Curve::table({{-1, 0}, {1, 2}});
    CHECK(early.value(-1) == 1);
    CHECK(early.value(-0.5) == 1);
    CHECK(early.mean(-4, -1) == 1);
    CHECK(early.mean(-1, 1) == Approx(0.5 * 1 + 0.5 * 1.5).epsilon(1e-15));
  }
  SECTION("of one point is that value") {
    const Curve one = Curve::table({{3, 0.1}});
    CHECK(one.value(0) == 0.1);
    CHECK(one.mean(0.3, 0.7) == 0.1);
  }
}

TEST_CASE("means agree with quadrature") {
  const std::vector<Curve> curves{Curve::exponential(0.7), Curve::linear_decay(1.3),
                                  Curve::table({{0, 0}, {0.2, 1}, {0.5, -0.4}, {2, 3}})};
  const std::vector<std::pair<double, double>> intervals{{0, 0.01}, {0.15, 0.6}, {-0.3, 0.4}, {1.2, 1.4}, {0.1, 5}};
  for (const Curve& curve : curves) {
    for (const auto& [t0, t1] : intervals) {
      CAPTURE(static_cast<int>(curve.kind()), t0, t1);
      CHECK(curve.mean(t0, t1) == Approx(quadrature_mean(curve, t0, t1, 200000)).margin(1e-9));
    }
  }
}

TEST_CASE("means of neighbouring intervals add up to the mean of both") {
  const Curve curve = Curve::table({{0, 0}, {0.3, 1}, {0.4, 1}, {0.9, 0.2}});
  double moved = 0;
  for (int n = 0; n < 1000; ++n) moved += curve.mean(n * 1e-3, (n + 1) * 1e-3) * 1e-3;
  CHECK(moved == Approx(curve.mean(0, 1)).epsilon(1e-12));
}
