/// Isotropic linear elasticity in the plane.
#pragma once

#include "cleave/config/case.hpp"
#include "cleave/core/types.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Stress from strain. The elasticity matrix is [[d11, d12, 0], [d12, d11, 0], [0, 0, d33]] in Pa, for engineering
/// shear.
struct LinearElastic {
  Real d11 = 0;
  Real d12 = 0;
  Real d33 = 0;
  Real density = 0;  ///< kg/m^3

  static LinearElastic make(const MaterialCase& m) {
    const double e = m.young_modulus;
    const double nu = m.poisson_ratio;
    const double shear = e / (2 * (1 + nu));
    const auto rounded = [&](double d11, double d12) {
      return LinearElastic{static_cast<Real>(d11), static_cast<Real>(d12), static_cast<Real>(shear),
                           static_cast<Real>(m.density)};
    };
    if (m.plane == PlaneType::stress) return rounded(e / (1 - nu * nu), nu * e / (1 - nu * nu));
    const double factor = e / ((1 + nu) * (1 - 2 * nu));
    return rounded(factor * (1 - nu), factor * nu);
  }

  /// @param exx, eyy, gxy  strains, gxy = 2 exy the engineering shear
  CLEAVE_HD Sym2 stress(Real exx, Real eyy, Real gxy) const {
    return {d11 * exx + d12 * eyy, d12 * exx + d11 * eyy, d33 * gxy};
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
