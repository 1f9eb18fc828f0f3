/// The kernel of friction between faces that do not turn.
#pragma once

#include "cleave/lockstep/kernel.hpp"
#include "terms/friction/friction.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Adds friction to the forces of a step at every Gauss point of the gather assembly, after CohesiveStep. Where faces
/// turn, CorotationalFaces does.
template <class Law>
struct FrictionStep {
  static constexpr KernelTraits traits{.name = "friction", .has_in_use = true};
  Index capacity;  ///< of cohesive elements
  const LiveCounts* live;
  Law law;
  CohesiveTable<Law> cohesive;
  Friction friction;
  Real thickness;                  ///< m
  Vec2* gauss_force;               ///< [cohesive][q], see CohesiveForces
  const Index* insertion_pending;  ///< see BlockStep

  CLEAVE_HD Index size() const { return FacetGauss::points * capacity; }
  CLEAVE_HD Index in_use() const { return FacetGauss::points * live->cohesive; }
  CLEAVE_HD void operator()(Index i) const {
    if (*insertion_pending != 0) return;
    const Index c = i / FacetGauss::points;
    const int q = static_cast<int>(i % FacetGauss::points);
    const CohesivePoint point = cohesive.point(c, q);
    const Vec2 opening = cohesive.opening(c, q);
    const Real limit = friction.limit(law, opening, point, read_record(cohesive.state(c, q)));
    FrictionPoint s = friction.spring[i];
    const FacetFrame frame = cohesive.frame_of(c);
    const Real weight = FacetGauss::weight(q) * frame.jacobian * thickness;
    friction.work[i] += weight * s.advance(opening.y, Friction::stiffness(point), limit);
    friction.spring[i] = s;
    gauss_force[i] += weight * s.traction * frame.tangent;
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
