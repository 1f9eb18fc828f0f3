/// CrackTerm: its launches.
#pragma once

#include "terms/cracks/crack_reach.hpp"
#include "terms/cracks/crack_term.hpp"
#include "terms/cracks/turning_cracks.hpp"

namespace cleave::inline CLEAVE_PRECISION {

template <class Backend, class Element>
void CrackTerm<Backend, Element>::declare(Body& body, const Model& model) {
  cracks_.list_mouths(model.loads);
  cracks_.declare(body.fields);
  if (!cracks_.active()) return;
  FieldUse of_points{.on = On::cohesive, .width = FacetGauss::points, .saved = true};
  if (body.thickness_changes)
    thickness_change_ =
        body.fields.template add<Real>("thickness changes", {.on = On::cohesive, .width = 2 * Element::facet_nodes});
  if (body.finite)
    faces_ = body.fields.add_filled("pressures on faces", of_points, FacePush{});
  else
    push_ = body.fields.add_filled("pressures in cracks", of_points, Real(0));
  work_ = body.fields.add_filled("works in cracks", of_points, 0.0);
}

template <class Backend, class Element>
void CrackTerm<Backend, Element>::launch_forces(Body& body, const LaunchedStep& step) {
  if (!faces_ || body.cohesive.count == 0) return;
  if (body.thickness_changes) launch_thickness(body);
  body.cohesive.with_law([&]<class Law>(const Law&, const CohesiveTable<Law>& table) {
    body.backend.launch(PushTurningFaces<Element, Law>{.rows = body.elements.cohesive_rows.data(),
                                                       .capacity = body.cohesive.capacity(),
                                                       .live = body.live(),
                                                       .displacement = body.nodes.displacement.data(),
                                                       .cohesive = table,
                                                       .cracks = view(),
                                                       .input = body.inputs.at(body.live(), step.number),
                                                       .faces = faces_.data(),
                                                       .sides = body.terms.cohesive.sides(),
                                                       .insertion_pending = body.insertion_pending(),
                                                       .own = body.halo.own_elements(),
                                                       .thickness_change = thickness_change_.data()});
  });
}

template <class Backend, class Element>
void CrackTerm<Backend, Element>::launch_check(Body& body) {
  launch_crack_reach(body, cracks_);
}

template <class Backend, class Element>
void CrackTerm<Backend, Element>::launch_thickness(Body& body) {
  body.materials.for_each_law([&]<class Material>(const MaterialsOfLaw<Material>& of, ByMaterial<Material>,
                                                  MaterialStates<Element, Material> states) {
    if constexpr (Material::finite) launch_thickness_of(body, of, states);
  });
}

template <class Backend, class Element>
template <class Material>
void CrackTerm<Backend, Element>::launch_thickness_of(Body& body, const MaterialsOfLaw<Material>& of,
                                                      MaterialStates<Element, Material> states) {
  for (const auto& member : of.members)
    body.backend.launch(FaceThickness<Element, Material>{.elements = body.elements.table(),
                                                         .begin = member.begin,
                                                         .end = member.end,
                                                         .material = member.material,
                                                         .states = states,
                                                         .geometry = body.geometry(),
                                                         .dt = Real(body.dt),
                                                         .displacement = body.nodes.displacement.data(),
                                                         .capacity = body.cohesive.capacity(),
                                                         .live = body.live(),
                                                         .load = cracks_.load.data(),
                                                         .change = thickness_change_.data(),
                                                         .insertion_pending = body.insertion_pending()});
}

}  // namespace cleave::inline CLEAVE_PRECISION
