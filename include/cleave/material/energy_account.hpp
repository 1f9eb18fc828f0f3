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
inline constexpr Real least_account_stiffness = Real(1e-12);
/// A step that changes the history is followed in that many equal pieces.
inline constexpr int pieces_of_step = 8;

/// What the trapezoidal work of a motion from a to b has too much at the kink of contact, J/m^2.
/// @param a, b  normal openings from zero traction, m
CLEAVE_HD inline Real contact_kink(Real contact_stiffness, Real a, Real b) {
  const Real zero = 0;
  return Real(0.5) * contact_stiffness * (smaller(zero, a) * larger(zero, b) - larger(zero, a) * smaller(zero, b));
}

/// The motion of a Gauss point in a step.
struct CohesiveMotion {
  Vec2 from, to;  ///< openings, m
  CohesivePoint point;

  CLEAVE_HD Vec2 piece() const { return Real(1) / pieces_of_step * (to - from); }
  /// Opening at the end of a piece, 1 to pieces_of_step; 0: where the first begins.
  CLEAVE_HD Vec2 at(int i) const { return i == pieces_of_step ? to : from + Real(i) * piece(); }
};

/// Tells a law that looks at how a step goes of its motion, before it takes note of any of it.
template <class Law>
CLEAVE_HD_INLINE void begin_step(const Law& law, const CohesiveMotion& motion, typename Law::State& state) {
  if constexpr (requires { law.begin(motion.from, motion.to, state); }) law.begin(motion.from, motion.to, state);
}

/// Leads a law to an opening. Returns whether its history has changed.
template <class Law>
CLEAVE_HD bool lead(const Law& law, Vec2 opening, const CohesivePoint& point, typename Law::State& state) {
  const bool changed = law.note(opening, point, state);
  if (changed) law.settle(point, state);
  return changed;
}

/// What a law says at the end of a piece.
struct PieceEnd {
  CohesiveResponse response;
  bool changed;  ///< the history has in this piece
  bool failed;
};

/// Leads the state of a law over a piece.
/// @param unsettled  whether the state is, where the piece begins
template <class Law>
CLEAVE_HD PieceEnd end_of_piece(const Law& law, const CohesiveMotion& motion, int i, typename Law::State& state,
                                bool unsettled = false) {
  const bool changed = law.note(motion.at(i), motion.point, state);
  if (changed || unsettled) law.settle(motion.point, state);
  return {law.respond(motion.at(i), motion.point, state), changed, law.failed(state)};
}

/// The law's own work in a piece: where the history rests the change of the stored energy, else the trapezoid of the
/// law's tractions, J/m^2.
CLEAVE_HD inline Real work_of_piece(const CohesiveMotion& motion, int i, const PieceEnd& before,
                                    const PieceEnd& after) {
  if (!after.changed || before.failed) return after.response.stored - before.response.stored;
  const Real x = motion.point.from_zero_traction(motion.at(i - 1)).x;
  const Real next_x = motion.point.from_zero_traction(motion.at(i)).x;
  return Real(0.5) * dot(before.response.traction + after.response.traction, motion.piece()) -
         contact_kink(motion.point.contact_stiffness, x, next_x);
}

/// The law's own work in a step, J/m^2.
/// @param state  of the law where it begins
template <class Law>
CLEAVE_HD Real law_work(const Law& law, const CohesiveMotion& motion, typename Law::State state) {
  PieceEnd before{law.respond(motion.from, motion.point, state), false, law.failed(state)};
  Real work = 0;
  for (int i = 1; i <= pieces_of_step; ++i) {
    const PieceEnd after = end_of_piece(law, motion, i, state);
    work += work_of_piece(motion, i, before, after);
    before = after;
  }
  return work;
}

/// What a step did at a Gauss point.
struct CohesivePointStep {
  Vec2 traction;         ///< that acts from now on, Pa
  bool changed = false;  ///< the state has
  Real dissipated = 0;   ///< in this step, J/m^2; never negative
};

/// Settles the account of a step. Recoverable energy is the law's stored energy + account; work less its change is what
/// was dissipated.
/// @param acted     traction that acted before, Pa
/// @param was, now  state of the law before and after
/// @param changed   the state has
/// @param work      the law's own work, if it has, J/m^2
/// @param account   J/m^2, work that was booked and that the law neither stores nor dissipates; updated
template <class Law>
CLEAVE_HD_INLINE CohesivePointStep settle_account(const Law& law, const CohesiveMotion& motion, Vec2 acted,
                                                  const typename Law::State& was, const typename Law::State& now,
                                                  bool changed, Real work, Real& account) {
  const CohesivePoint& point = motion.point;
  const CohesiveResponse before = law.respond(motion.from, point, was), after = law.respond(motion.to, point, now);
  const Vec2 moved = motion.to - motion.from;
  const Real change = after.stored - before.stored;
  CohesivePointStep step{after.traction, changed, changed ? larger(Real(0), work - change) : Real(0)};
  account += Real(0.5) * dot(acted + after.traction, moved) - change - step.dissipated;

  // The extra traction works in this step and the next: each brings half of the account, if they are alike. Faces in
  // contact, and those that nothing joins any more, feel no friction from it.
  const bool slides =
      law.failed(now) || point.from_zero_traction(motion.from).x < 0 || point.from_zero_traction(motion.to).x < 0;
  const Vec2 along = slides ? Vec2{moved.x, 0} : moved;
  const Real square = dot(along, along), cap = point.stiffness_cap;
  if (std::fabs(account) > least_account_stiffness * cap * dot(moved, moved) && square > 0) {
    const Real most = largest_account_stiffness * cap;
    const Real stiffness = larger(-most, smaller(-account / square, most));
    step.traction += stiffness * along;
    account += Real(0.5) * stiffness * square;
  }
  return step;
}

/// A law whose history has moved in a step.
template <class Law>
struct MovedLaw {
  typename Law::State state;  ///< after the step
  Real work;                  ///< see law_work, J/m^2
};
template <class Law>
CLEAVE_HD_SELDOM MovedLaw<Law> move_law(const Law& law, const CohesiveMotion& motion,
                                        const typename Law::State& before) {
  typename Law::State state = before;
  lead(law, motion.to, motion.point, state);
  return {state, law_work(law, motion, before)};
}

/// Leads a Gauss point from one opening to the next.
/// @param acted    traction that acted before, Pa
/// @param state    of the law; updated
/// @param account  see settle_account; updated
template <class Law>
CLEAVE_HD_INLINE CohesivePointStep step_point(const Law& law, const CohesiveMotion& motion, Vec2 acted,
                                              typename Law::State& state, Real& account) {
  begin_step(law, motion, state);
  const typename Law::State before = state;
  MovedLaw<Law> now{state, 0};
  const bool changed = law.note(motion.to, motion.point, now.state);
  if (changed) now = move_law(law, motion, before);
  state = now.state;
  return settle_account(law, motion, acted, before, state, changed, now.work, account);
}

}  // namespace cleave::inline CLEAVE_PRECISION
