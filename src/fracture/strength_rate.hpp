/// Strength that grows with the rate at which a facet is pulled apart (cohesive.rate).
#pragma once

#include "body/element_table.hpp"
#include "cleave/core/elementary.hpp"
#include "cleave/core/extremes.hpp"
#include "terms/bulk/element_force.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// The factor (1 + rate / reference)^exponent of a facet's strength. The rate is that of the strain across the facet,
/// sqrt(<e_nn>^2 + g_nt^2) with the engineering shear g_nt, of the mean velocity gradient of its two elements, from
/// their corners and as they lie now.
struct StrengthRate {
  Real per_reference = 0;              ///< s
  Real exponent = 0;                   ///< 0: the rate makes no difference, and nothing below is read
  const Vec2* velocity = nullptr;      ///< [node], m/s
  const Vec2* acceleration = nullptr;  ///< [node], m/s^2, which takes it to the middle of the step; null: it is there
  Real half_step = 0;                  ///< s

  CLEAVE_HD bool active() const { return exponent > 0; }
  /// @param other  code of the facet on the other side
  /// @param frame  of the facet as it lies now
  /// @param displacement  [node], m; null: small kinematics
  template <class Element>
  CLEAVE_HD_SELDOM Real factor(const ElementTable<Element>& elements, Index e, Index other, const FacetFrame& frame,
                               const Vec2* position, const Vec2* displacement) const {
    const Gradient a = rate_of(elements, e, position, displacement);
    const Gradient b = rate_of(elements, element_of(other), position, displacement);
    const Stress mean{Real(0.5) * (a.xx + b.xx), Real(0.5) * (a.xy + b.xy), Real(0.5) * (a.yx + b.yx),
                      Real(0.5) * (a.yy + b.yy)};
    const Vec2 n = frame.normal(), t = frame.tangent;
    const Real opening = larger(Real(0), dot(n, mean * n)), sliding = dot(n, mean * t) + dot(t, mean * n);
    const Real rate = std::sqrt(opening * opening + sliding * sliding);
    constexpr Real most = 60;  // of the logarithm: exp(60) is no strength any more
    return 1 / exp_minus(smaller(most, exponent * log_one_plus(smaller(rate * per_reference, Real(1e30)))));
  }

 private:
  CLEAVE_HD Vec2 velocity_of(Index node) const {
    const Vec2 v = velocity[node];
    return acceleration == nullptr ? v : v + half_step * acceleration[node];
  }
  /// Velocity gradient of an element from its corners, 1/s.
  template <class Element>
  CLEAVE_HD Gradient rate_of(const ElementTable<Element>& elements, Index e, const Vec2* position,
                             const Vec2* displacement) const {
    Vec2 x[Element::corners], v[Element::corners];
    for (int k = 0; k < Element::corners; ++k) {
      const Index node = elements.node(e, k);
      x[k] = displacement == nullptr ? position[node] : position[node] + displacement[node];
      v[k] = velocity_of(node);
    }
    return area_gradients(x[1] - x[0], x[2] - x[0]).gradient(v[1] - v[0], v[2] - v[0]);
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
