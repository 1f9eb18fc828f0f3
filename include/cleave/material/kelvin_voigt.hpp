/// Viscoelasticity: a spring and a dashpot in parallel.
#pragma once

#include "cleave/core/extremes.hpp"
#include "cleave/core/quantities.hpp"
#include "cleave/material/linear_elastic.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// stress = C strain + (viscosity / E) C rate + bulk_viscosity (rate_xx + rate_yy) I; in a bar, E strain + viscosity
/// rate. The rate is that of the last step. The stress of the dashpot works by the trapezoidal rule, as forces do.
/// Stored and dissipated energy therefore add up to the work of the stress, to rounding.
struct KelvinVoigt {
  static constexpr const char* name = "kelvin_voigt";
  static constexpr bool finite = false;
  static constexpr Quantity dissipation = Quantity::viscous_energy;
  static constexpr LawParameter parameters[] = {
      {.key = "viscosity",
       .unit = "Pa s",
       .meaning = "stress over strain rate of a bar; viscous stresses are in proportion to elastic ones",
       .at_least = 0},
      {.key = "bulk_viscosity",
       .unit = "Pa s",
       .meaning = "additional pressure over rate of dilation",
       .at_least = 0,
       .otherwise = 0}};
  struct alignas(2 * sizeof(Real)) State {
    Real xx = 0, yy = 0, shear = 0;                       ///< strain
    Real viscous_xx = 0, viscous_yy = 0, viscous_xy = 0;  ///< stress of the dashpot, Pa
  };

  LinearElastic spring;
  Real v11 = 0, v12 = 0, v33 = 0;  ///< coefficients of the dashpot, as d11, d12, d33 of LinearElastic, Pa s
  Real v_across = 0;               ///< stress of the dashpot across the plane over the sum of its stresses in the plane

  static KelvinVoigt make(const MaterialCase& c) {
    KelvinVoigt k{LinearElastic::make(c)};
    const double time = c.values.at(0) / c.parameters.young_modulus, bulk = c.values.at(1);
    k.v11 = static_cast<Real>(time * k.spring.d11 + bulk);
    k.v12 = static_cast<Real>(time * k.spring.d12 + bulk);
    k.v33 = static_cast<Real>(time * k.spring.d33);
    const double across = c.parameters.plane == PlaneType::strain ? time * k.spring.d13 + bulk : 0;
    const double both = time * (k.spring.d11 + k.spring.d12) + 2 * bulk;
    k.v_across = static_cast<Real>(both > 0 ? across / both : 0);
    return k;
  }

  /// Largest ratio of viscous to elastic stiffness, s.
  static double damping_time(const MaterialCase& c) {
    const KelvinVoigt k = make(c);
    const double dilation = (k.v11 + k.v12) / (k.spring.d11 + k.spring.d12), shear = k.v33 / k.spring.d33;
    return larger(dilation, shear);
  }

  CLEAVE_HD_INLINE void rest_at(const Gradient& g, State& state) const { state = {g.xx, g.yy, g.shear(), 0, 0, 0}; }

  CLEAVE_HD_INLINE Response update(const Gradient& g, State& state, Real dt) const {
    LinearElastic::State none;
    Response r = spring.update(g, none, dt);
    if (dt > 0) {
      const Real xx = g.xx - state.xx, yy = g.yy - state.yy, shear = g.shear() - state.shear;
      const Real per_dt = 1 / dt;
      const Real new_xx = per_dt * (v11 * xx + v12 * yy), new_yy = per_dt * (v12 * xx + v11 * yy);
      const Real new_xy = per_dt * (v33 * shear);
      r.dissipated = Real(0.5) * ((state.viscous_xx + new_xx) * xx + (state.viscous_yy + new_yy) * yy +
                                  (state.viscous_xy + new_xy) * shear);
      state = {g.xx, g.yy, g.shear(), new_xx, new_yy, new_xy};
    }
    r.stress.xx += state.viscous_xx;
    r.stress.yy += state.viscous_yy;
    r.stress.xy += state.viscous_xy;
    r.stress.yx += state.viscous_xy;
    r.across += v_across * (state.viscous_xx + state.viscous_yy);
    return r;
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
