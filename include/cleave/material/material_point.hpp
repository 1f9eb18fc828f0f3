/// What a material sees and says at one Gauss point.
///
/// A material is a plain struct:
///     using Parameters = ...;                                                   // as the case file gives them
///     struct State { ... };                                                     // history of a point; may be empty
///     static Material make(const Parameters&);
///     Response update(const Gradient&, State&, Real dt) const;                  // leads a point to a new gradient
///     Real wave_modulus() const;                                                // Pa, of the fastest wave
///     Real density;                                                             // kg/m^3
/// The solver keeps the states, and calls `update` on them once a step; whoever only wants to know calls it on a copy.
#pragma once

#include <cmath>

#include "cleave/core/types.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Displacement gradient with respect to the reference position: du_x/dx, du_x/dy, du_y/dx, du_y/dy.
struct Gradient {
  Real xx = 0, xy = 0, yx = 0, yy = 0;

  /// Engineering shear strain.
  CLEAVE_HD_INLINE Real shear() const { return xy + yx; }
  /// Volume change det(I + grad u).
  CLEAVE_HD_INLINE Real jacobian() const { return (1 + xx) * (1 + yy) - xy * yx; }
};

/// Stress conjugate to the gradient: stress . d(gradient) is the work per reference volume, Pa. With small strains it
/// is symmetric and Cauchy's.
struct Stress {
  Real xx, xy, yx, yy;

  CLEAVE_HD_INLINE Vec2 operator*(Vec2 v) const { return {std::fma(xx, v.x, xy * v.y), std::fma(yx, v.x, yy * v.y)}; }
  CLEAVE_HD_INLINE Sym2 symmetric() const { return {xx, yy, Real(0.5) * (xy + yx)}; }
};

/// What a material says at a gradient.
struct Response {
  Stress stress;
  Real stored = 0;      ///< energy per reference volume that unloading would give back, J/m^3
  Real dissipated = 0;  ///< since the step before, J/m^3
  Real across = 0;      ///< normal stress across the plane, Pa; it does no work
};

}  // namespace cleave::inline CLEAVE_PRECISION
