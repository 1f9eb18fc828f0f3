/// Tractions and forces of cohesive elements, two stages of the published pipeline.
#pragma once

#include "terms/cohesive/cohesive.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Openings in the local frame and tractions of every cohesive element: three threads an element, one a Gauss point.
template <class Element, class Law>
struct CohesiveTraction {
  static constexpr KernelTraits traits{.name = "cohesive traction", .has_in_use = true, .reads_early = true};
  static constexpr int points = FacetGauss::points;
  ElementTable<Element> elements;
  Index capacity;            ///< of cohesive elements
  const Index* present;      ///< how many there are
  const Vec2* displacement;  ///< [node], m
  Law law;
  CohesiveTable<Law> cohesive;

  CLEAVE_HD Index size() const { return points * capacity; }
  CLEAVE_HD Index in_use() const { return points * *present; }
  /// An element as only insertion changes it, and no launch after that is early.
  struct Faces {
    Index node[2][Element::facet_nodes] = {};
    FacetFrame frame{};
  };
  CLEAVE_HD Faces early(Index i) const {
    Faces faces;
    if (i >= in_use()) return faces;
    const Index c = i / points;
    for (int side = 0; side < 2; ++side)
      for (int j = 0; j < Element::facet_nodes; ++j) faces.node[side][j] = elements.cohesive_node(c, side, j);
    faces.frame = cohesive.frame_of(c);
    return faces;
  }
  CLEAVE_HD void operator()(Index i) const { (*this)(i, early(i)); }
  CLEAVE_HD void operator()(Index i, const Faces& faces) const {
    const Index c = i / points;
    const int q = static_cast<int>(i % points);
    Vec2 delta{};
    for (int j = 0; j < Element::facet_nodes; ++j)
      delta += Element::facet_shape(j, FacetGauss::point(q)) *
               (displacement[faces.node[1][j]] - displacement[faces.node[0][j]]);
    const Vec2 opening{dot(delta, faces.frame.normal()), dot(delta, faces.frame.tangent)};
    CohesiveStepPoint<Law> point = cohesive.load(i, cohesive.stiffness(c, 0), opening);
    const CohesivePointStep step = point.step(law);
    cohesive.store(i, point, step);
  }
};

/// Adds cohesive forces to the nodes of listed bulk elements; each writes its own side of its cohesive facets.
/// Sign of an internal force: side b gets +N T, side a -N T.
template <class Element, class Law, class Scatter, class List = ElementList>
struct CohesiveForce {
  static constexpr KernelTraits traits{.name = "cohesive force", .has_in_use = true, .reads_early = true};
  ElementTable<Element> elements;
  List list;  ///< elements that touch cohesive elements
  CohesiveTable<Law> cohesive;
  Real thickness;  ///< m
  Vec2* force;     ///< [node], N

  CLEAVE_HD Index size() const { return list.count; }
  CLEAVE_HD Index in_use() const { return list.in_use(); }
  /// An element with cohesive sides, as only insertion changes it, and no launch after that is early.
  struct Sides {
    Index code[3] = {};  ///< what is across the facets
    Index node[Element::nodes] = {};
    FacetFrame frame[3] = {};
  };
  CLEAVE_HD Sides early(Index entry) const {
    Sides sides;
    if (entry >= in_use()) return sides;
    const Index e = list[entry];
    for (int k = 0; k < 3; ++k) sides.code[k] = elements.neighbour(e, k);
    for (int i = 0; i < Element::nodes; ++i) sides.node[i] = elements.node(e, i);
    for (int k = 0; k < 3; ++k)
      if (is_cohesive(sides.code[k])) sides.frame[k] = cohesive.frame_of(cohesive_of(sides.code[k]));
    return sides;
  }
  CLEAVE_HD void operator()(Index entry) const { (*this)(entry, early(entry)); }
  /// Reads all that it needs before it adds up: a GPU then waits for it once.
  CLEAVE_HD void operator()(Index, const Sides& sides) const {
    Vec2 traction[3][FacetGauss::points] = {}, before[Element::nodes], sum[Element::nodes];
    for (int k = 0; k < 3; ++k)
      for (int q = 0; q < FacetGauss::points && is_cohesive(sides.code[k]); ++q)
        traction[k][q] = cohesive.traction(cohesive_of(sides.code[k]), q);
    for (int i = 0; i < Element::nodes; ++i) sum[i] = before[i] = Scatter::fetch(force[sides.node[i]]);
    for (int k = 0; k < 3; ++k)
      if (is_cohesive(sides.code[k])) add_side(k, cohesive_side_of(sides.code[k]), sides.frame[k], traction[k], sum);
    for (int i = 0; i < Element::nodes; ++i) Scatter::put(force[sides.node[i]], before[i], sum[i]);
  }

  CLEAVE_HD void add_side(int k, int side, const FacetFrame& frame, const Vec2 (&traction)[FacetGauss::points],
                          Vec2 (&sum)[Element::nodes]) const {
    constexpr int nodes = Element::facet_nodes;
    Vec2 f[nodes] = {};
    for (int q = 0; q < FacetGauss::points; ++q) {
      const Real w = FacetGauss::weight(q) * frame.jacobian * thickness;
      const Vec2 t = traction[q].x * frame.normal() + traction[q].y * frame.tangent;
      for (int i = 0; i < nodes; ++i) f[i] += w * Element::facet_shape(i, FacetGauss::point(q)) * t;
    }
    for (int i = 0; i < nodes; ++i) {
      if (side == 0)
        sum[Element::facet_slot(k, i)] += Real(-1) * f[i];
      else
        sum[Element::facet_slot(k, nodes - 1 - i)] += f[i];
    }
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
