/// Artificial viscosity (material.artificial_viscosity): a pressure on elements that are being compressed, which
/// spreads a shock over some elements (J. von Neumann, R. D. Richtmyer, J. Appl. Phys. 21 (1950) 232; linear term: R.
/// Landshoff, LA-1930 (1955)).
///
///     p = rho h |d| (c1 c + c2 h |d|)  where d < 0,
///
/// with d the rate of dilation of the element, h the square root of its area, c the speed of pressure waves. The rate
/// is that of the middle of the step before.
#pragma once

#include <cmath>

#include "body/by_material.hpp"
#include "body/incidence.hpp"
#include "body/sums.hpp"
#include "cleave/core/extremes.hpp"
#include "cleave/lockstep/kernel.hpp"
#include "terms/viscosity/viscosity.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Integral over an element of the gradient of shape function i, from such integrals of the area coordinates.
template <class Element>
CLEAVE_HD_INLINE Vec2 shape_integral(const Vec2 (&corner)[Element::corners], int i) {
  if constexpr (Element::nodes == Element::corners) {
    return corner[i];
  } else {
    constexpr Real third = Real(1) / 3;
    return i < 3 ? third * corner[i] : 4 * third * (corner[i - 3] + corner[(i - 2) % 3]);
  }
}

/// The push of the viscous pressure of every element: pressure times thickness times the integrals of the gradients of
/// its area coordinates, N.
template <class Element>
struct ViscousPush {
  static constexpr KernelTraits traits{.name = "artificial viscosity"};
  ElementTable<Element> elements;
  const Vec2* position;      ///< [node], m
  const Vec2* displacement;  ///< [node], m; null: small kinematics, the element counts as not moved
  const Vec2* velocity;      ///< [node] in the middle of the step before, m/s
  ByMaterial<Viscosity> viscosity;
  const std::uint8_t* flags;           ///< [element] ElementFlag: eroded ones have none
  Real thickness;                      ///< m
  Table<Vec2, Element::corners> push;  ///< [element][area coordinate] N

  CLEAVE_HD Index size() const { return elements.bulk; }
  CLEAVE_HD void operator()(Index e) const {
    const Viscosity of = viscosity.of(e);
    if (of.linear == 0 && of.quadratic == 0) return;
    Vec2 x[Element::corners], v[Element::nodes];
    elements.gather(e, velocity, v);
    for (int k = 0; k < Element::corners; ++k) {
      const Index n = elements.node(e, k);
      x[k] = displacement == nullptr ? position[n] : position[n] + displacement[n];
    }
    // Gradients of the area coordinates times the area: sides turned by 90 degrees, halved.
    Vec2 corner[Element::corners];
    for (int k = 0; k < Element::corners; ++k) {
      const Vec2 side = Real(0.5) * (x[(k + 2) % 3] - x[(k + 1) % 3]);
      corner[k] = {-side.y, side.x};
    }
    const Vec2 a = x[1] - x[0], b = x[2] - x[0];
    const Real area = Real(0.5) * (a.x * b.y - a.y * b.x);
    Real growth = 0;  // rate of the area, m^2/s
    for (int i = 0; i < Element::nodes; ++i) growth += dot(shape_integral<Element>(corner, i), v[i]);
    const Real closing = larger(Real(0), -growth) / std::sqrt(area);  // m/s
    const Real pressure = flags[e] & ElementFlag::eroded ? Real(0) : closing * (of.linear + of.quadratic * closing);
    for (int k = 0; k < Element::corners; ++k) push(e, k) = pressure * thickness * corner[k];
  }
};

using ViscousWorks = SumRows<QuantityList<Quantity::internal_work, Quantity::viscous_energy>>;

/// The force by which viscous pressures push every node, and its work in the step before: a thread a node, which adds
/// up its elements in their order.
template <class Element>
struct ViscousForce {
  static constexpr KernelTraits traits{.name = "viscous forces", .has_in_use = true};
  IncidenceTable<Element> incidence;
  const NodeAssembly* assembly;              ///< [node]
  Index capacity;                            ///< of nodes
  const Index* present;                      ///< how many there are
  Table<const Vec2, Element::corners> push;  ///< see ViscousPush
  const Vec2* velocity;                      ///< [node] in the middle of the step before, m/s
  Real dt;                                   ///< 0 at the start, s
  const Index* insertion_pending;            ///< see BlockStep
  Vec2* force;                               ///< [node] of the last step, then of this, N
  ViscousWorks works;                        ///< [node] until the last step, J

  CLEAVE_HD Index size() const { return capacity; }
  CLEAVE_HD Index in_use() const { return *present; }
  CLEAVE_HD void operator()(Index n) const {
    if (*insertion_pending != 0) return;
    const SlotRange range = assembly[n].range();
    const Index* entries = incidence.entries_of(n);
    Vec2 sum{};
    for (Index s = range.begin; s < range.end; ++s) {
      const Index e = element_of_entry(entries[s]);
      Vec2 corner[Element::corners];
      for (int k = 0; k < Element::corners; ++k) corner[k] = push(e, k);
      sum += shape_integral<Element>(corner, node_of_entry(entries[s]));
    }
    const Vec2 before = force[n];
    if (sum.x == 0 && sum.y == 0 && before.x == 0 && before.y == 0) return;
    const double done = -0.5 * dot(sum + before, dt * velocity[n]);
    works.at(n, Quantity::internal_work) += done;
    works.at(n, Quantity::viscous_energy) += done;
    force[n] = sum;
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
