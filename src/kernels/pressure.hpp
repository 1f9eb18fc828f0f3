/// Pressure on original boundary facets, in the coloured and atomic assemblies (facet_loads.hpp: gather).
#pragma once

#include "kernels/element_table.hpp"

namespace cleave::inline CLEAVE_PRECISION {

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

}  // namespace cleave::inline CLEAVE_PRECISION
