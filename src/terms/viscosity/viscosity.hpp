/// Coefficients of artificial viscosity.
#pragma once

#include "cleave/core/types.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Viscosity of a material; both zero: none.
struct Viscosity {
  Real linear = 0;     ///< c1 rho c, kg/(m^2 s)
  Real quadratic = 0;  ///< c2 rho, kg/m^3
};

}  // namespace cleave::inline CLEAVE_PRECISION
