/// Metal plasticity: von Mises' yield condition, associated flow, isotropic hardening.
#pragma once

#include "cleave/core/extremes.hpp"
#include "cleave/core/quantities.hpp"
#include "cleave/material/linear_elastic.hpp"
#include "cleave/material/look_up_table.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Small strains. The stress returns to the yield surface along its deviator (J. C. Simo, T. J. R. Hughes,
/// Computational Inelasticity, 1998, boxes 3.1 and 3.3), in plane stress along the plane's (box 3.2). The plastic
/// strain of a step works with the mean of the stresses before and after, as forces do. Stored and dissipated energy
/// therefore add up to the work of the stress, to rounding.
struct J2 {
  static constexpr const char* name = "j2";
  static constexpr bool finite = false;
  static constexpr Quantity dissipation = Quantity::plastic_energy;
  static constexpr LawParameter parameters[] = {
      {.key = "yield_stress", .unit = "Pa", .meaning = "stress at which a bar begins to flow", .above = 0}};
  struct alignas(2 * sizeof(Real)) State {
    Real plastic_xx = 0, plastic_yy = 0, plastic_xy = 0;  ///< plastic strain; its trace is zero
    Real accumulated = 0;            ///< sqrt(2/3) times the length of the path of the plastic strain
    Real xx = 0, yy = 0, shear = 0;  ///< strain
    Real eroded = 0;                 ///< 1: the element has eroded
  };
  static constexpr StateField fields[] = {{"plastic_strain", offsetof(State, accumulated)}};

  LinearElastic elastic;
  LookUpTable hardening;  ///< yield stress, Pa, over accumulated plastic strain
  bool plane_stress = false;
  Real bulk_modulus = 0;    ///< Pa
  Real erosion_strain = 0;  ///< accumulated plastic strain at which the element erodes; 0: never
  Real per_flow = 0;        ///< E / (3 (1 - nu)), Pa: loss of the sum of the stresses by flow in plane stress

  static J2 make(const MaterialCase& c) {
    J2 m;
    m.elastic = LinearElastic::make(c);
    const LawTable& table = c.hardening.table;
    const bool by_table = !table.rows.empty();
    m.hardening = LookUpTable::make(by_table ? table : LawTable{{{0, c.values.at(0)}}}, c.hardening.linear);
    m.plane_stress = c.parameters.plane == PlaneType::stress;
    const double e = c.parameters.young_modulus, nu = c.parameters.poisson_ratio;
    m.bulk_modulus = m.plane_stress ? 0 : static_cast<Real>(e / (3 * (1 - 2 * nu)));
    m.per_flow = static_cast<Real>(e / (3 * (1 - nu)));
    m.erosion_strain = static_cast<Real>(c.erosion.plastic_strain);
    return m;
  }

  bool may_erode() const { return erosion_strain > 0; }
  CLEAVE_HD bool erodes(const State& state) const { return state.accumulated >= erosion_strain; }
  CLEAVE_HD static void erode(State& state) { state.eroded = 1; }

  /// An initial strain beyond the elastic limit has flowed before the run; this counts as no dissipation.
  CLEAVE_HD_INLINE void rest_at(const Gradient& g, State& state) const { update(g, state, 0); }

  CLEAVE_HD_INLINE Response update(const Gradient& g, State& state, Real /*dt*/) const {
    if (state.eroded != 0) return {};
    Stress3 stress = stress_of(g.xx, g.yy, g.shear(), state);
    const Real dissipated = is_outside(stress, state) ? flow(g, stress, state) : Real(0);
    state.xx = g.xx;
    state.yy = g.yy;
    state.shear = g.shear();
    const Real xx = g.xx - state.plastic_xx, yy = g.yy - state.plastic_yy, xy = g.shear() - 2 * state.plastic_xy;
    const Real zz = plane_stress ? Real(0) : state.plastic_xx + state.plastic_yy;  // elastic strain across
    return {{stress.xx, stress.xy, stress.xy, stress.yy},
            Real(0.5) * (stress.xx * xx + stress.yy * yy + stress.xy * xy + stress.zz * zz),
            dissipated,
            stress.zz};
  }

