/// How friction acts at a Gauss point.
///
/// Faces stick by a tangential spring; where it would pull by more than the coefficient times the pressure, its zero is
/// dragged along. The spring begins without tension when the law fails, and anew where faces have been apart. It is
/// softer than contact: with both as stiff, facets that share corners would be unstable at the usual step
/// (docs/theory.md, 5.7).
#pragma once

#include "terms/cohesive/cohesive.hpp"
#include "terms/friction/friction.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Stiffness of the spring, Pa/m.
CLEAVE_HD inline Real friction_stiffness(const CohesivePoint& point) { return Real(0.25) * point.contact_stiffness; }

/// The largest traction that faces can bear, in the scale of CohesiveTable, Pa; 0: they are apart, or hold.
/// Contact bears the friction of faces that it has taken over: they have no pressure here (handed_over_offset).
template <class Law>
CLEAVE_HD inline Real friction_limit(const Friction& friction, const Law& law, Vec2 opening, const CohesivePoint& point,
                                     const typename Law::State& state) {
  return law.failed(state) ? friction.coefficient * larger(Real(0), -law.respond(opening, point, state).traction.x)
                           : Real(0);
}

/// Leads a spring to a tangential opening. Returns the work of the step, J/m^2.
/// @param stiffness  Pa/m
/// @param limit      the largest traction, Pa; 0: the faces are apart, or not yet failed
CLEAVE_HD inline Real stick_or_slide(FrictionPoint& spring, Real to, Real stiffness, Real limit) {
  Real now = stiffness * (to - spring.zero);
  if (!(std::fabs(now) <= limit)) {
    now = std::copysign(limit, now);
    spring.zero = to - now / stiffness;
  }
  const Real work = Real(0.5) * (spring.traction + now) * (to - spring.last);
  spring.last = to;
  spring.traction = now;
  return work;
}

/// Traction of friction at a Gauss point, and energy per area.
struct Rubbed {
  Real traction = 0;  ///< tangential, that acts from then on, Pa
  Real work = 0;      ///< of a step, or held by the spring, J/m^2
};

/// Leads a Gauss point to an opening.
/// @param i       FacetGauss::points * cohesive + q
/// @param weight  of the Gauss point, m^2
template <class Law>
CLEAVE_HD_INLINE Rubbed rub(const Friction& friction, const Law& law, Index i, Vec2 opening, const CohesivePoint& point,
                            const typename Law::State& state, Real weight) {
  FrictionPoint spring = friction.spring[i];
  const Real limit = friction_limit(friction, law, opening, point, state);
  const Real done = stick_or_slide(spring, opening.y, friction_stiffness(point), limit);
  friction.spring[i] = spring;
  friction.work[i] += weight * done;
  return {spring.traction, done};
}

/// The traction that acts, and the energy of its spring with the work on the way to a tangential opening.
/// @param i  see rub
CLEAVE_HD inline Rubbed held_by_friction(const Friction& friction, Index i, const CohesivePoint& point, Real to) {
  const FrictionPoint spring = friction.spring[i];
  const Real held = Real(0.5) * spring.traction * spring.traction / friction_stiffness(point);
  return {spring.traction, held + Real(0.5) * spring.traction * (to - spring.last)};
}

}  // namespace cleave::inline CLEAVE_PRECISION
