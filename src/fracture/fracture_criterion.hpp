/// When stresses and tractions break a facet.
#pragma once

#include <cmath>
#include <limits>

#include "cleave/core/atomic.hpp"
#include "cleave/lockstep/device_gate.hpp"
#include "cleave/material/cohesive_parameters.hpp"
#include "cleave/material/cohesive_point.hpp"
#include "cleave/material/material_point.hpp"
#include "cleave/material/strength_ratio.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// When a facet breaks.
struct FractureCriterion {
  Real strength_n = 0;  ///< Pa
  Real strength_t = 0;  ///< Pa
  Criterion criterion = Criterion::ellipse;
  Aggregate aggregate = Aggregate::mean;
  bool limited = false;         ///< only facets with their midpoint in the box
  Vec2 box_min{}, box_max{};    ///< m
  const Real* scale = nullptr;  ///< [facet code] factor of both strengths; null: 1 everywhere
  Real least_scale = 1;         ///< the smallest of them

  CLEAVE_HD bool allows(Vec2 midpoint) const {
    return !limited ||
           (midpoint.x >= box_min.x && midpoint.x <= box_max.x && midpoint.y >= box_min.y && midpoint.y <= box_max.y);
  }
  /// Traction against strength: a facet with factor 1 breaks at 1.
  CLEAVE_HD_INLINE Real ratio(Real normal, Real tangential) const {
    return strength_ratio(criterion, normal / strength_n, tangential / strength_t);
  }
  /// Whether a stress could break some facet: with principal stresses p1 >= p2, the ratio of the tractions p1 and
  /// (p1 - p2)/2, the largest of each mode over all directions, bounds the ratio over all directions.
  CLEAVE_HD_INLINE bool may_break(Sym2 s) const {
    const Real half = Real(0.5) * (s.xx - s.yy);
    const Real radius = std::sqrt(half * half + s.xy * s.xy);
    const Real p1 = Real(0.5) * (s.xx + s.yy) + radius;
    return ratio(p1, radius) >= least_scale;
  }
  /// Whether a stress may come near one that breaks a facet. It costs less than is_near, of which it is the first part,
  /// and holds for more stresses: p1^2 is at most p1^2 + p2^2, and the ellipse's ratio is the larger one.
  CLEAVE_HD_INLINE bool may_be_near(Sym2 s) const {
    const Real half = Real(0.5) * (s.xx - s.yy);
    const Real radius_2 = half * half + s.xy * s.xy;
    const Real inverse_n = 1 / (strength_n * least_scale), inverse_t = 1 / (strength_t * least_scale);
    const Real square_n = (s.xx * s.xx + s.yy * s.yy + 2 * s.xy * s.xy) * (inverse_n * inverse_n);
    return !(square_n + radius_2 * (inverse_t * inverse_t) < 1 - rounding);
  }
  /// Whether a stress may break some facet or comes near to it. Stresses that may not are a convex set. So a mean of
  /// stresses that are not near, of as many as a node has elements and rounded, may not break one.
  CLEAVE_HD_INLINE bool is_near(Sym2 s) const {
    if (!may_be_near(s)) return false;
    const Real half = Real(0.5) * (s.xx - s.yy);
    const Real radius_2 = half * half + s.xy * s.xy;
    const Real slack = rounding * (std::abs(s.xx) + std::abs(s.yy) + std::abs(s.xy));
    const Real radius = std::sqrt(radius_2) + slack;
    return ratio(Real(0.5) * (s.xx + s.yy) + radius + slack, radius) >= least_scale;
  }

 private:
  static constexpr Real rounding = 4096 * std::numeric_limits<Real>::epsilon();
};

/// Stress at Gauss points, extrapolated to node k, Pa.
template <class Element>
CLEAVE_HD_INLINE Sym2 extrapolated(const Sym2 (&at)[Element::gauss_points], int k) {
  Sym2 s{};
  CLEAVE_UNROLL
  for (int q = 0; q < Element::gauss_points; ++q) {
    s.xx += Element::extrapolation(k, q) * at[q].xx;
    s.yy += Element::extrapolation(k, q) * at[q].yy;
    s.xy += Element::extrapolation(k, q) * at[q].xy;
  }
  return s;
}

/// Finds out whether a stress anywhere is near one that may break a facet. The stress of a node is the mean of those
/// that its elements extrapolate to it: while none of them is near, no node may break a facet.
struct NearStrength {
  FractureCriterion criterion{};
  Index* found = nullptr;  ///< set to 1; null: none is searched

  /// Open if a stress is near, and always where none is searched.
  CLEAVE_HD DeviceGate gate() const { return found == nullptr ? DeviceGate::always() : DeviceGate::open_if(found); }
  CLEAVE_HD bool is_found() const { return atomic_read(*found) != 0; }
  /// Read before an element is checked, as it takes as long as other reads.
  CLEAVE_HD bool is_searched() const { return found != nullptr && !is_found(); }
  /// @param at  stresses of an element at its Gauss points, Pa
  template <class Element>
  CLEAVE_HD_INLINE void check(const Sym2 (&at)[Element::gauss_points]) const {
    bool near = false;
    CLEAVE_UNROLL
    for (int k = 0; k < Element::nodes; ++k) near |= criterion.is_near(extrapolated<Element>(at, k));
    if (near) atomic_write(*found, 1);
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
