/// The extrinsic PPR cohesive law (K. Park, G. H. Paulino, J. R. Roesler, JMPS 57 (2009) 891), with irreversible
/// damage.
#pragma once

#include <cmath>

#include "cleave/material/cohesive_parameters.hpp"
#include "cleave/material/cohesive_point.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// b^p for b >= 0; small integer powers are products, so that CPU and GPU round alike.
CLEAVE_HD inline Real power(Real b, Real p) {
  if (p == 1) return b;
  if (p == 2) return b * b;
  if (p == 3) return b * b * b;
  if (p == 4) return (b * b) * (b * b);
  return std::pow(b, p);
}

struct Ppr {
  static constexpr const char* name = "ppr";
  static constexpr bool has_shapes = true;
  /// The largest openings so far and the secant stiffnesses that follow from them.
  struct alignas(2 * sizeof(Real)) State {
    Real largest_normal;        ///< normal opening, m
    Real largest_tangential;    ///< |tangential opening + offset|, m
    Real normal_stiffness;      ///< Pa/m, at most the stiffness cap
    Real tangential_stiffness;  ///< Pa/m, likewise
  };
  static constexpr FacetStress insertion_stress = FacetStress::nodes;
  /// For a straight motion that starts in the history, the end point alone determines the new history, bit for bit.
  static constexpr bool peaks_at_ends = true;

  Real strength_n = 0, strength_t = 0;    ///< Pa
  Real shape_n = 0, shape_t = 0;          ///< alpha, beta > 1
  Real width_n = 0, width_t = 0;          ///< final opening widths, m
  Real per_width_n = 0, per_width_t = 0;  ///< 1 / width, 1/m
  Real conjugate_n = 0, conjugate_t = 0;  ///< openings beyond which the traction of the OTHER mode is zero, m
  /// Factors of the tractions: slope = -shape * Gamma / width of the mode, times the energy constant Gamma of the other
  /// mode, ...
  Real coupled_n = 0, coupled_t = 0;  ///< Pa
  /// ... and times the excess energy of the other mode, <phi_t - phi_n> or <phi_n - phi_t>.
  Real alone_n = 0, alone_t = 0;  ///< Pa

  /// Computed in double and rounded once at the end: GCC 12 drops a rounding to float that is followed by arithmetic in
  /// double.
  static Ppr make(const CohesiveParameters& modes) {
    const CohesiveMode &n = modes.normal, &t = modes.tangential;
    const double width_n = n.shape * n.energy / n.strength, width_t = t.shape * t.energy / t.strength;
    const double excess_n = larger(n.energy - t.energy, 0.0), excess_t = larger(t.energy - n.energy, 0.0);
    const double gamma_n = n.energy >= t.energy ? -n.energy : 1, gamma_t = n.energy >= t.energy ? 1 : -t.energy;
    const double slope_n = -n.shape * gamma_n / width_n, slope_t = -t.shape * gamma_t / width_t;
    const auto real = [](double value) { return static_cast<Real>(value); };
    Ppr p;
    p.strength_n = real(n.strength);
    p.strength_t = real(t.strength);
    p.shape_n = real(n.shape);
    p.shape_t = real(t.shape);
    p.width_n = real(width_n);
    p.width_t = real(width_t);
    p.per_width_n = real(1 / width_n);
    p.per_width_t = real(1 / width_t);
    p.coupled_n = real(slope_n * gamma_t);
    p.coupled_t = real(slope_t * gamma_n);
    p.alone_n = real(slope_n * excess_t);
    p.alone_t = real(slope_t * excess_n);
    p.conjugate_n = real(width_n * (1 - std::pow(excess_n / n.energy, 1 / n.shape)));
    p.conjugate_t = real(width_t * (1 - std::pow(excess_t / t.energy, 1 / t.shape)));
    return p;
  }

  /// Tractions of monotonic opening, Pa.
  struct Envelope {
    Real normal;
    Real tangential;  ///< magnitude; at y = 0 the limit for y > 0
  };
  /// @param x, y  normal and |tangential| opening, not negative, m
  CLEAVE_HD Envelope envelope(Real x, Real y) const {
    const Real left_n = larger(Real(0), 1 - x * per_width_n), left_t = larger(Real(0), 1 - y * per_width_t);
    const Real power_n = power(left_n, shape_n - 1), power_t = power(left_t, shape_t - 1);
    const bool pulls = x < width_n && y < conjugate_t, slides = y < width_t && x < conjugate_n;
    return {pulls ? power_n * (coupled_n * (power_t * left_t) + alone_n) : Real(0),
            slides ? power_t * (coupled_t * (power_n * left_n) + alone_t) : Real(0)};
  }

  /// Opening at which the capped stiffness gives the traction at which the facet broke, m.
  CLEAVE_HD Vec2 offset(Vec2 initial, Real stiffness_cap) const {
    return {larger(Real(0), smaller(initial.x, strength_n)) / stiffness_cap,
            larger(-strength_t, smaller(initial.y, strength_t)) / stiffness_cap};
  }
  CLEAVE_HD State start(Vec2 /*initial*/, const CohesivePoint& point) const {
    return with_stiffness(0, std::fabs(point.offset.y), point);
  }

  /// Records an opening. Returns true if the history has changed: call settle() before the next respond(). Failed
  /// points record nothing.
  CLEAVE_HD_INLINE bool note(Vec2 opening, const CohesivePoint& point, State& state) const {
    const Real xm = larger(state.largest_normal, opening.x);
    const Real ym = larger(state.largest_tangential, std::fabs(opening.y + point.offset.y));
    if ((xm == state.largest_normal && ym == state.largest_tangential) || failed(state)) return false;
    state.largest_normal = xm;
    state.largest_tangential = ym;
    return true;
  }
  /// Updates the stiffnesses after the history has changed.
  CLEAVE_HD void settle(const CohesivePoint& point, State& state) const {
    state = with_stiffness(state.largest_normal, state.largest_tangential, point);
  }

  /// Linear response with the secant stiffnesses, from zero traction; overlap is elastic contact.
  CLEAVE_HD_INLINE CohesiveResponse respond(Vec2 opening, const CohesivePoint& point, const State& state) const {
    const Vec2 at = point.from_zero_traction(opening);
    const Real kn = at.x >= 0 ? state.normal_stiffness : point.contact_stiffness, kt = state.tangential_stiffness;
    return {{kn * at.x, kt * at.y}, Real(0.5) * kn * at.x * at.x + Real(0.5) * kt * at.y * at.y};
  }

  /// True if no mode carries traction any more: both stiffnesses are zero.
  CLEAVE_HD_INLINE static bool failed(const State& state) {
    return state.normal_stiffness == 0 && state.tangential_stiffness == 0;
  }

  /// 0 at insertion, 1 when failed: the smaller of the relative losses of both strengths.
  CLEAVE_HD Real damage(const State& state) const {
    const Envelope left = envelope(state.largest_normal, state.largest_tangential);
    return 1 - larger(left.normal / strength_n, left.tangential / strength_t);
  }

 private:
  CLEAVE_HD State with_stiffness(Real xm, Real ym, const CohesivePoint& point) const {
    const auto [en, et] = envelope(xm, ym);
    if (en == 0 && et == 0) return {xm, ym, 0, 0};  // also if one of the openings is still zero
    const Real kc = point.stiffness_cap, x = xm + point.offset.x;
    return {xm, ym, x > 0 ? smaller(en / x, kc) : kc, ym > 0 ? smaller(et / ym, kc) : kc};
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
