/// FrictionTerm: its kernel and launches.
#pragma once

#include "cleave/lockstep/kernel.hpp"
#include "terms/friction/friction_law.hpp"
#include "terms/friction/friction_term.hpp"

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
    const FacetFrame frame = cohesive.frame_of(c);
    const Real weight = FacetGauss::weight(q) * frame.jacobian * thickness;
    const Rubbed rubbed = rub(friction, law, i, opening, point, read_record(cohesive.state(c, q)), weight);
    gauss_force[i] += weight * rubbed.traction * frame.tangent;
  }
};

template <class Backend, class Element>
void FrictionTerm<Backend, Element>::declare(Body& body, const Model&) {
  coefficient_ = body.cohesive_case ? body.cohesive_case->friction : 0;
  if (coefficient_ == 0) return;
  const FieldUse of_points{.on = On::cohesive, .width = FacetGauss::points, .saved = true};
  spring_ = body.fields.add_filled("friction springs", of_points, FrictionPoint{});
  work_ = body.fields.add_filled("friction works", of_points, 0.0);
}

template <class Backend, class Element>
void FrictionTerm<Backend, Element>::launch_forces(Body& body, const LaunchedStep&) {
  if (!spring_ || body.cohesive.count == 0 || body.finite) return;
  body.cohesive.with_law([&]<class Law>(const Law& law, const CohesiveTable<Law>& table) {
    body.backend.launch(FrictionStep<Law>{.capacity = body.cohesive.capacity(),
                                          .live = body.live(),
                                          .law = law,
                                          .cohesive = table,
                                          .friction = view(),
                                          .thickness = body.thickness,
                                          .gauss_force = body.terms.cohesive.force(),
                                          .insertion_pending = body.insertion_pending()});
  });
}

}  // namespace cleave::inline CLEAVE_PRECISION
