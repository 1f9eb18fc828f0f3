/// Elastic supports (`support`): facets rest on springs to the ground, of so much stiffness per area of the facet.
///
/// The springs of a facet are shared out to its nodes like a pressure. Nodes keep their stiffness over their mass, so a
/// node that splits shares its springs out with its mass.
#pragma once

#include "body/gather_table.hpp"
#include "body/sums.hpp"
#include "cleave/lockstep/kernel.hpp"

namespace cleave::inline CLEAVE_PRECISION {

using SupportWorks = SumRows<QuantityList<Quantity::support_energy>>;

/// The force of the springs on every node, and their work in the step before.
struct SupportForce {
  static constexpr KernelTraits traits{.name = "elastic supports", .has_in_use = true};
  Index capacity;                  ///< of nodes
  const Index* present;            ///< how many there are
  const Real* inverse_mass;        ///< [node] 1/kg
  const Vec2* stiffness;           ///< [node] along x and y over the mass, 1/s^2
  const Vec2* displacement;        ///< [node], m
  const Vec2* velocity;            ///< [node] in the middle of the step before, m/s
  Real dt;                         ///< 0 at the start, s
  const Index* insertion_pending;  ///< see BlockStep
  Vec2* force;                     ///< [node] of the last step, then of this, N
  SupportWorks works;              ///< [node] until the last step, J

  CLEAVE_HD Index size() const { return capacity; }
  CLEAVE_HD Index in_use() const { return *present; }
  CLEAVE_HD void operator()(Index n) const {
    const Vec2 k = stiffness[n];
    if (*insertion_pending != 0 || (k.x == 0 && k.y == 0)) return;
    const Real mass = 1 / inverse_mass[n];
    const Vec2 u = displacement[n], before = force[n], now{-mass * k.x * u.x, -mass * k.y * u.y};
    works.at(n, Quantity::support_energy) -= 0.5 * dot(before + now, dt * velocity[n]);
    force[n] = now;
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
