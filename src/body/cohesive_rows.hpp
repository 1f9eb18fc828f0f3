/// Rows of cohesive elements after facets have been cut.
#pragma once

#include "body/element_table.hpp"
#include "cleave/lockstep/kernel.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Writes the present node ids into the cohesive rows: a later cut changes the end nodes of older cohesive elements.
template <class Element>
struct RefreshCohesiveRows {
  static constexpr KernelTraits traits{.name = "cohesive rows", .has_in_use = true};
  ElementTable<Element> elements;
  Index capacity;        ///< of cohesive elements
  const Index* present;  ///< how many there are
  std::uint8_t* flags;   ///< [bulk element] ElementFlag

  CLEAVE_HD Index size() const { return capacity; }
  CLEAVE_HD Index in_use() const { return *present; }
  CLEAVE_HD void operator()(Index c) const {
    const Index a = elements.cohesive_facet(c, 0), b = elements.cohesive_facet(c, 1);
    for (int i = 0; i < Element::facet_nodes; ++i) {
      elements.cohesive_node(c, 0, i) = elements.facet_node(element_of(a), facet_of(a), i);
      elements.cohesive_node(c, 1, i) = elements.facet_node(element_of(b), facet_of(b), Element::facet_nodes - 1 - i);
    }
    set_flag(flags[element_of(a)], ElementFlag::cohesive_sides);
    set_flag(flags[element_of(b)], ElementFlag::cohesive_sides);
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
