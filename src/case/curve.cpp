#include "cleave/material/curve.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>

namespace cleave {
namespace {

using Points = std::vector<std::pair<double, double>>;

/// First point after time t.
Points::const_iterator point_after(const Points& points, double t) {
  return std::upper_bound(points.begin(), points.end(), t, [](double time, const auto& p) { return time < p.first; });
}

double interpolate(const Points& points, double t) {
  const auto right = point_after(points, t);
  if (right == points.begin()) return points.front().second;
  if (right == points.end()) return points.back().second;
  const auto left = std::prev(right);
  const double fraction = (t - left->first) / (right->first - left->first);
  return (1 - fraction) * left->second + fraction * right->second;
}

/// Mean over [t0, t1] by trapezoids between t0, the points inside and t1. Each is weighted with its share of the
/// interval, so that an interval without points inside has no rounding error.
double interpolated_mean(const Points& points, double t0, double t1) {
  double mean = 0;
  double t = t0;
  double v = interpolate(points, t0);
  const auto add_up_to = [&](double next_t, double next_v) {
    mean += (next_t - t) / (t1 - t0) * (0.5 * (v + next_v));
    t = next_t;
    v = next_v;
  };
  for (auto p = point_after(points, t0); p != points.end() && p->first < t1; ++p) add_up_to(p->first, p->second);
  add_up_to(t1, interpolate(points, t1));
  return mean;
}

/// Mean of a half sine over [t0, t1], 0 <= t0 < t1. cos(pi a / T) - cos(pi b / T) is computed as a product, because the
/// difference would cancel for a step much shorter than T.
double half_sine_mean(double duration, double t0, double t1) {
  const double a = std::min(t0, duration), b = std::min(t1, duration), half = std::numbers::pi / (2 * duration);
  return 2 * duration / std::numbers::pi * std::sin(half * (a + b)) * std::sin(half * (b - a)) / (t1 - t0);
}

}  // namespace

Curve Curve::of_time(Kind kind, double t0) {
  assert(t0 > 0);
  Curve curve;
  curve.kind_ = kind;
  curve.decay_time_ = t0;
  return curve;
}

Curve Curve::exponential(double t0) { return of_time(Kind::exponential, t0); }

Curve Curve::linear_decay(double t0) {
  Curve curve = of_time(Kind::linear_decay, t0);
  curve.points_ = {{0, 1}, {t0, 0}};
  return curve;
}

Curve Curve::half_sine(double t0) { return of_time(Kind::half_sine, t0); }

Curve Curve::table(std::vector<std::pair<double, double>> points) {
  assert(!points.empty());
  Curve curve;
  curve.kind_ = Kind::table;
  curve.points_ = std::move(points);
  return curve;
}

double Curve::value(double t) const {
  t = std::max(t, 0.0);
  switch (kind_) {
    case Kind::exponential:
      return std::exp(-t / decay_time_);
    case Kind::half_sine:
      return t < decay_time_ ? std::sin(std::numbers::pi * t / decay_time_) : 0;
    case Kind::linear_decay:
    case Kind::table:
      return interpolate(points_, t);
    case Kind::constant:
      break;
  }
  return 1;
}

double Curve::mean(double t0, double t1) const {
  if (kind_ == Kind::constant) return 1;
  if (t1 <= 0) return value(0);
  if (t0 < 0) {
    const double constant_share = -t0 / (t1 - t0);
    return constant_share * value(0) + (1 - constant_share) * mean(0, t1);
  }
  if (kind_ == Kind::exponential) {
    // exp(-t0/T) - exp(-t1/T) would cancel for a step much shorter than the decay time T.
    const double x = (t1 - t0) / decay_time_;
    return x == 0 ? value(t0) : value(t0) * (-std::expm1(-x) / x);
  }
  if (kind_ == Kind::half_sine) return half_sine_mean(decay_time_, t0, t1);
  return interpolated_mean(points_, t0, t1);
}

}  // namespace cleave
