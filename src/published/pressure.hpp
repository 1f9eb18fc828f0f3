/// Pressure on original boundary facets and in cracks, in the coloured and atomic assemblies (facet_loads.hpp: gather).
#pragma once

#include <vector>

#include "body/element_table.hpp"
#include "body/step_input.hpp"
#include "cleave/lockstep/kernel.hpp"
#include "cleave/mesh/mesh.hpp"
#include "terms/cracks/crack_pressure.hpp"

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

/// Groups facets so that those of one group share no node (greedy). Splitting nodes only removes sharing, so the groups
/// stay valid. `offsets` gets the ranges.
inline std::vector<Index> group_disjoint_facets(const Mesh& mesh, const std::vector<Index>& facets,
                                                std::vector<Index>& offsets) {
  std::vector<Index> ordered, waiting = facets;
  std::vector<char> taken;
  offsets = {0};
  while (!waiting.empty()) {
    taken.assign(mesh.nodes.size(), 0);
    std::vector<Index> later;
    for (const Index code : waiting) {
      const auto [a, b] = mesh.ends(code);
      if (taken[a] || taken[b]) {
        later.push_back(code);
      } else {
        taken[a] = taken[b] = 1;
        ordered.push_back(code);
      }
    }
    offsets.push_back(static_cast<Index>(ordered.size()));
    waiting.swap(later);
  }
  return ordered;
}

}  // namespace cleave::inline CLEAVE_PRECISION
