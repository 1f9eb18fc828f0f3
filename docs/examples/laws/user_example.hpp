/// Examples of user-defined laws: a material, elasticity with damage, and a rate-dependent exponential traction law.
/// Build with -DCLEAVE_USER_LAWS=PATH_OF_THIS_FILE, then set `law: damage` in the material and `law: rate_exponential`
/// in the cohesive section, with the keys below. Copy this file to write laws of your own.
#pragma once

#include <cmath>

#include "cleave/material/user_law.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// stress = (1 - D) C strain. The damage D depends on the largest energy Y = 1/2 strain:C:strain so far: it grows
/// linearly from 0 at `damage_start` to 1 at `damage_end` (J. Lemaitre, A Course on Damage Mechanics, 1996: Y is the
/// energy release rate conjugate to D). The law limits D to 0.999, so that an element keeps its shape.
struct Damage {
  static constexpr const char* name = "damage";
  static constexpr bool finite = false;
  static constexpr Quantity dissipation = Quantity::plastic_energy;  // column of the energy that the law dissipates
  static constexpr LawParameter parameters[] = {
      {.key = "damage_start", .unit = "J/m³", .meaning = "elastic energy at which damage begins", .above = 0},
      {.key = "damage_end", .unit = "J/m³", .meaning = "elastic energy at which nothing is left", .above = 0}};
  /// State of a Gauss point, kept by the solver. Aligned so that a GPU reads it in few words.
  struct alignas(2 * sizeof(Real)) State {
    Real damage = 0;
    Real xx = 0, yy = 0, shear = 0;  ///< strain of the previous step
  };
  static constexpr StateField fields[] = {{"bulk_damage", offsetof(State, damage)}};  // for output.fields

  LinearElastic elastic;
  Real start = 0, per_range = 0;  ///< J/m^3, m^3/J

  /// @param c  values of the case file; `values` are in the order of `parameters`
  static Damage make(const MaterialCase& c) {
    const double start = c.values.at(0), end = c.values.at(1);
    return {LinearElastic::make(c), static_cast<Real>(start),
            static_cast<Real>(end > start ? 1 / (end - start) : 1e30)};
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
    // Work of the mean of both stresses that is not stored.
    const Real work = Real(0.5) * ((was * before.stress.xx + left * whole.stress.xx) * xx +
                                   (was * before.stress.yy + left * whole.stress.yy) * yy +
                                   (was * before.stress.xy + left * whole.stress.xy) * shear);
    const Real stored = left * whole.stored;
    const Stress stress{left * whole.stress.xx, left * whole.stress.xy, left * whole.stress.yx, left * whole.stress.yy};
    return {stress, stored, work - (stored - was * before.stored), left * whole.across};
  }
};

/// Traction = s T0(opening) with the exponential T0 = strength exp(-opening / length), length = energy / strength. The
/// factor s = 1 + C ln(1 + speed / reference speed) depends on the opening speed (the form of G. R. Johnson, W. H.
/// Cook, 1983). Opening and sliding count equally: `opening = sqrt(<normal>^2 + tangential^2)`. The point fails at an
/// opening of 7 lengths, where less than a thousandth of the strength is left.
struct RateExponential {
  static constexpr const char* name = "rate_exponential";
  static constexpr bool has_shapes = false;
  static constexpr LawParameter parameters[] = {
      {.key = "rate_factor", .unit = "-", .meaning = "C of 1 + C ln(1 + speed / reference)", .at_least = 0},
      {.key = "reference_speed",
       .unit = "m/s",
       .meaning = "opening speed below which the rate does not count",
       .above = 0}};
  /// A facet breaks by the stresses of its two elements; the initial traction of each Gauss point comes from them.
  static constexpr FacetStress insertion_stress = FacetStress::elements;
  static constexpr bool peaks_at_ends = false;
  struct alignas(2 * sizeof(Real)) State {
    Real largest;    ///< largest opening so far, beyond the initial one, m
    Real initial;    ///< opening at which the cap gives the strength, m
    Real strength;   ///< of this Gauss point at rest, Pa
    Real stiffness;  ///< secant stiffness, Pa/m; 0: failed
    Real speed;      ///< opening speed of the present step, m/s
    Real unused;     ///< makes the size a whole number of pairs
  };
  static constexpr Real last_length = 7;

