/// The step of a cohesive law at a Gauss point: tractions that neither create nor destroy energy.
///
/// The ledger books the work of a step by the trapezoidal rule, which is what the motion really loses. Where a step
/// crosses a kink of the law, such as that between opening and contact, this is not what the law stores and dissipates.
/// An account per Gauss point holds the difference, and an extra traction along the motion brings it back to zero.
#pragma once

#include <cmath>

#include "cleave/material/cohesive_point.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Largest |extra traction| / |motion of the step|, in stiffness caps. A step of length d that enters or leaves contact
/// is wrong by up to 1/8 kp d^2, and kp is a stiffness cap at most.
inline constexpr Real largest_account_stiffness = 0.125;
/// Below this the account is left alone: halved every step it would become denormal.
inline constexpr Real least_account_stiffness = 1e-12;
/// A step that changes the history is followed in that many equal pieces.
inline constexpr int pieces_of_step = 8;

/// What the trapezoidal work of a motion from a to b has too much at the kink of contact, J/m^2.
/// @param a, b  normal openings from zero traction, m
CLEAVE_HD inline Real contact_kink(Real contact_stiffness, Real a, Real b) {
  const Real zero = 0;
  return Real(0.5) * contact_stiffness * (smaller(zero, a) * larger(zero, b) - larger(zero, a) * smaller(zero, b));
}

/// The law's own work from one opening to another, J/m^2, piece by piece: where the history rests it is the change of
/// the stored energy, else the trapezoid of the law's tractions.
/// @param before  the response at `from`
/// @param state   of the law at `from`
template <class Law>
CLEAVE_HD Real law_work(const Law& law, Vec2 from, Vec2 to, const CohesivePoint& point, CohesiveResponse before,
                        typename Law::State state) {
  const Vec2 piece = Real(1) / pieces_of_step * (to - from);
  Real work = 0, x = point.from_zero_traction(from).x;
  for (int i = 1; i <= pieces_of_step; ++i) {
    const Vec2 opening = i == pieces_of_step ? to : from + Real(i) * piece;
    const bool changed = law.advance(opening, point, state);
    const CohesiveResponse now = law.respond(opening, point, state);
    const Real next_x = point.from_zero_traction(opening).x;
    if (changed)
      work += Real(0.5) * dot(before.traction + now.traction, piece) - contact_kink(point.contact_stiffness, x, next_x);
    else
      work += now.stored - before.stored;
    before = now;
    x = next_x;
  }
  return work;
}

/// What a step did at a Gauss point.
struct CohesivePointStep {
  Vec2 traction;         ///< that acts from now on, Pa
  Real dissipated = 0;   ///< in this step, J/m^2; never negative
  bool changed = false;  ///< the state has
};

/// Leads a Gauss point from one opening to the next. Recoverable energy is the law's stored energy + account; work less
/// its change is what was dissipated.
/// @param from, to  openings, m
/// @param acted     traction that acted before, Pa
/// @param state     of the law; updated
/// @param account   J/m^2, work that was booked and that the law neither stores nor dissipates; updated
template <class Law>
CLEAVE_HD CohesivePointStep step_point(const Law& law, Vec2 from, Vec2 to, Vec2 acted, const CohesivePoint& point,
                                       typename Law::State& state, Real& account) {
  CohesivePointStep step;
  const CohesiveResponse before = law.respond(from, point, state);
  const typename Law::State was = state;
  step.changed = law.advance(to, point, state);
  const CohesiveResponse now = law.respond(to, point, state);
  const Vec2 moved = to - from;
  const Real change = now.stored - before.stored;
  if (step.changed) step.dissipated = larger(Real(0), law_work(law, from, to, point, before, was) - change);
  account += Real(0.5) * dot(acted + now.traction, moved) - change - step.dissipated;

  // The extra traction works in this step and the next: each brings half of the account, if they are alike. Faces in
  // contact, and those that nothing joins any more, feel no friction from it.
  const bool slides = law.failed(state) || point.from_zero_traction(from).x < 0 || point.from_zero_traction(to).x < 0;
  const Vec2 along = slides ? Vec2{moved.x, 0} : moved;
  const Real square = dot(along, along), cap = point.stiffness_cap;
  step.traction = now.traction;
  if (std::fabs(account) > least_account_stiffness * cap * dot(moved, moved) && square > 0) {
    const Real most = largest_account_stiffness * cap;
    const Real stiffness = larger(-most, smaller(-account / square, most));
    step.traction += stiffness * along;
    account += Real(0.5) * stiffness * square;
  }
  return step;
}

}  // namespace cleave::inline CLEAVE_PRECISION
