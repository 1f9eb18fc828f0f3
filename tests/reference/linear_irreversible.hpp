/// The laws with one effective opening for both modes, linear and exponential: capped secant stiffness, offsets at
/// insertion.
#pragma once

#include <algorithm>
#include <cmath>

#include "reference/cohesive_law.hpp"

namespace cleave::reference {

struct LinearIrreversibleLaw : CohesiveLaw {
  double energy, beta, kappa;  // Gc of mode I; shear strength and mode II energy over those of mode I

  LinearIrreversibleLaw(double gc, double shear_strength_ratio, double shear_energy_ratio)
      : energy(gc), beta(shear_strength_ratio), kappa(shear_energy_ratio) {}

  double shear_ratio() const { return beta * beta / kappa; }
  virtual double cap(const PointConstants& p) const { return p.kc / std::max(1.0, shear_ratio()); }
  double first_opening(const PointConstants& p) const { return effective(p.offset.normal, p.offset.tangential); }
  /// Beyond the first one.
  virtual double final_opening(const PointConstants& p) const { return 2 * energy / p.strength; }
  /// The part of the strength that is left at an opening before the final one.
  virtual double left(const PointConstants& p, double opening) const { return 1 - opening / final_opening(p); }
  double effective(double x, double y) const {
    const double pull = std::max(0.0, x), slip = beta / kappa * y;
    return std::sqrt(pull * pull + slip * slip);
  }

  PointConstants constants(double kc, double kp, Pair initial) const override {
    PointConstants p{kc, kp, {}, 0};
    const double pull = std::max(0.0, initial.normal), shear = initial.tangential / beta;
    p.strength = std::sqrt(pull * pull + shear * shear);
    p.offset = {pull / cap(p), initial.tangential / (shear_ratio() * cap(p))};
    return p;
  }
  History start(const PointConstants& /*p*/) const override { return {0, 0}; }

  LawAnswer respond(const PointConstants& p, History& history, Pair opening) const override {
    const double d0 = first_opening(p);
    const double x = opening.normal + p.offset.normal, y = opening.tangential + p.offset.tangential;
    const double dm = history[0] = std::max(history[0], effective(x, y) - d0);
    const bool dead = failed(p, history);
    const double k = dead ? 0 : std::min(p.strength * left(p, dm) / (dm + d0), cap(p));
    LawAnswer out;
    out.traction = {(x >= 0 ? k : p.kp) * x, k * shear_ratio() * y};
    out.w = 0.5 * out.traction.normal * x + 0.5 * out.traction.tangential * y;
    out.failed = dead;
    return out;
  }
  bool failed(const PointConstants& p, const History& history) const override { return history[0] >= final_opening(p); }
};

struct ExponentialLaw final : LinearIrreversibleLaw {
  double strength, initial_opening;  // of mode I; the latter over energy / strength
  static constexpr double cut = 0.01;

  ExponentialLaw(double gc, double shear_strength_ratio, double shear_energy_ratio, double sigma, double first)
      : LinearIrreversibleLaw(gc, shear_strength_ratio, shear_energy_ratio), strength(sigma), initial_opening(first) {}

  double cap(const PointConstants& p) const override {
    return std::min(LinearIrreversibleLaw::cap(p), strength / (initial_opening * energy / strength));
  }
  /// Of (exp(-opening / length) - cut) / (1 - cut), whose integral is what the first rise leaves of the energy.
  double length(const PointConstants& p) const {
    const double rest = std::max(energy / 2, energy - p.strength * first_opening(p) / 2);
    return rest / p.strength * (1 - cut) / (1 - cut + cut * std::log(cut));
  }
  double final_opening(const PointConstants& p) const override { return -length(p) * std::log(cut); }
  double left(const PointConstants& p, double opening) const override {
    return (std::exp(-opening / length(p)) - cut) / (1 - cut);
  }
};

}  // namespace cleave::reference