  Real energy = 0;                                                 ///< at rest, J/m^2
  Real factor = 0, per_reference_speed = 0, steps_per_second = 0;  ///< -, s/m, 1/s

  /// @param c     values of the case file; `values` are in the order of `parameters`
  /// @param step  time step, s
  static RateExponential make(const CohesiveParameters& c, double step) {
    return {static_cast<Real>(c.normal.energy), static_cast<Real>(c.values.at(0)),
            static_cast<Real>(1 / c.values.at(1)), static_cast<Real>(step > 0 ? 1 / step : 0)};
  }

  /// Opening at which the capped stiffness gives the traction at which the facet broke, m.
  CLEAVE_HD Vec2 offset(Vec2 initial, Real stiffness_cap) const {
    return {larger(Real(0), initial.x) / stiffness_cap, initial.y / stiffness_cap};
  }
  CLEAVE_HD State start(Vec2 initial, const CohesivePoint& point) const {
    const Real strength = size_of(initial);
    return {0, size_of(point.offset), strength, point.stiffness_cap, 0, 0};
  }
  /// Called before a step with its motion; sets the opening speed.
  CLEAVE_HD_INLINE void begin(Vec2 from, Vec2 to, State& state) const {
    const Vec2 moved = to - from;
    state.speed = std::sqrt(dot(moved, moved)) * steps_per_second;
  }
  /// Records an opening. Returns true if the history has changed: call settle() before the next respond().
  CLEAVE_HD_INLINE bool note(Vec2 opening, const CohesivePoint& point, State& state) const {
    const Real beyond = size_of(point.from_zero_traction(opening)) - state.initial;
    if (!(beyond > state.largest) || failed(state)) return false;
    state.largest = beyond;
    return true;
  }
  /// Updates the stiffness after the history has changed.
  CLEAVE_HD void settle(const CohesivePoint& point, State& state) const {
    const Real lengths = state.largest * state.strength / energy;
    const Real ratio = smaller(state.speed * per_reference_speed, Real(1e30));  // finite even if a run diverges
    const Real rate = 1 + factor * log_one_plus(ratio);
    const Real traction = lengths < last_length ? rate * state.strength * exp_minus(lengths) : Real(0);
    state.stiffness = smaller(traction / (state.largest + state.initial), point.stiffness_cap);
  }
  /// Linear response with the secant stiffness, from zero traction; overlap is elastic contact.
  CLEAVE_HD_INLINE CohesiveResponse respond(Vec2 opening, const CohesivePoint& point, const State& state) const {
    const Vec2 at = point.from_zero_traction(opening);
    const Real tn = (at.x >= 0 ? state.stiffness : point.contact_stiffness) * at.x, tt = state.stiffness * at.y;
    return {{tn, tt}, Real(0.5) * tn * at.x + Real(0.5) * tt * at.y};
  }
  CLEAVE_HD_INLINE static bool failed(const State& state) { return state.stiffness == 0; }
  /// 0 at insertion, 1 when failed.
  CLEAVE_HD Real damage(const State& state) const {
    return failed(state) ? Real(1) : 1 - exp_minus(state.largest * state.strength / energy);
  }

 private:
  CLEAVE_HD_INLINE static Real size_of(Vec2 at) {
    const Real pull = larger(Real(0), at.x);
    return std::sqrt(pull * pull + at.y * at.y);
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION

CLEAVE_USER_MATERIAL(cleave::Damage);
CLEAVE_USER_TRACTION_LAW(cleave::RateExponential);
