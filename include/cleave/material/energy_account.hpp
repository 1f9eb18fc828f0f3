/// Tractions that neither create nor destroy energy over a time step (`cohesive.energy: consistent`).
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

/// What a law says at the end of a step from one opening to the next, with the traction that settles the account.
/// Recoverable energy is `recoverable` + account; work less their change, what is dissipated, is never negative.
///
/// @param from, to  opening before and after (normal, tangential), m
/// @param held      traction that was really applied before, Pa
/// @param history   of the law, before the step; updated
/// @param account   work that was work_before and that the law knows nothing of, J/m^2; updated
template <class Law>
CLEAVE_HD CohesiveResponse respond_consistently(const Law& law, Vec2 from, Vec2 to, Vec2 held,
                                                const CohesivePoint& point, Real* history, Real& account) {
  Real old[Law::num_history];
  for (int h = 0; h < Law::num_history; ++h) old[h] = history[h];
  const CohesiveResponse before = law.respond(from.x, from.y, point, old);
  CohesiveResponse now = law.respond(to.x, to.y, point, history);
  bool softened = false;
  for (int h = 0; h < Law::num_history; ++h) softened = softened || history[h] != old[h];
  softened = softened && !law.failed(old);

  const Vec2 moved = to - from;
  const Vec2 mean{Real(0.5) * (held.x + now.normal), Real(0.5) * (held.y + now.tangential)};
  const Real excess = dot(mean, moved) - (now.recoverable - before.recoverable);
  // Of it the integration's own: half of the last extra traction, and the kink of contact, 1/2 kp |x0 x1|.
  const Real extra = Real(0.5) * ((held.x - before.normal) * moved.x + (held.y - before.tangential) * moved.y);
  const Real kink =
      Real(0.5) * point.contact_stiffness *
      (smaller(Real(0), from.x) * larger(Real(0), to.x) - larger(Real(0), from.x) * smaller(Real(0), to.x));
  // The rest of a step that softens is what the law dissipates. It pays back what the account owes first.
  const Real dissipated = softened ? larger(Real(0), excess - extra - kink) : Real(0);
  account += excess - dissipated;
  if (account < 0) account = smaller(Real(0), account + dissipated);

  // The extra traction works in this step and the next: each brings half of the account, if they are alike.
  const Real square = dot(moved, moved), unit = point.stiffness_cap * square;
  if (std::fabs(account) > least_account_stiffness * unit) {
    const Real most = largest_account_stiffness * point.stiffness_cap;
    const Real drag = larger(-most, smaller(-account / square, most));
    now.normal += drag * moved.x;
    now.tangential += drag * moved.y;
    account += Real(0.5) * drag * square;
  }
  return now;
}

/// The account that a Gauss point starts with: what the law calls recoverable at its insertion was never put in.
template <class Law>
CLEAVE_HD Real opening_account(const Law& law, const CohesivePoint& point, const Real* history) {
  Real copy[Law::num_history];
  for (int h = 0; h < Law::num_history; ++h) copy[h] = history[h];
  return -law.respond(0, 0, point, copy).recoverable;
}

}  // namespace cleave::inline CLEAVE_PRECISION
