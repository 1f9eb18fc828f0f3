/// Which facets of a body break, and the start of cohesive elements there.
#pragma once

#include <cstdint>
#include <vector>

#include "cleave/core/error.hpp"
#include "parts/exchanged_rows.hpp"
#include "step/body.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// How the strength of facets grows with the rate, by the velocities in the middle of the step before a check.
/// @param has_midstep_velocity  nodes hold v(n+1/2) at a check; else v(n) and a(n), with u(n+1)
template <class Body>
StrengthRate strength_rate(Body& body, bool has_midstep_velocity) {
  const StrengthRateCase& rate = body.cohesive_case->rate;
  return {.per_reference = Real(1 / rate.reference),
          .exponent = Real(rate.exponent),
          .velocity = body.nodes.velocity.data(),
          .acceleration = has_midstep_velocity ? nullptr : body.nodes.acceleration.data(),
          .half_step = Real(0.5 * body.dt)};
}

/// @param traction  of facets
/// @param flagged   [node] see FacetJudge
template <class Body, class Traction>
void launch_facet_filter_by(Body& body, const Traction& traction, const std::uint8_t* flagged,
                            const StrengthRate& rate) {
  using Element = typename Body::Element;
  Counters& counters = body.report.data()->counters;
  FractureState<typename Body::Backend>& fracture = body.fracture;
  const FacetJudge<Element, Traction> judge{.elements = body.elements.table(),
                                            .range = body.halo.own_elements(),
                                            .position = body.nodes.position.data(),
                                            .traction = traction,
                                            .flagged = flagged,
                                            .flagged_nodes = &counters.flagged_nodes,
                                            .criterion = fracture.criterion,
                                            .displacement = body.moved_facets(),
                                            .gate = DeviceGate::closed_if(&counters.check_skipped),
                                            .rate = rate,
                                            .flags = body.eroded_flags(),
                                            .ids = body.halo.element_ids()};
  const FracturedFacets fractured{.bits = fracture.fractured.data(),
                                  .facets = &counters.fractured_facets,
                                  .elements = &counters.fractured_elements,
                                  .found = body.scratch.found.data(),
                                  .room = static_cast<Index>(body.scratch.found.size()),
                                  .largest_load = &body.report.data()->largest_load};
  if (body.cohesive_case->insertion.selection == Selection::all) {
    body.backend.launch(FacetFilter<Element, Traction>{judge, fractured});
  } else {
    LoadRank* const most_loaded = fracture.most_loaded.data();
    body.fill(fracture.most_loaded, fracture.most_loaded.size(), LoadRank{0});
    body.backend.launch(RankFacets<Element, Traction>{judge, fracture.fractured.data(), most_loaded});
    body.halo.exchange_corners(ExchangedFacetRanks<Element>{body.elements.table(), most_loaded});
    body.backend.launch(MostLoadedFacets<Element, Traction>{judge, fractured, most_loaded});
  }
  if (rate.active())
    body.backend.launch(
        RaiseStrengths<Element, Traction>{judge, fracture.fractured.data(), fracture.strength_scale.data()});
}
/// Leaves the number of facets that break in the counters, which must be clear but for the flagged nodes.
/// @param means  of the stresses of nodes, which have been added up
template <class Body>
void launch_facet_filter(Body& body, const NodalMeans<typename Body::Element>& means, const StrengthRate& rate) {
  using Element = typename Body::Element;
  if (body.cohesive.judged_by_nodes())
    launch_facet_filter_by(body, NodalTraction<Element>{means}, body.fracture.flagged.data(), rate);
  else
    launch_facet_filter_by(body,
                           ElementTraction<Element>{{body.elements.stress.data()}, body.elements.near_strength.data()},
                           nullptr, rate);
}

/// Marks facets as if a check had found them. Returns the number of elements that own them.
template <class Body>
Index mark_fractured(Body& body, const std::vector<Index>& facets) {
  if (!body.cohesive_case) throw InputError("nothing can be cut: the case has no cohesive law");
  std::vector<std::uint8_t> fractured(body.elements.count, 0);
  Index elements = 0;
  for (const Index code : facets) {
    elements += fractured[element_of(code)] == 0;
    fractured[element_of(code)] |= static_cast<std::uint8_t>(1 << facet_of(code));
  }
  body.fracture.fractured.upload(fractured);
  return elements;
}

/// The start of new cohesive elements behind those there are.
/// @param means  of the stresses of nodes
template <class Body, class Law>
StartCohesive<typename Body::Element, Law> start_cohesive(Body& body, const NodalMeans<typename Body::Element>& means,
                                                          const Law& law, const CohesiveTable<Law>& table,
                                                          Index facets) {
  FacetTraction<typename Body::Element, Law> traction;
  if constexpr (Law::insertion_stress == FacetStress::nodes)
    traction = {means};
  else
    traction = {{body.elements.stress.data()}};
  return {.elements = body.elements.table(),
          .first_cohesive = body.cohesive.count,
          .count = facets,
          .position = body.nodes.position.data(),
          .traction = traction,
          .law = law,
          .cohesive = table,
          .thickness = body.thickness,
          .cap_factor = Real(2 * body.stiffness_safety / (body.dt * body.dt)),
          .contact_modulus = {body.contact_moduli.data(), body.materials.of_element()},
          .step = body.step,
          .strength_scale = body.fracture.criterion.scale,
          .energy_scale = body.fracture.energy_scale.data(),
          .displacement = body.moved_facets(),
          .own = body.halo.own_elements()};
}

}  // namespace cleave::inline CLEAVE_PRECISION
