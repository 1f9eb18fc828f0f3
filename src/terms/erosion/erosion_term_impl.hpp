/// ErosionTerm: its launches.
#pragma once

#include <algorithm>

#include "terms/erosion/erosion.hpp"
#include "terms/erosion/erosion_term.hpp"

namespace cleave::inline CLEAVE_PRECISION {

template <class Backend, class Element>
void ErosionTerm<Backend, Element>::declare(Body& body, const Model&) {
  if (!body.erodes) return;
  const FieldUse of_elements{.on = On::element, .width = ErodedRows::Sums::count, .saved = true};
  rows_ = body.fields.add_filled("eroded energies", of_elements, 0.0);
}

template <class Backend, class Element>
void ErosionTerm<Backend, Element>::launch_check(Body& body) {
  if (!body.erodes) return;
  body.materials.for_each_law([&]<class Material>(const MaterialsOfLaw<Material>& of, ByMaterial<Material>,
                                                  MaterialStates<Element, Material> states) {
    if constexpr (Erodes<Material>) launch_of(body, of, states);
  });
  // Facets beside an eroded element do not break, whoever judges them, and processes may look at neighbours.
  if (body.cohesive_case || body.terms.processes.active())
    body.halo.exchange_elements(ExchangedErosion{body.elements.flags.data()});
}

template <class Backend, class Element>
void ErosionTerm<Backend, Element>::add_sums(Body& body, SumTables& sums) {
  if (body.erodes) sums.add(ErodedRows{{rows_.data()}}, body.halo.own_elements());
}

template <class Backend, class Element>
template <class Material>
void ErosionTerm<Backend, Element>::launch_of(Body& body, const MaterialsOfLaw<Material>& of,
                                              MaterialStates<Element, Material> states) {
  const ElementRange own = body.halo.own_elements();
  for (const auto& member : of.members) {
    const Index first = std::max(member.begin, own.begin), end = std::min(member.end, own.end);
    if (!member.material.may_erode() || first >= end) continue;
    body.backend.launch(ErodeElements<Element, Material>{.elements = body.elements.table(),
                                                         .first = first,
                                                         .end = end,
                                                         .material = member.material,
                                                         .states = states,
                                                         .geometry = body.geometry(),
                                                         .displacement = body.nodes.displacement.data(),
                                                         .velocity = body.nodes.velocity.data(),
                                                         .dt = Real(body.dt),
                                                         .flags = body.elements.flags.data(),
                                                         .rows = {{rows_.data()}}});
  }
}

}  // namespace cleave::inline CLEAVE_PRECISION
