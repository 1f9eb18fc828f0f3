/// Which facets break: first a cheap test of nodes, then the facets of the nodes that pass.
#pragma once

#include "kernels/stress.hpp"

namespace cleave {

/// When a facet breaks.
struct FractureCriterion {
  Real strength_n = 0;  ///< Pa
  Real strength_t = 0;  ///< Pa
  Aggregate aggregate = Aggregate::mean;
  bool limited = false;         ///< only facets with their midpoint in the box
  Vec2 box_min{}, box_max{};    ///< m

  CLEAVE_HD bool allows(Vec2 midpoint) const {
    return !limited || (midpoint.x >= box_min.x && midpoint.x <= box_max.x && midpoint.y >= box_min.y &&
                        midpoint.y <= box_max.y);
  }
  /// Traction against strength: the facet breaks at 1.
  CLEAVE_HD Real ratio(Real normal, Real tangential) const {
    const Real n = std::fmax(normal, Real(0)) / strength_n;
    const Real t = tangential / strength_t;
    return std::sqrt(n * n + t * t);
  }
};

/// Normal (x) and tangential (y) traction of a stress on a facet, Pa.
CLEAVE_HD inline Vec2 traction_on(Sym2 stress, const FacetFrame& frame) {
  const Vec2 n = frame.normal();
  const Vec2 t{stress.xx * n.x + stress.xy * n.y, stress.xy * n.x + stress.yy * n.y};
  return {dot(t, n), dot(t, frame.tangent)};
}

/// Flags nodes whose stress could break some facet: with principal stresses p1 >= p2 those with
/// (<p1>/strength_n)^2 + ((p1 - p2)/(2 strength_t))^2 >= 1, which bounds the ratio over all directions.
struct NodeFilter {
  static constexpr const char* name = "node filter";
  Index count;
  NodalStressTable stress_sum;
  FractureCriterion criterion;
  std::uint8_t* flagged;  ///< [node]

  CLEAVE_HD Index size() const { return count; }
  CLEAVE_HD void operator()(Index node) const {
    const Sym2 s = mean_stress(stress_sum, node);
    const Real half = Real(0.5) * (s.xx - s.yy);
    const Real radius = std::sqrt(half * half + s.xy * s.xy);
    const Real p1 = Real(0.5) * (s.xx + s.yy) + radius;
    const Real ratio = criterion.ratio(p1, radius);
    flagged[node] = ratio >= 1;
  }
};

/// Tests the facets that an element owns (its id is the smaller one) and that still join two elements.
template <class Element>
struct FacetFilter {
  static constexpr const char* name = "facet filter";
  ElementTable<Element> elements;
  const Vec2* position;         ///< [node], m
  NodalStressTable stress_sum;  ///< [node]
  const std::uint8_t* flagged;  ///< [node]
  FractureCriterion criterion;
  std::uint8_t* fractured;      ///< [element] bit k: facet k breaks
  Index* fractured_facets;      ///< number of them in all

  CLEAVE_HD Index size() const { return elements.bulk; }
  CLEAVE_HD void operator()(Index e) const {
    int bits = 0;
    for (int k = 0; k < 3; ++k)
      if (breaks(e, k)) bits |= 1 << k;
    fractured[e] = static_cast<std::uint8_t>(bits);
    if (bits != 0) atomic_add(*fractured_facets, static_cast<Index>((bits & 1) + (bits >> 1 & 1) + (bits >> 2)));
  }

  CLEAVE_HD bool breaks(Index e, int k) const {
    const Index other = elements.neighbour(e, k);
    if (!is_intact(other) || element_of(other) < e) return false;
    bool any = false;
    for (int i = 0; i < Element::facet_nodes; ++i) any = any || flagged[elements.facet_node(e, k, i)];
    if (!any) return false;

    Vec2 x[Element::facet_nodes];
    elements.gather_facet(e, k, position, x);
    const Vec2 midpoint =
        Element::facet_nodes == 3 ? x[1] : Real(0.5) * (x[0] + x[Element::facet_nodes - 1]);
    if (!criterion.allows(midpoint)) return false;

    Vec2 mean{};
    Real largest = 0;
    for (int i = 0; i < Element::facet_nodes; ++i) {
      const Vec2 t = traction_on(mean_stress(stress_sum, elements.facet_node(e, k, i)),
                                 facet_frame<Element>(x, Element::facet_parent(i)));
      mean += Element::facet_weight(i) * t;
      largest = std::fmax(largest, criterion.ratio(t.x, t.y));
    }
    return (criterion.aggregate == Aggregate::max ? largest : criterion.ratio(mean.x, mean.y)) >= 1;
  }
};

}  // namespace cleave
