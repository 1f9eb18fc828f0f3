/// The PPR law as its authors write it (potential with two energy constants), with the capped secant history.
#pragma once

#include <algorithm>
#include <cmath>

#include "reference/cohesive_law.hpp"

namespace cleave::reference {

/// b^p for b >= 0; small whole powers as products, which round alike everywhere.
inline double power(double b, double p) {
  if (p == 1) return b;
  if (p == 2) return b * b;
  if (p == 3) return b * b * b;
  if (p == 4) return (b * b) * (b * b);
  return std::pow(b, p);
}

/// Tractions of monotone opening.
struct PprLaw {
  double phi_n, phi_t, sigma, tau, alpha, beta;

  double dn() const { return alpha * phi_n / sigma; }
  double dt() const { return beta * phi_t / tau; }
  static double positive(double z) { return z > 0 ? z : 0; }
  double dn_bar() const { return dn() * (1 - std::pow(positive(phi_n - phi_t) / phi_n, 1 / alpha)); }
  double dt_bar() const { return dt() * (1 - std::pow(positive(phi_t - phi_n) / phi_t, 1 / beta)); }
  double gamma_n() const { return phi_n < phi_t ? 1 : -phi_n; }
  double gamma_t() const { return phi_n < phi_t ? -phi_t : 1; }

  double potential(double x, double y) const {
    return std::min(phi_n, phi_t) + (gamma_n() * power(1 - x / dn(), alpha) + positive(phi_n - phi_t)) *
                                        (gamma_t() * power(1 - y / dt(), beta) + positive(phi_t - phi_n));
  }
  double normal(double x, double y) const {
    if (!(x >= 0 && x < dn() && y < dt_bar())) return 0;
    return -alpha * gamma_n() / dn() * power(1 - x / dn(), alpha - 1) *
           (gamma_t() * power(1 - y / dt(), beta) + positive(phi_t - phi_n));
  }
  /// Magnitude at |Dt| = y; at y = 0 the limit from above.
  double tangential(double x, double y) const {
    if (!(x < dn_bar() && y < dt())) return 0;
    return -beta * gamma_t() / dt() * power(1 - y / dt(), beta - 1) *
           (gamma_n() * power(1 - x / dn(), alpha) + positive(phi_n - phi_t));
  }
};

/// The law with a secant history per mode: offsets at insertion, capped stiffness, contact below X = 0.
struct PprCohesive final : CohesiveLaw {
  PprLaw law;
  explicit PprCohesive(const PprLaw& envelope) : law(envelope) {}

  PointConstants constants(double kc, double kp, Pair initial) const override {
    return {kc,
            kp,
            {std::clamp(initial.normal, 0.0, law.sigma) / kc, std::clamp(initial.tangential, -law.tau, law.tau) / kc},
            0};
  }
  History start(const PointConstants& p) const override { return {0, std::abs(p.offset.tangential)}; }

  LawAnswer respond(const PointConstants& p, History& history, Pair opening) const override {
    const double x = opening.normal + p.offset.normal, y = opening.tangential + p.offset.tangential;
    const double xm = history[0] = std::max(history[0], opening.normal);
    const double ym = history[1] = std::max(history[1], std::abs(y));
    const double en = law.normal(xm, ym), et = law.tangential(xm, ym);
    const double kn = xm + p.offset.normal == 0 ? p.kc : std::min(en / (xm + p.offset.normal), p.kc);
    const double kt = ym == 0 ? p.kc : std::min(et / ym, p.kc);
    const double k = x >= 0 ? kn : p.kp;
    return {{k * x, kt * y}, 0.5 * k * x * x + 0.5 * kt * y * y, en == 0 && et == 0};
  }
  bool failed(const PointConstants& /*p*/, const History& history) const override {
    return law.normal(history[0], history[1]) == 0 && law.tangential(history[0], history[1]) == 0;
  }
};

}  // namespace cleave::reference
