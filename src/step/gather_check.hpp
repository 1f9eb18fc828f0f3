/// The fracture check of the gather assembly.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "parts/exchanged_rows.hpp"
#include "step/facet_check.hpp"
#include "step/gather_body.hpp"
#include "step/rooms.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Steps between two checks; 0: there are none.
template <class Body>
Step check_interval(const Body& body) {
  if (body.cohesive_case) return body.cohesive_case->insertion.every;
  Step shortest = 0;
  for (const auto* term : body.terms.all())
    if (const Step every = term->check_interval(); every > 0 && (shortest == 0 || every < shortest)) shortest = every;
  return shortest;
}

/// @param dt  from the step that the states belong to, s
template <class Body, class Material>
ElementStress<typename Body::Element, Material> element_stress(Body& body,
                                                               MaterialStates<typename Body::Element, Material> states,
                                                               double dt) {
  return {.elements = body.elements.table(),
          .position = body.nodes.position.data(),
          .displacement = body.nodes.displacement.data(),
          .states = states,
          .dt = Real(dt),
          .flags = body.elements.flags.data(),
          .fault = &body.report.data()->fault};
}

/// Stresses of nodes, of frames and of what facets are judged by.
/// @param dt  from the step that the states of the materials belong to, s
template <class Body>
void launch_nodal_stress(Body& body, double dt, DeviceGate gate = DeviceGate::always()) {
  using Element = typename Body::Element;
  auto& gather = body.gather;
  const NodeStress node{.assembly = gather.assembly.data(),
                        .stress_sum = {body.fracture.stress_sum.data()},
                        .criterion = body.fracture.criterion,
                        .flagged = body.fracture.flagged.data(),
                        .flagged_nodes = &body.report.data()->counters.flagged_nodes,
                        .erodes = body.erodes};
  body.materials.for_each_launch(body.halo.own_blocks(), [&]<class Material>(const BlockMaterials<Material>& materials,
                                                                             MaterialStates<Element, Material> states) {
    using Kernel = BlockStress<Element, Material>;
    const Index blocks = materials.blocks();
    body.backend.launch(Kernel{.stress = element_stress(body, states, dt),
                               .blocks_of = gather.block_table(),
                               .materials = materials,
                               .node = node,
                               .slot_stress = gather.slot_stress.data(),
                               .gauss_stress = {body.elements.stress.data()},
                               .near_strength = body.elements.near_strength.data(),
                               .gate = gate,
                               .launched = Body::is_host_memory ? blocks : std::min(blocks, Kernel::most_launched)});
  });
  body.halo.exchange_corners(ExchangedSlots{body.elements.table(), gather.slot_stress.data()}, gate);
  if (body.elements.stress.size() > 0)  // of laws that judge facets by Gauss points
    body.halo.exchange_elements(
        ExchangedElementRows<Real, Element::stresses * Element::gauss_points>{{body.elements.stress.data()}}, gate);
  body.backend.launch(InterfaceNodeStress{.first_node = gather.first_interface,
                                          .capacity = gather.capacity(),
                                          .live = body.live(),
                                          .node = node,
                                          .slot_stress = gather.slot_stress.data(),
                                          .gate = gate,
                                          .material = {gather.interface_entries.data(), body.materials.of_element()}});
}

/// The stresses of nodes, once they have been added up.
template <class Body>
NodalMeans<typename Body::Element> nodal_means(Body& body) {
  const Index* const material = body.materials.of_element();
  return {.sum = {body.fracture.stress_sum.data()},
          .material = material,
          .assembly = material == nullptr ? nullptr : body.gather.assembly.data(),
          .slot_mean = body.gather.slot_stress.data()};
}

/// Whether a look for stresses near the strength pays: on a device, where to add up stresses costs more than to compute
/// them, unless launches and exchanges cost most.
/// @param is_resident  steps of the intact body are one launch
template <class Body>
bool looks_for_near_strength(Body& body, bool is_resident) {
  constexpr Index fewest_of_rank = 65536;
  if (Body::is_host_memory || !body.cohesive.judged_by_nodes()) return false;
  const int ranks = body.halo.rank_count();
  return ranks > 1 ? body.halo.body_elements(body.elements.count) / ranks >= fewest_of_rank : !is_resident;
}

/// Nodal stresses for a check: where that pays, only if a stress of any rank is near the strength. Returns the gate
/// that is open if one is.
template <class Body>
DeviceGate launch_stress_for_check(Body& body, bool is_resident) {
  using Element = typename Body::Element;
  if (!looks_for_near_strength(body, is_resident)) {
    launch_nodal_stress(body, body.dt);
    return DeviceGate::always();
  }
  const NearStrength near{body.fracture.criterion, &body.report.data()->counters.near_strength};
  body.materials.for_each_launch(body.halo.own_blocks(), [&]<class Material>(const BlockMaterials<Material>& materials,
                                                                             MaterialStates<Element, Material> states) {
    body.backend.launch(FindNearStrength<Element, Material>{
        .stress = element_stress(body, states, body.dt), .materials = materials, .near = near});
  });
  body.halo.exchange_near({near.found, &body.report.data()->fault});
  launch_nodal_stress(body, body.dt, near.gate());
  return near.gate();
}

template <class Body>
CheckResult check_result(Body& body) {
  Counters& counters = body.report.data()->counters;
  const FacetCounts all{&counters.fractured_facets, &counters.fractured_elements};
  return {.check_skipped = &counters.check_skipped,
          .all = all,
          .here = body.halo.is_alone() ? all : FacetCounts{&counters.facets_here, &counters.elements_here},
          .fault = &body.report.data()->fault,
          .found = body.scratch.found.data(),
          .bits = body.fracture.fractured.data(),
          .strength_scale = body.fracture.strength_scale.data(),
          .largest_load = &body.report.data()->largest_load};
}

/// Room in the arrays, without a limit where they hold all that can ever be.
template <class Body>
InsertionRoom insertion_room(const Body& body) {
  const auto room = [](Index capacity, std::int64_t most) {
    return capacity < most ? capacity : std::numeric_limits<Index>::max();
  };
  return {room(body.nodes.capacity(), most_nodes(body)), room(body.cohesive.capacity(), most_interior_facets(body)),
          body.gather.slot_room()};
}

/// Whether a rank has room for an insertion of most_facets_of_one_block facets.
template <class Element>
struct RoomForPass {
  InsertionRoom room;
  SplitPass<Element> pass;
  const LiveCounts* live;
  CLEAVE_HD bool operator()() const { return room.takes(pass, *live); }
};
template <class Body>
RoomForPass<typename Body::Element> room_for_pass(Body& body) {
  return {insertion_room(body), body.gather.split_pass(body.elements.table(), most_facets_of_one_block, 0),
          body.live()};
}

/// Checks of the terms, then stresses and filters; leaves the number of facets that break in the counters, which must
/// be clear.
template <class Body>
void launch_fracture_check(Body& body, bool is_resident) {
  for (auto* term : body.terms.all()) term->launch_check(body);
  if (!body.cohesive_case) return;
  const DeviceGate near = launch_stress_for_check(body, is_resident);
  if (body.cohesive_case->rate.exponent > 0)  // looks at the elements on both sides of a facet
    body.halo.exchange_elements(ExchangedCornerMotion<typename Body::Element>{
        body.elements.table(), body.nodes.displacement.data(), body.nodes.velocity.data()});
  launch_facet_filter(body, nodal_means(body), strength_rate(body, true));
  body.halo.join_found(check_result(body), body.elements.table(), room_for_pass(body), near);
}

}  // namespace cleave::inline CLEAVE_PRECISION
