/// Pressure in cracks whose faces turn: it pushes each face along its own normal as the face lies now.
#pragma once

#include "cleave/core/record.hpp"
#include "kernels/crack_pressure.hpp"
#include "kernels/turning_cohesive.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// The push on the faces of every failed cohesive element that a load reaches, with its work since the last step. Faces
/// that have parted (turning_cohesive.hpp) are free of it. After TurningCohesiveStep.
template <class Element, class Law>
struct PushTurningFaces {
  static constexpr const char* name = "pressure in turning cracks";
  const CohesiveRow<Element>* rows;  ///< [cohesive]
  Index capacity;                    ///< of cohesive elements
  const LiveCounts* live;
  const Vec2* displacement;  ///< [node], m
  CohesiveTable<Law> cohesive;
  CrackPressure cracks;
  StepInput input;
  FacePush* faces;                  ///< [cohesive][q]; rows not in use are zero
  const Index* insertion_pending;   ///< see BlockStep
  ElementRange own = all_elements;  ///< see CohesiveStep

  CLEAVE_HD Index size() const { return FacetGauss::points * capacity; }
  CLEAVE_HD Index in_use() const { return FacetGauss::points * live->cohesive; }
  CLEAVE_HD void operator()(Index i) const {
    if (*insertion_pending != 0) return;
    const Index c = i / FacetGauss::points;
    const CohesiveRow<Element> row = read_record(rows[c]);
    if (!row.touches(own)) return;
    const int q = static_cast<int>(i % FacetGauss::points);
    const Real r = FacetGauss::point(q);
    const FacetFrame reference = cohesive.frame_of(c);
    const FacetFactors of = cohesive.factors[c];
    const bool parted = cohesive.offset(c, q).x == parted_offset;
    const Real push = parted ? Real(0) : FacetGauss::weight(q) * cracks.line_pressure(c, input);  // N/m
    const FacePush before = read_record(faces[i]);
    FacePush now;
    Real done = 0;
    for (int side = 0; side < 2; ++side) {
      Vec2 u{}, along = reference.jacobian / (of.energy * of.opening) * reference.tangent;  // dx/dr of the face
      for (int k = 0; k < Element::facet_nodes; ++k) {
        const Vec2 at = displacement[row.nodes[side][k]];
        u += Element::facet_shape(k, r) * at;
        along += Element::facet_derivative(k, r) * at;
      }
      now.force[side] = (side == 0 ? push : -push) * Vec2{along.y, -along.x};
      now.displacement[side] = u;
      done += Real(-0.5) * dot(before.force[side] + now.force[side], u - before.displacement[side]);
    }
    write_record(faces[i], now);
    cracks.work[i] += done;
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
