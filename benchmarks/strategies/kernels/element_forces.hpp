/// Internal forces, one thread an element: how they are computed and where they go are chosen apart.
#pragma once

#include <cmath>

#include "body/element_table.hpp"
#include "body/material_states.hpp"
#include "cleave/lockstep/kernel.hpp"
#include "cleave/material/linear_elastic.hpp"
#include "terms/bulk/element_force.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// f = K u from stored matrices.
template <class Element, class Matrices>
struct StoredForce {
  Matrices stiffness;  ///< transposed, N/m

  CLEAVE_HD void operator()(Index e, const Vec2 (&u)[Element::nodes], Vec2 (&f)[Element::nodes]) const {
    for (Vec2& at : f) at = Vec2{};
#pragma unroll
    for (int column = 0; column < Element::dofs; ++column) {
      const Real x = component(u[column / 2], column);
#pragma unroll
      for (int node = 0; node < Element::nodes; ++node) {
        f[node].x = std::fma(stiffness(e, column * Element::dofs + 2 * node), x, f[node].x);
        f[node].y = std::fma(stiffness(e, column * Element::dofs + 2 * node + 1), x, f[node].y);
      }
    }
  }
};

/// f = K u from the gradients of the area coordinates.
template <class Element, class Gradients, class Parameters>
struct MatrixFreeForce {
  Gradients gradients;  ///< rows of GeometryTable
  Real depth;           ///< see element_geometry
  Parameters parameters;

  CLEAVE_HD void operator()(Index e, const Vec2 (&u)[Element::nodes], Vec2 (&f)[Element::nodes]) const {
    const AreaGradients g{{gradients(e, 0), gradients(e, 1)}, {gradients(e, 2), gradients(e, 3)}};
    const ElementGeometry at = element_geometry(g, depth);
    element_force(parameters.get(), at, u, MaterialStates<Element, LinearElastic>{}.of(e), Real(0), f);
  }
};

/// Adds the forces to their nodes.
template <class Element, class Scatter>
struct ToNodes {
  Vec2* force;  ///< [node], N

  CLEAVE_HD void operator()(Index /*e*/, const Index (&node)[Element::nodes], const Vec2 (&f)[Element::nodes]) const {
    for (int i = 0; i < Element::nodes; ++i) Scatter::add(force[node[i]], f[i]);
  }
};

/// Stores the forces in the element's own row, where nodes fetch them.
template <class Element>
struct ToOwnRow {
  Table<Vec2, Element::nodes> force;  ///< [element][node], N

  CLEAVE_HD void operator()(Index e, const Index (&)[Element::nodes], const Vec2 (&f)[Element::nodes]) const {
    for (int i = 0; i < Element::nodes; ++i) force(e, i) = f[i];
  }
};

/// Stores each force next to the others of its node.
template <class Element>
struct ToNodeOrder {
  ElementTable<Element> elements;
  Vec2* force;  ///< [slot], N

  CLEAVE_HD void operator()(Index e, const Index (&)[Element::nodes], const Vec2 (&f)[Element::nodes]) const {
    Index at[Element::nodes];
    for (int i = 0; i < Element::nodes; ++i) at[i] = elements.slot(e, i).position();
    for (int i = 0; i < Element::nodes; ++i) force[at[i]] = f[i];
  }
};

/// Forces of listed elements.
template <class Element, class Force, class Destination>
struct ElementForces {
  static constexpr KernelTraits traits{.name = "element forces"};
  ElementTable<Element> elements;
  ElementList list;
  const Vec2* displacement;  ///< [node], m
  Force force;
  Destination destination;

  CLEAVE_HD Index size() const { return list.count; }
  CLEAVE_HD void operator()(Index i) const {
    const Index e = list[i];
    Index node[Element::nodes];
    for (int k = 0; k < Element::nodes; ++k) node[k] = elements.node(e, k);
    Vec2 u[Element::nodes], f[Element::nodes];
    for (int k = 0; k < Element::nodes; ++k) u[k] = displacement[node[k]];
    force(e, u, f);
    destination(e, node, f);
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
