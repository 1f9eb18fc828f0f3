/// Law of a contact point: normal force, friction and the account of its energy, from scalars of its motion.
///
/// A penalty stores 1/2 K h^2 at a depth h beyond the allowance. The trapezoidal rule, by which a step books work, does
/// not add up to that where a step begins or ends contact. An account per point holds the difference, and an extra
/// force along the motion returns it, in contact and for some steps afterwards:
///     booked work of a step = change of (stored energy + account) + friction,      exactly.
/// The same law serves points against sides and points against obstacles: the caller has the geometry.
#pragma once

#include <cmath>

#include "body/sums.hpp"
#include "cleave/core/extremes.hpp"
#include "cleave/core/types.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Limits of the extra force over the motion of the step, in stiffnesses of the point. A step that begins or ends
/// contact misses at most K g^2 / 8; accounts below 1e-12 K g^2 are not returned, as halves of halves become denormal.
inline constexpr Real largest_settling_stiffness = Real(0.125);
inline constexpr Real least_settling_stiffness = Real(1e-12);
/// Stiffness of the tangential spring over that of the point; softer, so that a node stays stable at the same step.
inline constexpr Real stick_stiffness = Real(0.25);
/// A point that has left settles its account up to this gap, in lengths of the side.
inline constexpr Real settling_range = Real(0.25);

/// Sums of a row of history over contact points.
using PointSums = QuantityList<Quantity::contact_energy, Quantity::contact_friction_energy, Quantity::contact_points>;

/// State of a contact point. Zero: it has touched nothing yet.
struct PointState {
  double account = 0;  ///< A, J: work that was booked but neither stored nor dissipated; stays after leaving
  Real stiffness = 0;  ///< K, N/m: of this contact, or of the last one
  Real allowance = 0;  ///< depth that no work has paid for, m; it never grows, and is negative after a take-over alone
  Real closing = 0;    ///< h = depth - allowance, m
  Real stretch = 0;    ///< xi, of the tangential spring, m

  /// How deep the point is, m; 0 where it does not touch.
  CLEAVE_HD Real depth() const { return closing + allowance; }
  CLEAVE_HD double normal_energy() const { return 0.5 * stiffness * closing * closing; }
  CLEAVE_HD double stick_energy() const { return 0.5 * stick_stiffness * stiffness * stretch * stretch; }
  /// Recoverable energy, J.
  CLEAVE_HD double energy() const { return normal_energy() + stick_energy() + account; }
};

/// A step of a contact point, relative to what it touches.
struct PointMotion {
  Real depth = 0;         ///< at the end of the step, m
  Real parting = 0;       ///< g: motion during the step along the normal force, m; > 0: apart
  Real slip = 0;          ///< tangential motion during the step, m; 0 in the step in which contact begins
  double taken = 0;       ///< minus half the work that the forces of the step before do in this step, J
  bool touching = false;  ///< at the end of the step
  bool settling = false;  ///< not touching, but nearer than settling_range
};

/// Forces of a contact point that act from the end of the step on, and what the step books.
struct PointForces {
  Real normal = 0;        ///< R, N; > 0 pushes apart
  Real friction = 0;      ///< tau, N; acts against a positive slip
  double booked = 0;      ///< work that the step takes from the motion, J
  double dissipated = 0;  ///< of it, by friction, J; never negative
};

/// A point begins to touch. The depth that its approach in this step does not explain becomes an allowance: an overlap
/// at the start, one that is found late, and one with a side that has just come into being make no energy. The energy
/// of another contact, which ends in the same step, goes to the account.
/// @param stiffness  K, N/m
CLEAVE_HD inline void begin_contact(PointState& state, Real stiffness, const PointMotion& motion) {
  const Real zero = 0;
  state.account = state.energy();
  state.closing = state.stretch = 0;
  state.stiffness = stiffness;
  state.allowance = larger(zero, motion.depth - larger(zero, -motion.parting));
}

/// Lowers the stiffness of a point, when one of its nodes has split and bears less: energy that the softer springs do
/// not hold goes to the account.
CLEAVE_HD inline void soften_contact(PointState& state, Real stiffness) {
  if (!(stiffness < state.stiffness)) return;
  const double before = state.normal_energy() + state.stick_energy();
  state.stiffness = stiffness;
  state.account += before - (state.normal_energy() + state.stick_energy());
}

