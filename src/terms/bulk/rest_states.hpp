/// The states of materials at the start of a run, of a body that has been at rest in its initial strain.
#pragma once

#include "body/element_table.hpp"
#include "body/material_states.hpp"
#include "cleave/lockstep/kernel.hpp"
#include "terms/bulk/element_force.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Tells the states of a material of the initial strain (RestsAt).
template <class Element, class Material>
struct RestStates {
  static constexpr KernelTraits traits{.name = "states at the start"};
  ElementTable<Element> elements;
  Index first, end;  ///< of the material
  Material material;
  MaterialStates<Element, Material> states;
  GeometryTable geometry;
  const Vec2* displacement;  ///< [node], m

  CLEAVE_HD Index size() const { return end - first; }
  CLEAVE_HD void operator()(Index i) const {
    const Index e = first + i;
    Vec2 u[Element::nodes];
    elements.gather(e, displacement, u);
    const ElementGeometry at = geometry.of(e);
    for (int q = 0; q < Element::gauss_points; ++q) {
      const auto [d1, d2] = corner_differences(u, q);
      auto state = states.at(e, q);
      material.rest_at(at.gradient(d1, d2), state);
      states.set(e, q, state);
    }
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
