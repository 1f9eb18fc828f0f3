/// ViscosityTerm: its launches.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "cleave/material/linear_elastic.hpp"
#include "parts/exchanged_rows.hpp"
#include "terms/viscosity/viscosity_term.hpp"
#include "terms/viscosity/viscous_forces.hpp"

namespace cleave::inline CLEAVE_PRECISION {

template <class Backend, class Element>
void ViscosityTerm<Backend, Element>::declare(Body& body, const Model& model) {
  const auto is_viscous = [](const MaterialCase& m) { return m.viscosity.any(); };
  if (std::none_of(model.materials.begin(), model.materials.end(), is_viscous)) return;
  push_ = body.fields.add_filled("viscous pushes", {.on = On::element, .width = Element::corners, .exchanged = true},
                                 Vec2{});
  force_ = body.fields.add_filled("viscous forces", {.on = On::node, .saved = true, .split = Split::zero}, Vec2{});
  const FieldUse works{.on = On::node, .width = ViscousWorks::Sums::count, .saved = true};
  work_ = body.fields.add_filled("viscous works", works, 0.0);
}

template <class Backend, class Element>
void ViscosityTerm<Backend, Element>::upload(Body&, const Model& model) {
  if (!push_) return;
  std::vector<Viscosity> all;
  for (const MaterialCase& m : model.materials) {
    const double density = m.parameters.density, wave = std::sqrt(LinearElastic::make(m.parameters).d11 / density);
    all.push_back(
        {static_cast<Real>(m.viscosity.linear * density * wave), static_cast<Real>(m.viscosity.quadratic * density)});
  }
  of_material_.upload(all);
}

template <class Backend, class Element>
void ViscosityTerm<Backend, Element>::launch_forces(Body& body, const LaunchedStep& step) {
  if (!push_) return;
  body.backend.launch(ViscousPush<Element>{.elements = body.elements.table(),
                                           .position = body.nodes.position.data(),
                                           .displacement = body.moved_facets(),
                                           .velocity = body.nodes.velocity.data(),
                                           .viscosity = {of_material_.data(), body.materials.of_element()},
                                           .flags = body.elements.flags.data(),
                                           .thickness = body.thickness,
                                           .push = {push_.data()}});
  body.halo.exchange_elements(ExchangedElementRows<Vec2, Element::corners>{{push_.data()}});
  body.backend.launch(ViscousForce<Element>{.incidence = body.gather.incidence(),
                                            .assembly = body.gather.assembly.data(),
                                            .capacity = body.gather.capacity(),
                                            .present = &body.live()->nodes,
                                            .push = {push_.data()},
                                            .velocity = body.nodes.velocity.data(),
                                            .dt = Real(step.start ? 0 : body.dt),
                                            .insertion_pending = body.insertion_pending(),
                                            .force = force_.data(),
                                            .works = {{work_.data()}}});
}

template <class Backend, class Element>
void ViscosityTerm<Backend, Element>::add_sums(Body& body, SumTables& sums) {
  if (push_) body.add_nodes(sums, ViscousWorks{{work_.data()}});
}

}  // namespace cleave::inline CLEAVE_PRECISION
