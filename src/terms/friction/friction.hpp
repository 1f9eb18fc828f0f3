/// Coulomb friction between the faces of failed cohesive elements (cohesive.friction).
///
/// Faces stick by a tangential spring; where it would pull by more than the coefficient times the pressure, its zero is
/// dragged along. The spring begins without tension when the law fails, and anew where faces have been apart. It is
/// softer than contact: with both as stiff, facets that share corners would be unstable at the usual step
/// (docs/theory.md, 5.7).
#pragma once

#include "body/live_counts.hpp"
#include "cleave/core/table.hpp"
#include "terms/cohesive/cohesive.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// The spring of a Gauss point. Openings and tractions are scaled by the factors of the facet as in CohesiveTable.
struct FrictionPoint {
  Real zero = 0;      ///< tangential opening at which it is without tension, m
  Real last = 0;      ///< tangential opening of the last step, m
  Real traction = 0;  ///< tangential, that acts, Pa

  /// Leads it to a tangential opening. Returns the work of the step, J/m^2.
  /// @param stiffness  Pa/m
  /// @param limit      the largest traction, Pa; 0: the faces are apart, or not yet failed
  CLEAVE_HD Real advance(Real to, Real stiffness, Real limit) {
    Real now = stiffness * (to - zero);
    if (!(std::fabs(now) <= limit)) {
      now = std::copysign(limit, now);
      zero = to - now / stiffness;
    }
    const Real work = Real(0.5) * (traction + now) * (to - last);
    last = to;
    traction = now;
    return work;
  }
};

/// Traction of friction at a Gauss point, and energy per area.
struct Rubbed {
  Real traction = 0;  ///< tangential, that acts from then on, Pa
  Real work = 0;      ///< of a step, or held by the spring, J/m^2
};

/// Friction at the Gauss points of cohesive elements; without memory there is none.
struct Friction {
  Real coefficient = 0;
  FrictionPoint* spring = nullptr;  ///< [cohesive][q]
  double* work = nullptr;           ///< [cohesive][q], J

  CLEAVE_HD bool active() const { return spring != nullptr; }
  /// Stiffness of the spring, Pa/m.
  CLEAVE_HD static Real stiffness(const CohesivePoint& point) { return Real(0.25) * point.contact_stiffness; }
  /// The largest traction that faces can bear, in the scale of CohesiveTable, Pa; 0: they are apart, or hold.
  /// Contact bears the friction of faces that it has taken over: they have no pressure here (handed_over_offset).
  template <class Law>
  CLEAVE_HD Real limit(const Law& law, Vec2 opening, const CohesivePoint& point,
                       const typename Law::State& state) const {
    return law.failed(state) ? coefficient * larger(Real(0), -law.respond(opening, point, state).traction.x) : Real(0);
  }
  /// Leads a Gauss point to an opening.
  /// @param i       FacetGauss::points * cohesive + q
  /// @param weight  of the Gauss point, m^2
  template <class Law>
  CLEAVE_HD_INLINE Rubbed rub(const Law& law, Index i, Vec2 opening, const CohesivePoint& point,
                              const typename Law::State& state, Real weight) const {
    FrictionPoint s = spring[i];
    const Real done = s.advance(opening.y, stiffness(point), limit(law, opening, point, state));
    spring[i] = s;
    work[i] += weight * done;
    return {s.traction, done};
  }
  /// The traction that acts, and the energy of its spring with the work on the way to a tangential opening.
  CLEAVE_HD Rubbed held(Index i, const CohesivePoint& point, Real to) const {
    const Real traction = spring[i].traction, k = stiffness(point);
    return {traction, Real(0.5) * traction * traction / k + Real(0.5) * traction * (to - spring[i].last)};
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
