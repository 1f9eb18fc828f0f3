/// Step of a cohesive law at a Gauss point, with tractions that neither create nor destroy energy.
///
/// The work of a step in the energy balance follows the trapezoidal rule, which is exactly what the motion loses. If a
/// step crosses a kink of the law, such as the onset of contact, this differs from the energy that the law stores and
/// dissipates. An account per Gauss point holds the difference, and an extra traction along the motion returns the
/// account to zero.
#pragma once

#include <cmath>

#include "cleave/material/cohesive_point.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Upper limit of |extra traction| / |motion of the step|, in stiffness caps. The error of a step of length d that
/// enters or leaves contact is at most 1/8 kp d^2, and kp is at most one stiffness cap.
inline constexpr Real largest_account_stiffness = 0.125;
/// Lower limit, in stiffness caps: smaller accounts are not returned. Halved every step, they would become denormal.
inline constexpr Real least_account_stiffness = Real(1e-12);
/// Number of equal pieces in which a step that changes the history is followed.
inline constexpr int pieces_of_step = 8;

/// Excess of the trapezoidal work of a motion from a to b over the energy of contact, J/m^2.
/// @param a, b  normal openings from zero traction, m
CLEAVE_HD inline Real contact_kink(Real contact_stiffness, Real a, Real b) {
  const Real zero = 0;
  return Real(0.5) * contact_stiffness * (smaller(zero, a) * larger(zero, b) - larger(zero, a) * smaller(zero, b));
}

/// The motion of a Gauss point during a step.
struct CohesiveMotion {
  Vec2 from, to;  ///< openings, m
  CohesivePoint point;

  CLEAVE_HD Vec2 piece() const { return Real(1) / pieces_of_step * (to - from); }
  /// Opening at the end of piece i, m; i = 0: at the start of the step.
  CLEAVE_HD Vec2 at(int i) const { return i == pieces_of_step ? to : from + Real(i) * piece(); }
};

/// Passes the motion of a step to a law that has `begin`, before the law records any opening of it.
template <class Law>
CLEAVE_HD_INLINE void begin_step(const Law& law, const CohesiveMotion& motion, typename Law::State& state) {
  if constexpr (requires { law.begin(motion.from, motion.to, state); }) law.begin(motion.from, motion.to, state);
}

/// Moves a law to an opening. Returns true if its history has changed.
template <class Law>
CLEAVE_HD bool lead(const Law& law, Vec2 opening, const CohesivePoint& point, typename Law::State& state) {
  const bool changed = law.note(opening, point, state);
  if (changed) law.settle(point, state);
  return changed;
}

/// Response at the end of a piece.
struct PieceEnd {
  CohesiveResponse response;
  bool changed;  ///< whether the history has changed in this piece
  bool failed;
};

/// Moves the state of a law through piece i.
/// @param unsettled  whether the state needs settle() at the start of the piece
template <class Law>
CLEAVE_HD PieceEnd end_of_piece(const Law& law, const CohesiveMotion& motion, int i, typename Law::State& state,
                                bool unsettled = false) {
  const bool changed = law.note(motion.at(i), motion.point, state);
  if (changed || unsettled) law.settle(motion.point, state);
  return {law.respond(motion.at(i), motion.point, state), changed, law.failed(state)};
}

/// Work of the law in a piece, J/m^2: the change of the stored energy if the history does not change, else the
/// trapezoidal work of the law's tractions.
CLEAVE_HD inline Real work_of_piece(const CohesiveMotion& motion, int i, const PieceEnd& before,
                                    const PieceEnd& after) {
  if (!after.changed || before.failed) return after.response.stored - before.response.stored;
  const Real x = motion.point.from_zero_traction(motion.at(i - 1)).x;
  const Real next_x = motion.point.from_zero_traction(motion.at(i)).x;
  return Real(0.5) * dot(before.response.traction + after.response.traction, motion.piece()) -
         contact_kink(motion.point.contact_stiffness, x, next_x);
}

/// Work of the law in a step, J/m^2.
/// @param state  state of the law at the start of the step
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

/// Result of a step at a Gauss point.
struct CohesivePointStep {
  Vec2 traction;         ///< acts from now on, Pa
  bool changed = false;  ///< whether the state has changed
  Real dissipated = 0;   ///< in this step, J/m^2; never negative
};

/// Settles the account of a step. The recoverable energy is the stored energy of the law plus the account; work that
/// does not change it is dissipated.
/// @param acted     traction before the step, Pa
/// @param was, now  state of the law before and after the step
/// @param changed   whether the state has changed
/// @param work      work of the law if the state has changed, J/m^2
/// @param account   booked work that the law neither stores nor dissipates, J/m^2; updated
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

  // The extra traction works in this step and the next; if they are alike, each returns half of the account. Faces in
  // contact and separated faces get no tangential extra traction, which would brake sliding faces.
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

/// A law whose history has changed in a step.
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

/// Moves a Gauss point from one opening to the next.
/// @param acted    traction before the step, Pa
/// @param state    state of the law; updated
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
