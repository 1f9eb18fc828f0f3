/// Pressure in cracks in the coloured and atomic assemblies.
#pragma once

#include "terms/cracks/crack_pressure.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Adds the force of a pressure in cracks to the nodes of listed bulk elements, in the coloured and atomic assemblies;
/// each writes its own side of its cohesive facets. Elements of a launch share no node.
template <class Element, class Law, class List = ElementList>
struct PushCrackFaces {
  static constexpr KernelTraits traits{.name = "pressure in cracks", .has_in_use = true};
  ElementTable<Element> elements;
  List list;  ///< elements that touch cohesive elements
  CohesiveTable<Law> cohesive;
  const Index* load_of;  ///< [cohesive], see CrackReach
  Index load;
  StepInput input;
  Vec2* force;  ///< [node], N

  CLEAVE_HD Index size() const { return list.count; }
  CLEAVE_HD Index in_use() const { return list.in_use(); }
  CLEAVE_HD void operator()(Index entry) const {
    const Index e = list[entry];
    for (int k = 0; k < 3; ++k) {
      const Index code = elements.neighbour(e, k);
      if (is_cohesive(code) && load_of[cohesive_of(code)] == load)
        push(e, k, cohesive_of(code), cohesive_side_of(code));
    }
  }
  /// The normal points from side a to side b, and is the same all along the facet.
  CLEAVE_HD void push(Index e, int k, Index c, int side) const {
    const FacetFrame frame = cohesive.frame_of(c);
    const FacetFactors of = cohesive.factors[c];
    const Real on_side = (side == 0 ? -2 : 2) * frame.jacobian / of.energy * input.line_pressure(load) / of.opening;
    for (int i = 0; i < Element::facet_nodes; ++i)
      force[elements.facet_node(e, k, i)] += Element::facet_weight(i) * on_side * frame.normal();
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
