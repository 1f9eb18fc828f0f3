/// Erosion: elements that are taken out of the body (material.erosion).
///
/// A law says when (Erodes, material_point.hpp). If it does at one Gauss point, all points of the element erode: they
/// bear no stress and hold no energy any more. Nodes keep the mass, and cohesive elements at its facets go on.
#pragma once

#include "body/element_table.hpp"
#include "body/material_states.hpp"
#include "body/sums.hpp"
#include "cleave/lockstep/kernel.hpp"
#include "terms/bulk/element_force.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Energy and mass that eroded elements have taken out, [element]; zero for the others.
using ErodedRows = SumRows<QuantityList<Quantity::eroded_energy, Quantity::eroded_mass>>;

/// Takes out the elements of a material that erode. Nodes hold u(n+1) and v(n+1/2); the last forces were those
/// of step n.
template <class Element, class Material>
struct ErodeElements {
  static constexpr KernelTraits traits{.name = "erosion"};
  ElementTable<Element> elements;
  Index first, end;  ///< of the material
  Material material;
  MaterialStates<Element, Material> states;
  GeometryTable geometry;
  const Vec2* displacement;  ///< [node], m
  const Vec2* velocity;      ///< [node], m/s
  Real dt;                   ///< s
  std::uint8_t* flags;       ///< [element] ElementFlag
  ErodedRows rows;

  CLEAVE_HD Index size() const { return end - first; }
  CLEAVE_HD void operator()(Index i) const {
    const Index e = first + i;
    if (flags[e] & ElementFlag::eroded) return;
    bool any = false;
    for (int q = 0; q < Element::gauss_points; ++q) any = material.erodes(states.at(e, q)) || any;
    if (!any) return;
    rows.at(e, Quantity::eroded_energy) = lost_energy(e);
    rows.at(e, Quantity::eroded_mass) = elements.mass(e);
    for (int q = 0; q < Element::gauss_points; ++q) {
      auto state = states.at(e, q);
      material.erode(state);
      states.set(e, q, state);
    }
    flags[e] |= ElementFlag::eroded;
  }

  /// Energy of the element at step n, and half the work of its last forces on the way to n+1, at whose end it has none,
  /// J.
  CLEAVE_HD double lost_energy(Index e) const {
    Vec2 u[Element::nodes], step[Element::nodes];
    elements.gather(e, displacement, u);
    elements.gather(e, velocity, step);
    for (int k = 0; k < Element::nodes; ++k) {
      step[k] = dt * step[k];
      u[k] = u[k] - step[k];
    }
    const ElementGeometry at = geometry.of(e);
    double lost = 0;
    for (int q = 0; q < Element::gauss_points; ++q) {
      const auto [d1, d2] = corner_differences(u, q);
      const auto [s1, s2] = corner_differences(step, q);
      const Gradient way = at.gradient(s1, s2);
      auto state = states.at(e, q);
      const Response r = material.update(at.gradient(d1, d2), state, 0);
      const Real work = r.stress.xx * way.xx + r.stress.xy * way.xy + r.stress.yx * way.yx + r.stress.yy * way.yy;
      lost += at.weight * (r.stored + Real(0.5) * work);
    }
    return lost;
  }
};

/// Which elements have eroded, as ranks exchange it (parts/exchanged_rows.hpp).
struct ExchangedErosion {
  using Value = Index;
  std::uint8_t* flags;  ///< [element] ElementFlag

  CLEAVE_HD Value give(Index e) const { return flags[e] & ElementFlag::eroded ? 1 : 0; }
  CLEAVE_HD void take(Index e, Value eroded) const {
    if (eroded != 0) flags[e] |= ElementFlag::eroded;
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
