/// Cohesive laws with one effective opening for both modes (G. T. Camacho, M. Ortiz, IJSS 33 (1996) 2899) and a mode II
/// fracture energy of its own (F. Snozzi, J.-F. Molinari, IJNME 93 (2013) 510): linear and exponential softening.
#pragma once

#include <cmath>
#include <span>

#include "cleave/core/elementary.hpp"
#include "cleave/material/cohesive_parameters.hpp"
#include "cleave/material/cohesive_point.hpp"
#include "cleave/material/law_parameter.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// The traction falls linearly with the opening, to zero at twice energy / strength.
struct LinearSoftening {
  static constexpr const char* name = "linear";
  static constexpr std::span<const LawParameter> parameters{};

  static LinearSoftening make(const CohesiveParameters& /*modes*/) { return {}; }
  /// Loss of strength, 0 to 1. The opening of the initial rise, the last argument (m), has no effect.
  CLEAVE_HD Real damage(Real opening, Real strength, Real energy, Real /*initial*/) const {
    return smaller(Real(1), opening * strength / (2 * energy));
  }
};

/// The traction falls as (exp(-opening / length) - cut) / (1 - cut), so that the law ends, at 4.83 energy / strength.
/// The initial rise belongs to the law, not to the time step, and its energy to the fracture energy.
struct ExponentialSoftening {
  static constexpr const char* name = "exponential";
  static constexpr LawParameter keys[] = {
      {.key = "initial_opening",
       .unit = "energy / strength",
       .meaning = "opening at which the strength is reached, no shorter than the stiffness cap makes it",
       .above = 0,
       .at_most = 0.1,
       .otherwise = 0.01}};
  static constexpr std::span<const LawParameter> parameters = keys;
  static constexpr double cut = 0.01;

  Real per_length = 0;         ///< energy / strength over the length
  Real initial_stiffness = 0;  ///< upper limit of the cap of the normal mode, Pa/m

  static ExponentialSoftening make(const CohesiveParameters& modes) {
    const CohesiveMode& n = modes.normal;
    // The total energy is length * strength * (1 - cut + cut ln cut) / (1 - cut).
    return {static_cast<Real>((1 - cut + cut * std::log(cut)) / (1 - cut)),
            static_cast<Real>(n.strength * n.strength / (modes.values.at(0) * n.energy))};
  }
  CLEAVE_HD Real damage(Real opening, Real strength, Real energy, Real initial) const {
    const Real softening =
        larger(Real(0.5) * energy, energy - Real(0.5) * strength * initial);  // without the initial rise
    const Real left = (exp_minus(opening * strength / softening * per_length) - Real(cut)) / Real(1 - cut);
    return 1 - larger(Real(0), left);
  }
};

/// Both modes share one effective opening and one secant stiffness. The strength of a Gauss point is its effective
/// traction at insertion.
template <class Softening>
struct EffectiveOpeningLaw : Softening {
  static constexpr bool has_shapes = false;
  struct alignas(2 * sizeof(Real)) State {
    Real largest;    ///< largest effective opening so far, beyond the initial one, m
    Real initial;    ///< effective opening at which the cap gives the strength, m
    Real strength;   ///< of this Gauss point, Pa
    Real stiffness;  ///< secant stiffness of the normal mode, Pa/m
  };
  static constexpr FacetStress insertion_stress = FacetStress::elements;
  static constexpr bool peaks_at_ends = false;  ///< not bit for bit, see Ppr

  Real energy = 0;  ///< Gc of mode I, J/m^2
  Real beta = 0;    ///< shear strength over normal strength
  Real kappa = 0;   ///< fracture energy of mode II over that of mode I

  static EffectiveOpeningLaw make(const CohesiveParameters& modes) {
    const CohesiveMode &n = modes.normal, &t = modes.tangential;
    return {Softening::make(modes), static_cast<Real>(n.energy), static_cast<Real>(t.strength / n.strength),
            static_cast<Real>(t.energy / n.energy)};
  }

  /// Stiffness of the tangential mode over that of the normal mode.
  CLEAVE_HD_INLINE Real shear_ratio() const { return beta * beta / kappa; }
  /// Cap of the normal mode, Pa/m: no mode may exceed the stiffness cap.
  CLEAVE_HD Real cap(Real stiffness_cap) const {
    const Real of_step = stiffness_cap / larger(Real(1), shear_ratio());
    if constexpr (requires { Softening::initial_stiffness; }) return smaller(of_step, Softening::initial_stiffness);
    return of_step;
  }

  /// Opening at which the capped stiffness gives the traction at which the facet broke, m.
  CLEAVE_HD Vec2 offset(Vec2 initial, Real stiffness_cap) const {
    const Real kl = cap(stiffness_cap);
    return {larger(Real(0), initial.x) / kl, initial.y / (shear_ratio() * kl)};
  }
  CLEAVE_HD State start(Vec2 initial, const CohesivePoint& point) const {
    const Real normal = larger(Real(0), initial.x), tangential = initial.y / beta;
    const Real strength = std::sqrt(normal * normal + tangential * tangential), kl = cap(point.stiffness_cap);
    return {0, effective(point.offset), strength, kl};
  }

  /// Records an opening. Returns true if the history has changed: call settle() before the next respond(). Failed
  /// points record nothing.
  CLEAVE_HD_INLINE bool note(Vec2 opening, const CohesivePoint& point, State& state) const {
    const Real beyond = effective(point.from_zero_traction(opening)) - state.initial;
    if (!(beyond > state.largest) || failed(state)) return false;
    state.largest = beyond;
    return true;
  }
  /// Updates the stiffness after the history has changed.
  CLEAVE_HD void settle(const CohesivePoint& point, State& state) const {
    state.stiffness = smaller(envelope(state) / (state.largest + state.initial), cap(point.stiffness_cap));
  }

  /// Linear response with the secant stiffness, from zero traction; overlap is elastic contact.
  CLEAVE_HD_INLINE CohesiveResponse respond(Vec2 opening, const CohesivePoint& point, const State& state) const {
    const Vec2 at = point.from_zero_traction(opening);
    const Real tn = (at.x >= 0 ? state.stiffness : point.contact_stiffness) * at.x;
    const Real tt = state.stiffness * shear_ratio() * at.y;
    return {{tn, tt}, Real(0.5) * tn * at.x + Real(0.5) * tt * at.y};
  }

  /// True if the point carries nothing but contact: its stiffness is zero.
  CLEAVE_HD_INLINE static bool failed(const State& state) { return state.stiffness == 0; }

  /// 0 at insertion, 1 when failed.
  CLEAVE_HD Real damage(const State& state) const {
    return Softening::damage(state.largest, state.strength, energy, state.initial);
  }

 private:
  CLEAVE_HD_INLINE Real effective(Vec2 at) const {
    const Real pull = larger(Real(0), at.x), slip = beta / kappa * at.y;
    return std::sqrt(pull * pull + slip * slip);
  }
  /// Effective traction of monotonic opening at the largest opening so far, Pa.
  CLEAVE_HD Real envelope(const State& state) const { return state.strength * (1 - damage(state)); }
};

using LinearIrreversible = EffectiveOpeningLaw<LinearSoftening>;
using Exponential = EffectiveOpeningLaw<ExponentialSoftening>;
static_assert(sizeof(LinearIrreversible) == 3 * sizeof(Real));  // kernel arguments: host and device must agree
static_assert(sizeof(Exponential) == 5 * sizeof(Real));

}  // namespace cleave::inline CLEAVE_PRECISION
