/// The linear irreversible cohesive law (G. T. Camacho, M. Ortiz, IJSS 33 (1996) 2899) with a mode II fracture energy
/// of its own (F. Snozzi, J.-F. Molinari, IJNME 93 (2013) 510).
#pragma once

#include <cmath>

#include "cleave/material/cohesive_parameters.hpp"
#include "cleave/material/cohesive_point.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Both modes share one effective opening and one secant stiffness. Every Gauss point takes the effective traction that
/// it was inserted at for its strength.
struct LinearIrreversible {
  using Parameters = CohesiveParameters;
  struct alignas(2 * sizeof(Real)) State {
    Real largest;    ///< effective opening so far, beyond the initial one, m
    Real initial;    ///< effective opening at which the cap gives the strength, m
    Real strength;   ///< of this point, Pa
    Real stiffness;  ///< Pa/m of the normal mode
  };
  static constexpr FacetStress insertion_stress = FacetStress::elements;
  static constexpr bool peaks_at_ends = false;  ///< not to the last bit, see Ppr

  Real energy = 0;  ///< Gc of mode I, J/m^2
  Real beta = 0;    ///< shear strength over normal strength
  Real kappa = 0;   ///< fracture energy of mode II over that of mode I

  static LinearIrreversible make(const Parameters& modes) {
    const CohesiveMode &n = modes.normal, &t = modes.tangential;
    return {static_cast<Real>(n.energy), static_cast<Real>(t.strength / n.strength),
            static_cast<Real>(t.energy / n.energy)};
  }

  /// Stiffness of the tangential mode over that of the normal one.
  CLEAVE_HD_INLINE Real shear_ratio() const { return beta * beta / kappa; }
  /// The cap of the normal mode: neither mode may be stiffer than the stiffness cap.
  CLEAVE_HD Real cap(Real stiffness_cap) const { return stiffness_cap / larger(Real(1), shear_ratio()); }

  /// Opening at which the cap gives the traction that the facet broke at, m.
  CLEAVE_HD Vec2 offset(Vec2 initial, Real stiffness_cap) const {
    const Real kl = cap(stiffness_cap);
    return {larger(Real(0), initial.x) / kl, initial.y / (shear_ratio() * kl)};
  }
  CLEAVE_HD State start(Vec2 initial, const CohesivePoint& point) const {
    const Real normal = larger(Real(0), initial.x), tangential = initial.y / beta;
    const Real strength = std::sqrt(normal * normal + tangential * tangential), kl = cap(point.stiffness_cap);
    return {0, effective(point.offset), strength, kl};
  }

  /// Takes note of an opening; if the history has changed, the state is unsettled. That of a failed point is not needed
  /// any more.
  CLEAVE_HD_INLINE bool note(Vec2 opening, const CohesivePoint& point, State& state) const {
    const Real beyond = effective(point.from_zero_traction(opening)) - state.initial;
    if (!(beyond > state.largest) || failed(state)) return false;
    state.largest = beyond;
    return true;
  }
  /// Brings the stiffness up to date with the history.
  CLEAVE_HD void settle(const CohesivePoint& point, State& state) const {
    state.stiffness = smaller(envelope(state) / (state.largest + state.initial), cap(point.stiffness_cap));
  }
  /// Both. Returns whether the history has changed.
  CLEAVE_HD bool advance(Vec2 opening, const CohesivePoint& point, State& state) const {
    const bool changed = note(opening, point, state);
    if (changed) settle(point, state);
    return changed;
  }

  /// Linear with the secant stiffness from zero traction; overlap is elastic contact.
  CLEAVE_HD_INLINE CohesiveResponse respond(Vec2 opening, const CohesivePoint& point, const State& state) const {
    const Vec2 at = point.from_zero_traction(opening);
    const Real tn = (at.x >= 0 ? state.stiffness : point.contact_stiffness) * at.x;
    const Real tt = state.stiffness * shear_ratio() * at.y;
    return {{tn, tt}, Real(0.5) * tn * at.x + Real(0.5) * tt * at.y};
  }

  /// True when the point carries nothing but contact any more: no stiffness is left.
  CLEAVE_HD_INLINE static bool failed(const State& state) { return state.stiffness == 0; }

  /// 0 at insertion, 1 when failed.
  CLEAVE_HD Real damage(const State& state) const {
    return smaller(Real(1), state.largest * state.strength / (2 * energy));
  }

 private:
  CLEAVE_HD_INLINE Real effective(Vec2 at) const {
    const Real pull = larger(Real(0), at.x), slip = beta / kappa * at.y;
    return std::sqrt(pull * pull + slip * slip);
  }
  /// Effective traction of monotone opening at the largest opening so far, Pa.
  CLEAVE_HD Real envelope(const State& state) const { return state.strength * (1 - damage(state)); }
};

}  // namespace cleave::inline CLEAVE_PRECISION
