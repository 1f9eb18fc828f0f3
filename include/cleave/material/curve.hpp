/// Load curves: dimensionless functions of time that multiply a pressure or a prescribed velocity.
#pragma once

#include <utility>
#include <vector>

namespace cleave {

/// A function of time, constant for t < 0 at its value at t = 0. The default is the constant 1.
class Curve {
 public:
  enum class Kind { constant, exponential, linear_decay, half_sine, table };

  Curve() = default;
  /// exp(-t / t0), t0 > 0 in s.
  static Curve exponential(double t0);
  /// max(0, 1 - t / t0), t0 > 0 in s.
  static Curve linear_decay(double t0);
  /// sin(pi t / t0) until t0 > 0 in s, then 0.
  static Curve half_sine(double t0);
  /// Linear between points (time in s, value), constant outside; at least one point, times strictly increasing.
  static Curve table(std::vector<std::pair<double, double>> points);

  /// Value at time t, s.
  double value(double t) const;
  /// Exact mean over [t0, t1], t0 < t1, in s: times t1 - t0 and the velocity, it is the displacement of a node with
  /// prescribed velocity. Exactly 1 for the constant curve, so that a constant velocity has no acceleration.
  double mean(double t0, double t1) const;

  Kind kind() const { return kind_; }
  double decay_time() const { return decay_time_; }  ///< t0, s
  const std::vector<std::pair<double, double>>& points() const { return points_; }

 private:
  static Curve of_time(Kind kind, double t0);

  Kind kind_ = Kind::constant;
  double decay_time_ = 0;
  std::vector<std::pair<double, double>> points_;
};

}  // namespace cleave
