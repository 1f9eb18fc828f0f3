/// Interface of a material law at one Gauss point.
///
/// A material is a plain struct:
///     static constexpr const char* name = ...;                     // name of the law in the case file
///     static constexpr bool finite = ...;                          // whether it is for finite strains, see below
///     static constexpr Quantity dissipation = ...;                 // optional: column of the energy that it
///     dissipates static constexpr LawParameter parameters[] = ...;            // optional: keys beside those of
///     elasticity struct State { ... };                                        // history of a Gauss point; may be
///     empty static constexpr StateField fields[] = ...;                  // optional: values of the state for output
///     static constexpr std::size_t element_flag = ...;             // optional: offsetof the element's flag in State
///     static Material make(const MaterialCase&);
///     static double damping_time(const MaterialCase&);             // s; for a stress that depends on the strain rate
///     Response update(const Gradient&, State&, Real dt) const;     // moves a point to a new gradient
///     void rest_at(const Gradient&, State&) const;                 // optional, see RestsAt
///     bool may_erode() const; bool erodes(const State&) const; void erode(State&) const;     // optional, see Erodes
/// The solver keeps the states and calls `update` on them once a step. To evaluate the law without a step, call
/// `update` on a copy of the state with dt = 0, at the gradient of that state.
///
/// A law of small strains (`finite` is false) uses the symmetric part of the gradient and returns Cauchy's stress. A
/// law of finite strains uses the whole gradient and returns the first Piola-Kirchhoff stress.
#pragma once

#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstring>

#include "cleave/core/types.hpp"
#include "cleave/material/law_parameter.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Displacement gradient with respect to reference positions: du_x/dx, du_x/dy, du_y/dx, du_y/dy.
struct Gradient {
  Real xx = 0, xy = 0, yx = 0, yy = 0;

  /// Engineering shear strain.
  CLEAVE_HD_INLINE Real shear() const { return xy + yx; }
  /// Volume ratio J = det(I + grad u), without strain across the plane.
  CLEAVE_HD_INLINE Real jacobian() const { return (1 + xx) * (1 + yy) - xy * yx; }
};

/// Stress conjugate to the gradient, Pa: stress . d(gradient) is the work per reference volume. For small strains it is
/// Cauchy's stress, which is symmetric.
struct Stress {
  Real xx, xy, yx, yy;

  CLEAVE_HD_INLINE Vec2 operator*(Vec2 v) const { return {std::fma(xx, v.x, xy * v.y), std::fma(yx, v.x, yy * v.y)}; }
  CLEAVE_HD_INLINE Sym2 symmetric() const { return {xx, yy, Real(0.5) * (xy + yx)}; }
};

/// A value of a law's state for output under this name: the mean over an element's Gauss points. Several laws may have
/// a field of the same name.
struct StateField {
  const char* name;
  std::size_t place;  ///< offsetof(State, MEMBER); the member is a Real

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

/// Response of a material at a gradient.
struct Response {
  Stress stress;
  Real stored = 0;      ///< energy per reference volume that unloading would return, J/m^3
  Real dissipated = 0;  ///< energy per reference volume dissipated in the step, J/m^3
  Real across = 0;      ///< normal stress across the plane, Pa; it does no work
  /// Present over reference thickness, F33, for a law of finite strains in plane stress. The Piola-Kirchhoff stress is
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

/// A law whose state holds the strain, as a dashpot's does. `rest_at` is called once at the start of a run, before
/// `update`, with the initial strain, in which the body has been at rest.
template <class Law>
concept RestsAt = requires(const Law law, const Gradient& gradient, typename Law::State& state) {
  law.rest_at(gradient, state);
};

/// A law with a flag per element: a Real of its State, initially 0, that any Gauss point of the element may raise.
/// After a step all points of the element get the largest value. A flag that one point raises is therefore seen by the
/// others from the next step on, in any order of computation.
template <class Law>
concept SharesFlag = requires {
  { Law::element_flag } -> std::convertible_to<std::size_t>;
};

/// A law that can remove elements from the body; the flag of the element is set by any of its points. The solver calls
/// `erodes` at every fracture check. If it returns true at one point, the solver calls `erode` at all points of the
/// element; afterwards `update` must return neither stress nor energy.
template <class Law>
concept Erodes = requires(const Law law, const typename Law::State state, typename Law::State& changed) {
  { law.may_erode() } -> std::same_as<bool>;
  { law.erodes(state) } -> std::same_as<bool>;
  law.erode(changed);
};

}  // namespace cleave::inline CLEAVE_PRECISION
