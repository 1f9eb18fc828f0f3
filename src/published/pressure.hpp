/// Pressure on original boundary facets, in the coloured and atomic assemblies (facet_loads.hpp: gather).
#pragma once

#include "body/element_table.hpp"
#include "body/step_input.hpp"
#include "cleave/lockstep/kernel.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Adds the force of a pressure to the nodes of listed boundary facets: traction -p along the outward normal of the
/// reference geometry (a dead load). Facets of one launch share no node.
template <class Element>
struct Pressure {
  static constexpr KernelTraits traits{.name = "pressure", .reads_early = true};
  ElementTable<Element> elements;
  const Index* facets;  ///< facet codes
  Index count;
  const Vec2* position;  ///< [node], m
  StepInput input;
  Index load;   ///< whose facets these are
  Vec2* force;  ///< [node], N

  CLEAVE_HD Index size() const { return count; }
  /// Constants of a facet, which only insertion changes: no launch after that reads early.
  struct Facet {
    Index node[Element::facet_nodes];
    Vec2 along[FacetGauss::points];  ///< dX/dr, m
  };
  CLEAVE_HD Facet early(Index i) const {
    constexpr int nodes = Element::facet_nodes;
    const Index e = element_of(facets[i]);
    const int k = facet_of(facets[i]);
    Facet facet{};
    Vec2 x[nodes];
    elements.gather_facet(e, k, position, x);
    for (int j = 0; j < nodes; ++j) facet.node[j] = elements.facet_node(e, k, j);
    for (int q = 0; q < FacetGauss::points; ++q)
      for (int j = 0; j < nodes; ++j) facet.along[q] += Element::facet_derivative(j, FacetGauss::point(q)) * x[j];
    return facet;
  }
  CLEAVE_HD void operator()(Index i) const { (*this)(i, early(i)); }
  CLEAVE_HD void operator()(Index, const Facet& facet) const {
    constexpr int nodes = Element::facet_nodes;
    const Real line_pressure = input.line_pressure(load);
    Vec2 sum[nodes];
    for (int j = 0; j < nodes; ++j) sum[j] = force[facet.node[j]];
    for (int q = 0; q < FacetGauss::points; ++q) {
      const Vec2 d = facet.along[q], push = -line_pressure * FacetGauss::weight(q) * Vec2{d.y, -d.x};
      for (int j = 0; j < nodes; ++j) sum[j] += Element::facet_shape(j, FacetGauss::point(q)) * push;
    }
    for (int j = 0; j < nodes; ++j) force[facet.node[j]] = sum[j];
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
