/// The linear irreversible cohesive law (G. T. Camacho, M. Ortiz, IJSS 33 (1996) 2899) with a mode II fracture energy
/// of its own (F. Snozzi, J.-F. Molinari, IJNME 93 (2013) 510).
#pragma once

#include <cmath>

#include "cleave/config/case.hpp"
#include "cleave/material/cohesive_point.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Both modes share one effective opening delta and one damage D = delta_max / delta_c. Every Gauss point takes the
/// effective traction that it was inserted at for its strength, so that the traction starts where the bulk left it.
///
/// The secant stiffness is capped by the stiffness cap of the time step, as that of the PPR law: just after insertion
/// strength / delta_max is without bound, a shear opening that changes sign every step would gain energy from it. The
/// cap cuts the start of the softening line to a ramp of width strength / cap, a fraction strength / (cap delta_c) of
/// Gc.
struct LinearIrreversible {
  /// history[0]: largest effective opening so far, m; history[1]: strength of this point, Pa.
  static constexpr int num_history = 2;
  static constexpr FacetStress insertion_stress = FacetStress::elements;

  Real energy = 0;  ///< Gc of mode I, J/m^2
  Real beta = 0;    ///< shear strength over normal strength
  Real kappa = 0;   ///< fracture energy of mode II over that of mode I

  static LinearIrreversible make(const CohesiveMode& n, const CohesiveMode& t) {
    return {static_cast<Real>(n.energy), static_cast<Real>(t.strength / n.strength),
            static_cast<Real>(t.energy / n.energy)};
  }

  CLEAVE_HD void start(Real* history, const CohesivePoint& point) const {
    const Real normal = larger(Real(0), point.initial_normal);
    const Real tangential = point.initial_tangential / beta;
    history[0] = 0;
    history[1] = std::sqrt(normal * normal + tangential * tangential);
  }

  /// Updates the history with the opening and returns tractions and recoverable energy.
  CLEAVE_HD CohesiveResponse respond(Real normal, Real tangential, const CohesivePoint& point, Real* history) const {
    const Real pull = larger(Real(0), normal);
    const Real slip = beta / kappa * tangential;
    const Real largest = history[0] = larger(history[0], std::sqrt(pull * pull + slip * slip));
    if (largest == 0 && normal == 0) return {point.initial_normal, point.initial_tangential, 0};
    const Real shear_ratio = beta * beta / kappa;  // of the two secant stiffnesses: the cap holds for both
    const Real cap = point.stiffness_cap / larger(Real(1), shear_ratio);
    const Real secant = largest > 0 ? smaller(envelope(history) / largest, cap) : cap;
    const Real tn = (normal < 0 ? point.contact_stiffness : secant) * normal;
    const Real tt = secant * shear_ratio * tangential;
    return {tn, tt, Real(0.5) * (tn * normal + tt * tangential)};
  }

  /// True when the point carries nothing but contact any more.
  CLEAVE_HD bool failed(const Real* history) const { return envelope(history) == 0; }

  /// 0 at insertion, 1 when failed.
  CLEAVE_HD Real damage(const Real* history) const { return smaller(Real(1), history[0] * history[1] / (2 * energy)); }

  /// Effective traction of monotone opening at the largest opening so far, Pa.
  CLEAVE_HD Real envelope(const Real* history) const { return history[1] * (1 - damage(history)); }
};

}  // namespace cleave::inline CLEAVE_PRECISION