/// A point takes over from another law that has pressed it so far, such as a cohesive element that has failed. Force
/// and energy go on without a jump.
/// @param closing  depth that the other law counts at the end of this step, m
/// @param stretch  of its tangential spring, in stretches of a spring of this stiffness, m
/// @param energy   recoverable energy of the other law before this step, and the half of this step's work that its last
///                 forces do, as PointMotion::taken, J
CLEAVE_HD inline void take_over_contact(PointState& state, Real stiffness, Real depth, Real closing, Real stretch,
                                        double energy) {
  state.stiffness = stiffness;
  state.allowance = depth - closing;
  state.closing = 0;
  state.stretch = stretch;
  state.account = energy - state.stick_energy();
}

/// Whether a point that has left and moves away has returned its account: nothing holds it any more.
CLEAVE_HD inline bool has_settled(const PointState& state, const PointMotion& motion) {
  const double square = static_cast<double>(motion.parting) * motion.parting;
  return motion.parting > 0 && std::fabs(state.account) <= least_settling_stiffness * state.stiffness * square;
}

/// Extra normal force that leads an account to where it is wanted, N. It works half in this step and half in the next:
/// if they are alike, each returns half of the account.
/// @param due  account at the end of the step without an extra force, J
CLEAVE_HD inline Real settling_force(const PointState& state, const PointMotion& motion, double due) {
  const double square = static_cast<double>(motion.parting) * motion.parting;
  const double k = state.stiffness;
  if (!(std::fabs(due) > least_settling_stiffness * k * square) || square == 0) return 0;
  if (!motion.touching && !(motion.settling && motion.parting > 0)) return 0;
  // In contact the account keeps what leaving may cost: without it, every departure is a debt.
  const double reserve = motion.touching ? largest_settling_stiffness * k * square : 0;
  const double most = largest_settling_stiffness * k;
  return static_cast<Real>(larger(-most, smaller((due - reserve) / square, most))) * motion.parting;
}

/// Moves the tangential spring: it sticks, or its end is dragged along at Coulomb's limit. Returns the heat, J.
/// @param limit  the largest force, N
CLEAVE_HD inline double drag_spring(PointState& state, Real slip, Real limit) {
  const double k = stick_stiffness * state.stiffness, before = state.stretch;
  const Real most = limit / static_cast<Real>(k);
  state.stretch = larger(-most, smaller(state.stretch + slip, most));
  const double after = state.stretch;
  return larger(0.0, 0.5 * k * ((before + after) * slip - (after * after - before * before)));
}

/// Moves a contact point through a step. A point that no longer touches loses its spring to friction and settles.
/// @param friction  Coulomb's coefficient
CLEAVE_HD inline PointForces step_point_state(PointState& state, const PointMotion& motion, Real friction) {
  const Real zero = 0;
  if (!(state.stiffness > 0)) return {};
  const double normal_before = state.normal_energy(), stick_before = state.stick_energy();
  state.allowance = motion.touching ? smaller(state.allowance, motion.depth) : zero;
  state.closing = motion.touching ? motion.depth - state.allowance : zero;
  const Real law = state.stiffness * state.closing;
  // The spring's share of the account is the same whether it sticks or slips.
  const double due = state.account + motion.taken -
                     0.5 * stick_stiffness * state.stiffness * state.stretch * motion.slip -
                     0.5 * law * motion.parting - (state.normal_energy() - normal_before);
  PointForces forces;
  forces.normal = law + settling_force(state, motion, due);
  const Real limit = motion.touching ? friction * larger(zero, forces.normal) : zero;
  forces.dissipated = drag_spring(state, motion.slip, limit);
  forces.friction = stick_stiffness * state.stiffness * state.stretch;
  forces.booked = motion.taken - 0.5 * forces.normal * motion.parting + 0.5 * forces.friction * motion.slip;
  state.account += forces.booked - (state.normal_energy() - normal_before) - (state.stick_energy() - stick_before) -
                   forces.dissipated;
  return forces;
}

}  // namespace cleave::inline CLEAVE_PRECISION
