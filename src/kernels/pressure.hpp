/// Pressure on original boundary facets.
#pragma once

#include "kernels/element_table.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// The facets of a load: groups of them share no node.
struct LoadFacets {
  const Index* facets;   ///< facet codes
  const Index* offsets;  ///< [groups + 1]
  int groups;
};

/// Adds the force of a pressure to the nodes of listed boundary facets: traction -p along the outward normal of the
/// reference geometry (a dead load). Facets of one launch share no node.
template <class Element>
struct Pressure {
  static constexpr const char* name = "pressure";
  ElementTable<Element> elements;
  const Index* facets;  ///< facet codes
  Index count;
  const Vec2* position;  ///< [node], m
  Real line_pressure;    ///< pressure at this instant * thickness, N/m
  Vec2* force;           ///< [node], N

  CLEAVE_HD Index size() const { return count; }
  CLEAVE_HD void operator()(Index i) const {
    constexpr int nodes = Element::facet_nodes;
    const Index e = element_of(facets[i]);
    const int k = facet_of(facets[i]);
    Vec2 x[nodes];
    elements.gather_facet(e, k, position, x);
    for (int q = 0; q < FacetGauss::points; ++q) {
      const Real r = FacetGauss::point(q);
      Vec2 d{};
      for (int j = 0; j < nodes; ++j) d += Element::facet_derivative(j, r) * x[j];
      const Vec2 push = -line_pressure * FacetGauss::weight(q) * Vec2{d.y, -d.x};
      for (int j = 0; j < nodes; ++j) force[elements.facet_node(e, k, j)] += Element::facet_shape(j, r) * push;
    }
  }
};

/// Forgets the forces at the nodes of listed facets.
template <class Element>
struct ClearFacetNodes {
  static constexpr const char* name = "cleared pressure";
  ElementTable<Element> elements;
  const Index* facets;  ///< facet codes
  Index count;
  Vec2* force;  ///< [node], N

  CLEAVE_HD Index size() const { return count; }
  CLEAVE_HD void operator()(Index i) const {
    for (int j = 0; j < Element::facet_nodes; ++j)
      force[elements.facet_node(element_of(facets[i]), facet_of(facets[i]), j)] = Vec2{};
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
