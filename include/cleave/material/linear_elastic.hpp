/// Isotropic linear elasticity in the plane.
#pragma once

#include "cleave/material/material_case.hpp"
#include "cleave/material/material_point.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// The elasticity matrix is [[d11, d12, 0], [d12, d11, 0], [0, 0, d33]] in Pa, for engineering shear.
struct LinearElastic {
  static constexpr const char* name = "linear_elastic";
  static constexpr bool finite = false;
  struct State {};

  Real d11 = 0;
  Real d12 = 0;
  Real d33 = 0;
  Real density = 0;  ///< kg/m^3
  Real d13 = 0;      ///< stress across the plane over the sum of xx and yy strain, Pa; zero in plane stress

  static LinearElastic make(const MaterialCase& c) { return make(c.parameters); }
  static LinearElastic make(const ElasticParameters& p) {
    const double e = p.young_modulus;
    const double nu = p.poisson_ratio;
    const double shear = e / (2 * (1 + nu));
    const auto rounded = [&](double of_same, double of_other, double across) {
      return LinearElastic{static_cast<Real>(of_same), static_cast<Real>(of_other), static_cast<Real>(shear),
                           static_cast<Real>(p.density), static_cast<Real>(across)};
    };
    if (p.plane == PlaneType::stress) return rounded(e / (1 - nu * nu), nu * e / (1 - nu * nu), 0);
    const double factor = e / ((1 + nu) * (1 - 2 * nu));
    return rounded(factor * (1 - nu), factor * nu, factor * nu);
  }

  CLEAVE_HD_INLINE Response update(const Gradient& g, State&, Real /*dt*/) const {
    const Real shear = g.shear();
    const Real xx = std::fma(d11, g.xx, d12 * g.yy), yy = std::fma(d12, g.xx, d11 * g.yy), xy = d33 * shear;
    return {{xx, xy, xy, yy}, Real(0.5) * (xx * g.xx + yy * g.yy + xy * shear), 0, d13 * (g.xx + g.yy)};
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
