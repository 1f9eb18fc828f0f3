/// FrictionTerm: its launches.
#pragma once

#include "terms/friction/friction_step.hpp"
#include "terms/friction/friction_term.hpp"

namespace cleave::inline CLEAVE_PRECISION {

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
