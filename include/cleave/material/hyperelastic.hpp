/// Elasticity of finite strains: the stress is the derivative of an energy by the displacement gradient.
#pragma once

#include <cmath>

#include "cleave/core/elementary.hpp"
#include "cleave/core/extremes.hpp"
#include "cleave/material/linear_elastic.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// St. Venant-Kirchhoff: W = 1/2 E:C:E with Green's strain E = (F^T F - I) / 2 and the constants of linear elasticity
/// (G. A. Holzapfel, Nonlinear Solid Mechanics, 2000, eq. 6.151). For large rotations and strains of some per cent: it
/// has no resistance under strong compression. In plane stress, S33 = 0 gives E33 = -nu / (1 - nu) (E11 + E22), and the
/// thickness changes by F33 = sqrt(1 + 2 E33).
struct StVenantKirchhoff {
  static constexpr const char* name = "st_venant_kirchhoff";
  static constexpr bool finite = true;
  struct State {};

  LinearElastic linear;
  Real contraction = 0;  ///< -E33 / (E11 + E22): nu / (1 - nu) in plane stress, 0 in plane strain

  static StVenantKirchhoff make(const MaterialCase& c) {
    const double nu = c.parameters.poisson_ratio;
    return {LinearElastic::make(c), static_cast<Real>(c.parameters.plane == PlaneType::stress ? nu / (1 - nu) : 0)};
  }

  CLEAVE_HD_INLINE Response update(const Gradient& g, State&, Real /*dt*/) const {
    const Real xx = g.xx + Real(0.5) * (g.xx * g.xx + g.yx * g.yx);
    const Real yy = g.yy + Real(0.5) * (g.xy * g.xy + g.yy * g.yy);
    const Real shear = g.shear() + (g.xx * g.xy + g.yx * g.yy);
    const Real sxx = linear.d11 * xx + linear.d12 * yy, syy = linear.d12 * xx + linear.d11 * yy;
    const Real sxy = linear.d33 * shear;
    const Real fxx = 1 + g.xx, fyy = 1 + g.yy;
    return {{fxx * sxx + g.xy * sxy, fxx * sxy + g.xy * syy, g.yx * sxx + fyy * sxy, g.yx * sxy + fyy * syy},
            Real(0.5) * (sxx * xx + syy * yy + sxy * shear),
            0,
            linear.d13 * (xx + yy) / g.jacobian(),
            std::sqrt(larger(Real(0), 1 - 2 * contraction * (xx + yy)))};
  }
};

/// Compressible neo-Hookean: W = mu/2 (tr F^T F - 3) - mu ln J + lambda/2 (ln J)^2 (J. Bonet, R. D. Wood, Nonlinear
/// Continuum Mechanics for Finite Element Analysis, 2nd ed. 2008, eq. 6.27), in plane strain.
struct NeoHookean {
  static constexpr const char* name = "neo_hookean";
  static constexpr bool finite = true;
  struct State {};

  Real mu = 0, lambda = 0;  ///< Pa

  static NeoHookean make(const MaterialCase& c) {
    const double e = c.parameters.young_modulus, nu = c.parameters.poisson_ratio;
    return {static_cast<Real>(e / (2 * (1 + nu))), static_cast<Real>(e * nu / ((1 + nu) * (1 - 2 * nu)))};
  }

  /// An element that is inverted, or whose displacements are out of bounds, has no stress: the run ends.
  CLEAVE_HD_INLINE Response update(const Gradient& g, State&, Real /*dt*/) const {
    const Real fxx = 1 + g.xx, fyy = 1 + g.yy;
    // Computed from the gradient instead of F, because strains are small against 1.
    const Real dilation = g.xx + g.yy + (g.xx * g.yy - g.xy * g.yx), volume = 1 + dilation;
    if (!(volume > 0 && volume < Real(1e30))) return {};
    const Real log = log_one_plus(dilation), inverse = 1 / volume;
    const Real across = inverse * (lambda * log);            // component of Cauchy's stress
    const Real pull = std::fma(lambda, log, -mu) * inverse;  // mu F + pull cof F
    const Real squares = g.xx * g.xx + g.xy * g.xy + g.yx * g.yx + g.yy * g.yy;
    const Real stored = mu * (Real(0.5) * squares + (g.xx + g.yy - log)) + Real(0.5) * lambda * log * log;
    return {{std::fma(mu, fxx, pull * fyy), std::fma(mu, g.xy, -pull * g.yx), std::fma(mu, g.yx, -pull * g.xy),
             std::fma(mu, fyy, pull * fxx)},
            stored,
            0,
            across};
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
