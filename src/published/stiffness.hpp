/// Stiffness matrices of bulk elements, and lumped masses of nodes in the coloured assembly.
#pragma once

#include "body/by_material.hpp"
#include "body/element_table.hpp"
#include "cleave/lockstep/kernel.hpp"
#include "cleave/material/linear_elastic.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Stored matrices of an element type: value [column * dofs + row] of element e, transposed so that the threads of
/// consecutive rows read consecutive words.
template <class Element>
using StiffnessTable = Table<Real, Element::dofs * Element::dofs>;

/// K = t * sum_q w_q det J B^T D B of every bulk element, N/m. Rows and columns in the order u0x, u0y, u1x, ...
template <class Element>
struct Stiffness {
  static constexpr KernelTraits traits{.name = "stiffness"};
  ElementTable<Element> elements;
  const Vec2* position;  ///< [node], m
  ByMaterial<LinearElastic> by_material;
  Real thickness;  ///< m
  StiffnessTable<Element> stiffness;

  CLEAVE_HD Index size() const { return elements.bulk; }
  CLEAVE_HD void operator()(Index e) const {
    const LinearElastic& material = by_material.of(e);
    Vec2 x[Element::nodes];
    elements.gather(e, position, x);
    for (int j = 0; j < Element::nodes; ++j) {
      for (int i = 0; i < Element::nodes; ++i) {
        Real xx = 0, xy = 0, yx = 0, yy = 0;
        for (int q = 0; q < Element::gauss_points; ++q) {
          const auto g = Element::gradients(x, q);
          const Real w = thickness * g.area;
          xx += w * (material.d11 * g.x[i] * g.x[j] + material.d33 * g.y[i] * g.y[j]);
          xy += w * (material.d12 * g.x[i] * g.y[j] + material.d33 * g.y[i] * g.x[j]);
          yx += w * (material.d12 * g.y[i] * g.x[j] + material.d33 * g.x[i] * g.y[j]);
          yy += w * (material.d11 * g.y[i] * g.y[j] + material.d33 * g.x[i] * g.x[j]);
        }
        entry(e, 2 * i, 2 * j) = xx;
        entry(e, 2 * i, 2 * j + 1) = xy;
        entry(e, 2 * i + 1, 2 * j) = yx;
        entry(e, 2 * i + 1, 2 * j + 1) = yy;
      }
    }
  }

  CLEAVE_HD Real& entry(Index e, int row, int column) const { return stiffness(e, column * Element::dofs + row); }
};

/// Adds the mass of listed elements to their nodes.
template <class Element, class Scatter>
struct NodalMass {
  static constexpr KernelTraits traits{.name = "nodal mass"};
  ElementTable<Element> elements;
  ElementList list;
  Real* mass;  ///< [node], kg

  CLEAVE_HD Index size() const { return list.count; }
  CLEAVE_HD void operator()(Index entry) const {
    const Index e = list[entry];
    for (int i = 0; i < Element::nodes; ++i)
      Scatter::add(mass[elements.node(e, i)], Element::mass_fraction(i) * elements.mass(e));
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
