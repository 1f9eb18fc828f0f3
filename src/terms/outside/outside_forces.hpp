/// Forces on nodes beside those of their elements and of terms: a body force, the dashpots of absorbing boundaries, and
/// the drag of `damping`.
///
/// The dashpots of J. Lysmer, R. L. Kuhlemeyer (J. Eng. Mech. Div. ASCE 95 (1969) 859) push with -C v, C from density
/// and wave speeds. Nodes keep C over their mass. So a node that splits shares its dashpot out with its mass, and what
/// all of them absorb stays the same. The force is that of the velocity in the middle of the step, v(n) = v(n-1/2) +
/// dt/2 a(n), which asks for the solution of two equations a node and leaves the critical step as it is. Drag is a
/// dashpot of all nodes, C = rate times the mass, whose work is booked by itself.
#pragma once

#include "body/sums.hpp"
#include "cleave/core/table.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Drag of the nodes (`damping`).
struct Drag {
  using Works = SumRows<QuantityList<Quantity::damping_energy>>;
  Vec2* accelerations = nullptr;  ///< [node] of the last step, m/s^2; null: there is no drag
  Works works{};                  ///< [node] until the last step, J

  CLEAVE_HD bool active() const { return accelerations != nullptr; }
};

struct OutsideForces {
  using Works = SumRows<QuantityList<Quantity::body_work, Quantity::absorbed_energy>>;
  Sym2* damping;                 ///< [node] C over the mass, 1/s; null: nothing absorbs
  Table<Vec2, 2> accelerations;  ///< [node] of the last step by the body force and by the dashpot, m/s^2; without
                                 ///< memory if there is neither of them nor drag
  Works works;                   ///< [node] until the last step, J
  Drag drag{};

  CLEAVE_HD bool any() const { return accelerations.data != nullptr; }
  /// Force that does not depend on what is prescribed, N.
  CLEAVE_HD Vec2 given(Index n, Real mass) const { return any() ? mass * accelerations(n, 0) : Vec2{}; }

  /// Prescribed directions of a node, on which dashpots do not act.
  struct Held {
    bool x, y;
  };
  /// Books the works of body force, dashpot and drag in the step before and returns the acceleration at its end, m/s^2.
  /// @param own   that of the other forces, m/s^2
  /// @param push  of the body force, m/s^2
  /// @param by_terms  of forces of terms, m/s^2
  /// @param rate  of the drag, 1/s
  /// @param velocity  v(n-1/2), m/s
  /// @param dt    0 at the start, where the velocity is v(0), s
  CLEAVE_HD_SELDOM Vec2 accelerate(Index n, Real mass, Vec2 own, Vec2 push, Vec2 by_terms, Real rate, Vec2 velocity,
                                   Held held, Real dt) const {
    const Vec2 free = own + push + by_terms, moved = dt * velocity;
    const Vec2 a = damping == nullptr && !drag.active() ? free : damped(all_rates(n, rate), free, velocity, held, dt);
    Vec2 dashpot = a - free;
    if (drag.active()) {
      const Vec2 slowed = damping == nullptr ? dashpot : drag_of(rate, velocity + Real(0.5) * dt * a, held);
      dashpot = dashpot - slowed;
      drag.works.at(n, Quantity::damping_energy) -= 0.5 * mass * dot(drag.accelerations[n] + slowed, moved);
      drag.accelerations[n] = slowed;
    }
    const Vec2 push_before = accelerations(n, 0), dashpot_before = accelerations(n, 1);
    accelerations(n, 0) = push;
    accelerations(n, 1) = dashpot;
    works.at(n, Quantity::body_work) += 0.5 * mass * dot(push_before + push, moved);
    works.at(n, Quantity::absorbed_energy) -= 0.5 * mass * dot(dashpot_before + dashpot, moved);
    return a;
  }

 private:
  /// Rates of dashpots and drag together, 1/s.
  CLEAVE_HD Sym2 all_rates(Index n, Real rate) const {
    const Sym2 b = damping == nullptr ? Sym2{0, 0, 0} : damping[n];
    return drag.active() ? Sym2{b.xx + rate, b.yy + rate, b.xy} : b;
  }
  /// Acceleration by the drag at the velocity v(n), m/s^2.
  CLEAVE_HD static Vec2 drag_of(Real rate, Vec2 velocity, Held held) {
    return {held.x ? Real(0) : -rate * velocity.x, held.y ? Real(0) : -rate * velocity.y};
  }
  /// a of a = free - B (v + dt/2 a).
  CLEAVE_HD static Vec2 damped(Sym2 b, Vec2 free, Vec2 velocity, Held held, Real dt) {
    if (held.x) b.xx = b.xy = 0;
    if (held.y) b.yy = b.xy = 0;
    const Real half = Real(0.5) * dt;
    const Real xx = 1 + half * b.xx, yy = 1 + half * b.yy, xy = half * b.xy, determinant = xx * yy - xy * xy;
    const Vec2 f{free.x - (b.xx * velocity.x + b.xy * velocity.y), free.y - (b.xy * velocity.x + b.yy * velocity.y)};
    return {(yy * f.x - xy * f.y) / determinant, (xx * f.y - xy * f.x) / determinant};
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
