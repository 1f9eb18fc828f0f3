/// An example of a user's material: elasticity that is damaged. Build with -DCLEAVE_USER_LAWS=PATH_OF_THIS_FILE, then
/// write `law: damage` with the keys below. Copy it for a law of your own.
#pragma once

#include "cleave/material/user_material.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// stress = (1 - D) C strain. The damage D grows with the largest energy Y = 1/2 strain:C:strain that there has been:
/// from 0 at `damage_start` in proportion to 1 at `damage_end` (J. Lemaitre, A Course on Damage Mechanics, 1996: Y is
/// the energy release rate that works on D). The law allows no more than 0.999, so that an element keeps its shape.
struct Damage {
  static constexpr const char* name = "damage";
  static constexpr bool finite = false;
  static constexpr Quantity dissipation = Quantity::plastic_energy;  // the column that what it dissipates goes to
  static constexpr LawParameter parameters[] = {
      {.key = "damage_start", .unit = "J/m³", .meaning = "elastic energy at which damage begins", .above = 0},
      {.key = "damage_end", .unit = "J/m³", .meaning = "elastic energy at which nothing is left", .above = 0}};
  /// Of each Gauss point, kept by the solver. Aligned so that a GPU reads it in few words.
  struct alignas(2 * sizeof(Real)) State {
    Real damage = 0;
    Real xx = 0, yy = 0, shear = 0;  ///< strain of the step before
  };

  LinearElastic elastic;
  Real start = 0, per_range = 0;  ///< J/m^3, m^3/J

  /// @param c  the case file's numbers; `values` are in the order of `parameters`
  static Damage make(const MaterialCase& c) {
    const double start = c.values.at(0), end = c.values.at(1);
    return {LinearElastic::make(c), static_cast<Real>(start), static_cast<Real>(end > start ? 1 / (end - start) : 1e30)};
  }

  CLEAVE_HD_INLINE Response update(const Gradient& g, State& state, Real dt) const {
    LinearElastic::State none;
    const Gradient last{state.xx, state.shear, 0, state.yy};
    const Response whole = elastic.update(g, none, dt), before = elastic.update(last, none, dt);
    const Real was = 1 - state.damage;
    state.damage = larger(state.damage, smaller(Real(0.999), (whole.stored - start) * per_range));
    const Real left = 1 - state.damage;
    const Real xx = g.xx - state.xx, yy = g.yy - state.yy, shear = g.shear() - state.shear;
    state.xx = g.xx;
    state.yy = g.yy;
    state.shear = g.shear();
    // What the mean of the two stresses has worked and is not stored.
    const Real work = Real(0.5) * ((was * before.stress.xx + left * whole.stress.xx) * xx +
                                   (was * before.stress.yy + left * whole.stress.yy) * yy +
                                   (was * before.stress.xy + left * whole.stress.xy) * shear);
    const Real stored = left * whole.stored;
    const Stress stress{left * whole.stress.xx, left * whole.stress.xy, left * whole.stress.yx, left * whole.stress.yy};
    return {stress, stored, work - (stored - was * before.stored), left * whole.across};
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION

CLEAVE_USER_MATERIAL(cleave::Damage);
