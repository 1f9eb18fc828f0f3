/// The extrinsic PPR cohesive law (K. Park, G. H. Paulino, J. R. Roesler, JMPS 57 (2009) 891) with a history rule that
/// never heals and never gives back dissipated energy.
#pragma once

#include <cmath>

#include "cleave/config/case.hpp"
#include "cleave/material/cohesive_point.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// b^p for b >= 0; small whole powers by multiplication, so that CPU and GPU round alike.
CLEAVE_HD inline Real power(Real b, Real p) {
  if (p == 1) return b;
  if (p == 2) return b * b;
  if (p == 3) return b * b * b;
  if (p == 4) return (b * b) * (b * b);
  return std::pow(b, p);
}

struct Ppr {
  /// history[0]: largest normal opening so far (start 0), m; history[1]: largest |tangential opening + offset| so far,
  /// m.
  static constexpr int num_history = 2;
  static constexpr FacetStress insertion_stress = FacetStress::nodes;

  Real strength_n = 0, strength_t = 0;    ///< Pa
  Real shape_n = 0, shape_t = 0;          ///< alpha, beta > 1
  Real width_n = 0, width_t = 0;          ///< final opening widths, m
  Real conjugate_n = 0, conjugate_t = 0;  ///< openings beyond which the OTHER mode's traction is zero, m
  Real gamma_n = 0, gamma_t = 0;          ///< energy constants Gamma_n, Gamma_t
  Real excess_n = 0, excess_t = 0;        ///< <phi_n - phi_t>, <phi_t - phi_n>, J/m^2
  Real slope_n = 0, slope_t = 0;          ///< -shape * Gamma / width of the mode
  bool offset_in_contact = true;          ///< the traction at zero opening also acts where the faces overlap

  static Ppr make(const CohesiveMode& n, const CohesiveMode& t, EnergyRule energy = EnergyRule::plain) {
    Ppr p;
    p.offset_in_contact = energy == EnergyRule::plain;
    p.strength_n = n.strength;
    p.strength_t = t.strength;
    p.shape_n = n.shape;
    p.shape_t = t.shape;
    p.width_n = n.shape * n.energy / n.strength;
    p.width_t = t.shape * t.energy / t.strength;
    p.excess_n = larger(n.energy - t.energy, 0.0);
    p.excess_t = larger(t.energy - n.energy, 0.0);
    p.gamma_n = n.energy >= t.energy ? -n.energy : 1;
    p.gamma_t = n.energy >= t.energy ? 1 : -t.energy;
    p.slope_n = -p.shape_n * p.gamma_n / p.width_n;
    p.slope_t = -p.shape_t * p.gamma_t / p.width_t;
    p.conjugate_n = p.width_n * (1 - std::pow(p.excess_n / n.energy, 1 / n.shape));
    p.conjugate_t = p.width_t * (1 - std::pow(p.excess_t / t.energy, 1 / t.shape));
    return p;
  }

  /// Normal traction of monotone opening at x >= 0 and y = |tangential opening|, Pa.
  CLEAVE_HD Real envelope_normal(Real x, Real y) const {
    if (x >= width_n || y >= conjugate_t) return 0;
    return slope_n * power(1 - x / width_n, shape_n - 1) * (gamma_t * power(1 - y / width_t, shape_t) + excess_t);
  }

  /// Magnitude of the tangential traction of monotone opening (at y = 0: its limit from above), Pa.
  CLEAVE_HD Real envelope_tangential(Real x, Real y) const {
    if (y >= width_t || x >= conjugate_n) return 0;
    return slope_t * power(1 - y / width_t, shape_t - 1) * (gamma_n * power(1 - x / width_n, shape_n) + excess_n);
  }

  CLEAVE_HD static void start(Real* history, const CohesivePoint& point) {
    history[0] = 0;
    history[1] = std::fabs(point.shear_offset);
  }

  /// Updates the history with the opening and returns tractions and recoverable energy.
  /// Unloading is linear with the secant slopes at the largest openings, capped; overlap is elastic contact.
  CLEAVE_HD CohesiveResponse respond(Real normal, Real tangential, const CohesivePoint& point, Real* history) const {
    const Real y = tangential + point.shear_offset;
    const Real xm = history[0] = larger(history[0], normal);
    const Real ym = history[1] = larger(history[1], std::fabs(y));
    const Real en = envelope_normal(xm, ym);
    const Real et = envelope_tangential(xm, ym);
    const Real kc = point.stiffness_cap;
    const Real kn = xm > 0 ? smaller(en / xm, kc) : kc;
    const Real kt = ym > 0 ? smaller(et / ym, kc) : kc;
    // Without the offset the recoverable energy of an overlap is that of contact, and never rises when t0 falls.
    const Real t0 = normal >= 0 || offset_in_contact ? en - kn * xm : 0;
    const Real k = normal >= 0 ? kn : point.contact_stiffness;
    return {t0 + k * normal, kt * y, t0 * normal + Real(0.5) * k * normal * normal + Real(0.5) * kt * y * y};
  }

  /// True when neither mode carries traction any more.
  CLEAVE_HD bool failed(const Real* history) const {
    return envelope_normal(history[0], history[1]) == 0 && envelope_tangential(history[0], history[1]) == 0;
  }

  /// 0 at insertion, 1 when failed: what is lost of the better of the two strengths.
  CLEAVE_HD Real damage(const Real* history) const {
    return 1 - larger(envelope_normal(history[0], history[1]) / strength_n,
                      envelope_tangential(history[0], history[1]) / strength_t);
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
