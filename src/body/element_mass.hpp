/// Masses of elements.
#pragma once

#include "body/by_material.hpp"
#include "body/element_table.hpp"
#include "cleave/lockstep/kernel.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Mass of every bulk element; Element::mass_fraction says how its nodes share it (T6: HRZ).
template <class Element>
struct ElementMass {
  static constexpr KernelTraits traits{.name = "element mass"};
  ElementTable<Element> elements;
  const Vec2* position;            ///< [node], m
  ByMaterial<Real> areal_density;  ///< density * thickness, kg/m^2

  CLEAVE_HD Index size() const { return elements.bulk; }
  CLEAVE_HD void operator()(Index e) const {
    Vec2 x[Element::nodes];
    elements.gather(e, position, x);
    Real area = 0;
    for (int q = 0; q < Element::gauss_points; ++q) area += Element::gradients(x, q).area;
    elements.mass(e) = areal_density.of(e) * area;
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
