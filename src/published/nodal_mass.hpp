/// Lumped masses of nodes in the coloured assembly.
#pragma once

#include "body/element_table.hpp"
#include "cleave/lockstep/kernel.hpp"

namespace cleave::inline CLEAVE_PRECISION {

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
