/// The linear irreversible law: one effective opening for both modes, capped secant stiffness, offsets at insertion.
#pragma once

#include <algorithm>
#include <cmath>

#include "reference/cohesive_law.hpp"

namespace cleave::reference {

struct LinearIrreversibleLaw final : CohesiveLaw {
  double energy, beta, kappa;  // Gc of mode I; shear strength and mode II energy over those of mode I

  LinearIrreversibleLaw(double gc, double shear_strength_ratio, double shear_energy_ratio)
      : energy(gc), beta(shear_strength_ratio), kappa(shear_energy_ratio) {}

  double shear_ratio() const { return beta * beta / kappa; }
  double cap(const PointConstants& p) const { return p.kc / std::max(1.0, shear_ratio()); }
  double final_opening(const PointConstants& p) const { return 2 * energy / p.strength; }
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
    const double d0 = effective(p.offset.normal, p.offset.tangential);
    const double x = opening.normal + p.offset.normal, y = opening.tangential + p.offset.tangential;
    const double dm = history[0] = std::max(history[0], effective(x, y) - d0);
    const bool dead = failed(p, history);
    const double k = dead ? 0 : std::min(p.strength * (1 - dm / final_opening(p)) / (dm + d0), cap(p));
    LawAnswer out;
    out.traction = {(x >= 0 ? k : p.kp) * x, k * shear_ratio() * y};
    out.w = 0.5 * out.traction.normal * x + 0.5 * out.traction.tangential * y;
    out.failed = dead;
    return out;
  }
  bool failed(const PointConstants& p, const History& history) const override { return history[0] >= final_opening(p); }
};

}  // namespace cleave::reference
