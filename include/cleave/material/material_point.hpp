/// What a material sees and says at one Gauss point.
///
/// A material is a plain struct:
///     static constexpr const char* name = ...;                     // of the law, in the case file
///     static constexpr bool finite = ...;                          // see below
///     static constexpr Quantity dissipation = ...;                 // the column of what it dissipates, if it does
///     static constexpr LawParameter parameters[] = ...;            // keys beside those of elasticity, if it has any
///     struct State { ... };                                        // history of a point; may be empty
///     static constexpr StateField fields[] = ...;                  // what of it frames may have, if anything
///     static constexpr std::size_t element_flag = ...;             // offsetof of what its points share, if anything
///     static Material make(const MaterialCase&);
///     static double damping_time(const MaterialCase&);             // s, if its stress goes by the rate of strain, too
///     Response update(const Gradient&, State&, Real dt) const;     // leads a point to a new gradient
///     void rest_at(const Gradient&, State&) const;                 // if its state follows the strain, see RestsAt
///     bool may_erode() const; bool erodes(const State&) const; void erode(State&) const;     // if elements may erode
/// The solver keeps the states, and calls `update` on them once a step; whoever only wants to know calls it on a copy,
/// with dt = 0 at a gradient where the state has been.
///
/// A law of small strains (`finite` is false) takes the symmetric part of the gradient, and its stress is Cauchy's. One
/// of finite strains takes all of it, and gives the first Piola-Kirchhoff stress.
#pragma once

#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstring>

#include "cleave/core/types.hpp"
#include "cleave/material/law_parameter.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Displacement gradient with respect to the reference position: du_x/dx, du_x/dy, du_y/dx, du_y/dy.
struct Gradient {
  Real xx = 0, xy = 0, yx = 0, yy = 0;

  /// Engineering shear strain.
  CLEAVE_HD_INLINE Real shear() const { return xy + yx; }
  /// Volume change J = det(I + grad u), with no strain across the plane.
  CLEAVE_HD_INLINE Real jacobian() const { return (1 + xx) * (1 + yy) - xy * yx; }
};

/// Stress conjugate to the gradient: stress . d(gradient) is the work per reference volume, Pa. With small strains it
/// is symmetric and Cauchy's.
struct Stress {
  Real xx, xy, yx, yy;

  CLEAVE_HD_INLINE Vec2 operator*(Vec2 v) const { return {std::fma(xx, v.x, xy * v.y), std::fma(yx, v.x, yy * v.y)}; }
  CLEAVE_HD_INLINE Sym2 symmetric() const { return {xx, yy, Real(0.5) * (xy + yx)}; }
};

/// A number of a law's state that frames may have, as a field of this name: the mean over an element's Gauss points.
/// Several laws may have a field of one name.
struct StateField {
  const char* name;
  std::size_t place;  ///< offsetof(State, MEMBER), a Real

  template <class State>
  Real of(const State& state) const {
    Real value;
    std::memcpy(&value, reinterpret_cast<const char*>(&state) + place, sizeof value);
    return value;
  }
};

/// Cauchy's stress P F^T / J of a first Piola-Kirchhoff stress P, F = I + grad u, Pa.
/// @param thickness_ratio  see Response
CLEAVE_HD_INLINE Sym2 cauchy_stress(const Stress& p, const Gradient& g, Real thickness_ratio = 1) {
  const Real inverse = 1 / (g.jacobian() * thickness_ratio);
  const Real xx = p.xx * (1 + g.xx) + p.xy * g.xy, yy = p.yx * g.yx + p.yy * (1 + g.yy);
  const Real xy = p.xx * g.yx + p.xy * (1 + g.yy), yx = p.yx * (1 + g.xx) + p.yy * g.xy;
  return {inverse * xx, inverse * yy, inverse * (Real(0.5) * (xy + yx))};
}

/// What a material says at a gradient.
struct Response {
  Stress stress;
  Real stored = 0;      ///< energy per reference volume that unloading would give back, J/m^3
  Real dissipated = 0;  ///< since the step before, J/m^3
  Real across = 0;      ///< normal stress across the plane, Pa; it does no work
  /// Present over reference thickness, F33, of a law of finite strains in plane stress; the Piola-Kirchhoff stress is
  /// per reference thickness.
  Real thickness_ratio = 1;
};

/// Cauchy's stress of a law's response, Pa.
template <class Material>
CLEAVE_HD_INLINE Sym2 true_stress(const Response& response, const Gradient& g) {
  if constexpr (Material::finite)
    return cauchy_stress(response.stress, g, response.thickness_ratio);
  else
    return response.stress.symmetric();
}

/// A law whose state follows the strain even where nothing moves, as that of a dashpot does: at the start of a run it
/// is told of the initial strain, in which the body has been at rest, before `update` is called.
template <class Law>
concept RestsAt = requires(const Law law, const Gradient& gradient, typename Law::State& state) {
  law.rest_at(gradient, state);
};

/// A law with a flag of the element: a Real of its State, 0 at first, that any Gauss point of the element may raise.
/// After a step all points of the element have the largest; so what one raises the others see from the next step on, in
/// whatever order they are computed.
template <class Law>
concept SharesFlag = requires {
  { Law::element_flag } -> std::convertible_to<std::size_t>;
};

/// A law that takes elements out of the body: the flag of an element that any of its points may set. `erodes` is asked
/// at every fracture check; if it says yes at one point, `erode` is called at all of the element, after which `update`
/// must say that there is neither stress nor energy.
template <class Law>
concept Erodes = requires(const Law law, const typename Law::State state, typename Law::State& changed) {
  { law.may_erode() } -> std::same_as<bool>;
  { law.erodes(state) } -> std::same_as<bool>;
  law.erode(changed);
};

}  // namespace cleave::inline CLEAVE_PRECISION
