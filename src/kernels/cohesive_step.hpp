/// Cohesive elements in the gather assembly: openings, tractions and their work in one launch; bulk elements fetch the
/// forces of their own sides.
#pragma once

#include "cleave/core/output.hpp"
#include "cleave/core/record.hpp"
#include "kernels/cohesive.hpp"
#include "kernels/crack_pressure.hpp"
#include "kernels/gather_table.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Forces of cohesive elements as their bulk elements see them.
template <class Element>
struct CohesiveForces {
  const Vec2* gauss_force;  ///< [cohesive][q] traction * Gauss weight * |dX/dr| * thickness, less the push of a
                            ///< pressure in the crack, global directions, N

  /// Adds those of element e's cohesive facets to its nodal forces: side a gets -N T, side b +N T.
  CLEAVE_HD void add(const ElementTable<Element>& elements, Index e, Vec2 (&f)[Element::nodes]) const {
    constexpr int nodes = Element::facet_nodes;
    const Index behind[3] = {elements.neighbour(e, 0), elements.neighbour(e, 1), elements.neighbour(e, 2)};
    CLEAVE_UNROLL
    for (int k = 0; k < 3; ++k) {
      const Index code = behind[k];
      if (!is_cohesive(code)) continue;
      const Index c = cohesive_of(code);
      const bool side_a = cohesive_side_of(code) == 0;
      for (int i = 0; i < nodes; ++i) {
        Vec2 sum{};
        for (int q = 0; q < FacetGauss::points; ++q)
          sum += Element::facet_shape(i, FacetGauss::point(q)) * gauss_force[FacetGauss::points * c + q];
        if (side_a)
          f[Element::facet_slot(k, i)] += Real(-1) * sum;
        else
          f[Element::facet_slot(k, nodes - 1 - i)] += sum;
      }
    }
  }
};

/// Openings, history and tractions of every Gauss point, with the work since the last step: three threads an element.
template <class Element, class Law, Output output>
struct CohesiveStep {
  static constexpr const char* name = "cohesive elements";
  ElementTable<Element> elements;
  Index capacity;  ///< of cohesive elements
  const LiveCounts* live;
  const Vec2* displacement;  ///< [node], m
  Law law;
  CohesiveTable<Law> cohesive;
  CrackPressure cracks;
  StepInput input;
  Real thickness;                  ///< m
  Vec2* gauss_force;               ///< [cohesive][q], see CohesiveForces
  double* work;                    ///< [cohesive][q], J
  const Index* insertion_pending;  ///< see BlockStep

  CLEAVE_HD Index size() const { return FacetGauss::points * capacity; }
  CLEAVE_HD Index in_use() const { return FacetGauss::points * live->cohesive; }

  /// Where a Gauss point finds what only insertion changes: in memory, ...
  struct InMemory {
    const CohesiveStep* kernel;
    Index c;

    CLEAVE_HD_INLINE CohesiveRow<Element> row() const { return read_record(kernel->elements.cohesive_rows[c]); }
    CLEAVE_HD_INLINE FacetFrame frame() const { return kernel->cohesive.frame_of(c); }
  };
  /// ... or read early.
  struct Kept {
    CohesiveRow<Element> nodes;
    FacetFrame at;

    CLEAVE_HD const CohesiveRow<Element>& row() const { return nodes; }
    CLEAVE_HD const FacetFrame& frame() const { return at; }
  };

  CLEAVE_HD_INLINE InMemory in_memory(Index i) const { return {this, i / FacetGauss::points}; }
  /// See BlockStep.
  CLEAVE_HD Kept early(Index i) const requires(output == Output::none) {
    const InMemory view = in_memory(i);
    return {view.row(), view.frame()};
  }
  CLEAVE_HD void operator()(Index i, const Kept& kept) const { run(i, kept); }
  CLEAVE_HD void operator()(Index i) const { run(i, in_memory(i)); }

  template <class Constants>
  CLEAVE_HD void run(Index i, const Constants& constants) const {
    if (*insertion_pending != 0) return;
    const Index c = i / FacetGauss::points;
    const int q = static_cast<int>(i % FacetGauss::points);
    const FacetFrame frame = constants.frame();
    const CohesiveRow<Element> row = constants.row();
    const Vec2 from = cohesive.opening(c, q), before = cohesive.traction(c, q);
    const double done = work[i];
    Vec2 jump{};
    for (int k = 0; k < Element::facet_nodes; ++k)
      jump += Element::facet_shape(k, FacetGauss::point(q)) *
              (displacement[row.nodes[1][k]] - displacement[row.nodes[0][k]]);
    const Vec2 opening{dot(jump, frame.normal()), dot(jump, frame.tangent)};
    const Vec2 acts = cohesive.advance(law, c, q, from, opening, before);

    const Real length = FacetGauss::weight(q) * frame.jacobian, weight = length * thickness;
    work[i] = done + weight * dot(Real(0.5) * (acts + before), opening - from);
    cohesive.opening(c, q) = opening;
    cohesive.traction(c, q) = acts;
    Vec2 force = weight * (acts.x * frame.normal() + acts.y * frame.tangent);
    if (cracks.load != nullptr) force += -cracks.advance(c, q, input, length, opening.x - from.x) * frame.normal();
    gauss_force[i] = force;
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