 private:
  struct Stress3 {
    Real xx, yy, xy, zz;
  };
  /// Stress at a strain, given the plastic strain of a state, Pa.
  CLEAVE_HD_INLINE Stress3 stress_of(Real xx, Real yy, Real shear, const State& s) const {
    const Real ex = xx - s.plastic_xx, ey = yy - s.plastic_yy, exy = Real(0.5) * shear - s.plastic_xy;
    const Real two_g = 2 * elastic.d33;
    if (plane_stress) return {elastic.d11 * ex + elastic.d12 * ey, elastic.d12 * ex + elastic.d11 * ey, two_g * exy, 0};
    const Real ez = s.plastic_xx + s.plastic_yy, mean = Real(1) / 3 * (ex + ey + ez);
    const Real pressure = 3 * bulk_modulus * mean;
    return {pressure + two_g * (ex - mean), pressure + two_g * (ey - mean), two_g * exy,
            pressure + two_g * (ez - mean)};
  }
  /// Square of the norm of the deviator, Pa^2.
  CLEAVE_HD_INLINE static Real deviator_square(const Stress3& s) {
    const Real a = s.xx - s.yy, b = s.yy - s.zz, c = s.zz - s.xx;
    return Real(1) / 3 * (a * a + b * b + c * c) + 2 * s.xy * s.xy;
  }
  CLEAVE_HD_INLINE bool is_outside(const Stress3& stress, const State& state) const {
    const Real yield = hardening.value(state.accumulated);
    return deviator_square(stress) > Real(2) / 3 * yield * yield;
  }
  /// Returns a stress to the yield surface. Returns the dissipated energy, J/m^3.
  CLEAVE_HD_SELDOM Real flow(const Gradient& g, Stress3& stress, State& state) const {
    const State was = state;
    plane_stress ? return_in_plane(stress, state) : return_radially(stress, state);
    stress = stress_of(g.xx, g.yy, g.shear(), state);
    return Real(0.5) * work(stress_of(was.xx, was.yy, was.shear, was), stress, state.plastic_xx - was.plastic_xx,
                            state.plastic_yy - was.plastic_yy, state.plastic_xy - was.plastic_xy);
  }
  /// (a + b) : plastic strain; the component across the plane makes its trace zero.
  CLEAVE_HD_INLINE static Real work(const Stress3& a, const Stress3& b, Real xx, Real yy, Real xy) {
    return (a.xx + b.xx) * xx + (a.yy + b.yy) * yy + 2 * (a.xy + b.xy) * xy - (a.zz + b.zz) * (xx + yy);
  }

  /// Plane strain: the flow that returns the trial stress to the yield surface, segment by segment of the curve.
  CLEAVE_HD void return_radially(const Stress3& trial, State& state) const {
    const Real root = std::sqrt(Real(2) / 3), norm = std::sqrt(deviator_square(trial)), two_g = 2 * elastic.d33;
    int i = hardening.piece(state.accumulated);
    Real flow = 0;
    for (;; ++i) {
      const Real yield = hardening.on_piece(i, state.accumulated);
      flow = (norm - root * yield) / (two_g + Real(2) / 3 * hardening.slope(i));
      if (i + 1 >= hardening.points || state.accumulated + root * flow <= hardening.end(i)) break;
    }
    const Real mean = Real(1) / 3 * (trial.xx + trial.yy + trial.zz), along = flow / norm;
    state.plastic_xx += along * (trial.xx - mean);
    state.plastic_yy += along * (trial.yy - mean);
    state.plastic_xy += along * trial.xy;
    state.accumulated += root * flow;
  }
  /// Plane stress: the flow by Newton's method between bounds. The norm of the deviator falls with the flow.
  CLEAVE_HD void return_in_plane(const Stress3& trial, State& state) const {
    constexpr int most_iterations = 60;
    const Real root = std::sqrt(Real(2) / 3), g2 = 2 * elastic.d33;
    const Real sum = trial.xx + trial.yy, difference = trial.xx - trial.yy;
    const Real of_sum = Real(1) / 6 * sum * sum;
    const Real of_rest = Real(0.5) * difference * difference + 2 * trial.xy * trial.xy;
    const Real yield = hardening.value(state.accumulated);
    Real low = 0, high = std::sqrt(of_sum + of_rest) / (root * yield * smaller(per_flow, g2)), flow = 0;
    for (int i = 0; i < most_iterations; ++i) {
      const Real a = 1 + per_flow * flow, b = 1 + g2 * flow;
      const Real norm = std::sqrt(of_sum / (a * a) + of_rest / (b * b));
      const Real strain = state.accumulated + root * flow * norm;
      const int piece = hardening.piece(strain);
      const Real off = norm - root * hardening.on_piece(piece, strain);
      if (off == 0) break;
      (off > 0 ? low : high) = flow;
      const Real norm_slope = -(of_sum * per_flow / (a * a * a) + of_rest * g2 / (b * b * b)) / norm;
      const Real slope = norm_slope - Real(2) / 3 * hardening.slope(piece) * (norm + flow * norm_slope);
      Real next = flow - off / slope;
      if (!(next > low && next < high)) next = Real(0.5) * (low + high);
      if (next == flow || next == low || next == high) break;
      flow = next;
    }
    const Real a = 1 + per_flow * flow, b = 1 + g2 * flow;
    const Real s = sum / a, d = difference / b, xy = trial.xy / b, xx = Real(0.5) * (s + d), yy = Real(0.5) * (s - d);
    const Real norm = std::sqrt(Real(1) / 6 * s * s + Real(0.5) * d * d + 2 * xy * xy);
    state.plastic_xx += flow * (Real(1) / 3 * (2 * xx - yy));
    state.plastic_yy += flow * (Real(1) / 3 * (2 * yy - xx));
    state.plastic_xy += flow * xy;
    state.accumulated += root * flow * norm;
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
