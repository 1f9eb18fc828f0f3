/// Forces between the faces of cohesive elements besides the traction of their law.
#pragma once

#include "body/sums.hpp"
#include "terms/cracks/crack_pressure.hpp"
#include "terms/friction/friction_law.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Pressure in cracks and friction; those that are off have no memory.
struct FaceForces {
  CrackPressure cracks{};
  Friction friction{};

  /// Those of the terms of a body.
  template <class Terms>
  static FaceForces of(Terms& terms) {
    return {terms.cracks.view(), terms.friction.view()};
  }

  /// Whether there are forces along faces.
  CLEAVE_HD bool act_along() const { return friction.active(); }
  /// Leads faces along each other to the end of a step, and adds the traction that acts from then on.
  /// Returns its work in the step, J/m^2.
  /// @param i       see add_works
  /// @param weight  of the Gauss point, m^2
  template <class Law>
  CLEAVE_HD_INLINE Real slide(const Law& law, Index i, const CohesiveMotion& motion, const typename Law::State& state,
                              Real weight, Vec2& traction) const {
    if (!act_along()) return 0;
    const Rubbed rubbed = rub(friction, law, i, motion.to, motion.point, state, weight);
    traction.y += rubbed.traction;
    return rubbed.work;
  }
  /// Traction and work that the forces along faces hold.
  CLEAVE_HD Rubbed held(Index i, const CohesivePoint& point, Real to) const {
    return act_along() ? held_by_friction(friction, i, point, to) : Rubbed{};
  }

  using Sums = QuantityList<Quantity::external_work, Quantity::internal_work, Quantity::friction_energy>;
  /// Adds the works at a Gauss point, J.
  /// @param i    FacetGauss::points * cohesive + q
  /// @param sum  of Sums and other quantities
  template <class Values>
  CLEAVE_HD void add_works(Index i, Values& sum) const {
    const double pressed = cracks.work != nullptr ? cracks.work[i] : 0;
    const double rubbed = friction.work != nullptr ? friction.work[i] : 0;
    sum[Quantity::external_work] += pressed;
    sum[Quantity::internal_work] += pressed;
    sum[Quantity::internal_work] -= rubbed;
    sum[Quantity::friction_energy] += rubbed;
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
