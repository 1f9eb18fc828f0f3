/// CohesiveTerm: its launches.
#pragma once

#include "terms/cohesive/cohesive_step.hpp"
#include "terms/cohesive/cohesive_sums.hpp"
#include "terms/cohesive/cohesive_term.hpp"

namespace cleave::inline CLEAVE_PRECISION {

template <class Backend, class Element>
void CohesiveTerm<Backend, Element>::declare(Body& body, const Model&) {
  const FieldUse of_points{.on = On::cohesive, .width = FacetGauss::points, .saved = true};
  sides_ = body.fields.template add<Vec2>("forces on sides", {.on = On::cohesive, .width = 2 * Element::facet_nodes});
  work_ = body.fields.add_filled("cohesive works", of_points, 0.0);
  if (body.finite) {
    force_ = body.fields.add_filled("cohesive forces", of_points, Vec2{});
    couple_ = body.fields.add_filled("cohesive couples", of_points, Vec2{});
    last_motion_ = body.fields.add_filled("last face motions", of_points, FaceMotion{});
  }
}

template <class Backend, class Element>
void CohesiveTerm<Backend, Element>::launch_forces(Body& body, const LaunchedStep& step) {
  if (!body.has_broken()) return;
  if (body.finite)
    launch<false>(body, turning_faces(body));
  else if (step.reads_early)
    launch<true>(body, fixed_faces(body, step.number));
  else
    launch<false>(body, fixed_faces(body, step.number));
}

template <class Backend, class Element>
void CohesiveTerm<Backend, Element>::launch_sums(Body& body) {
  launch_cohesive_sums(body, work_.data(), FaceForces::of(body.terms));
}

template <class Backend, class Element>
FixedFaces CohesiveTerm<Backend, Element>::fixed_faces(Body& body, int number) {
  return {.forces = FaceForces::of(body.terms),
          .input = body.inputs.at(body.live(), number),
          .thickness = body.thickness,
          .work = work_.data()};
}

template <class Backend, class Element>
CorotationalFaces CohesiveTerm<Backend, Element>::turning_faces(Body& body) {
  return {.forces = FaceForces::of(body.terms),
          .thickness = body.thickness,
          .force = force_.data(),
          .couple = couple_.data(),
          .last = last_motion_.data(),
          .work = work_.data()};
}

template <class Backend, class Element>
template <bool reads_early, class Faces>
void CohesiveTerm<Backend, Element>::launch(Body& body, const Faces& faces) {
  body.cohesive.with_law([&]<class Law>(const Law& law, const CohesiveTable<Law>& table) {
    body.backend.launch(CohesiveStep<Element, Law, Faces, reads_early>{.rows = body.elements.cohesive_rows.data(),
                                                                       .capacity = body.cohesive.capacity(),
                                                                       .live = body.live(),
                                                                       .displacement = body.nodes.displacement.data(),
                                                                       .law = law,
                                                                       .cohesive = table,
                                                                       .faces = faces,
                                                                       .sides = sides(),
                                                                       .insertion_pending = body.insertion_pending(),
                                                                       .own = body.halo.own_elements()});
  });
}

}  // namespace cleave::inline CLEAVE_PRECISION
