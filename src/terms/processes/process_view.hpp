/// The body of a solver as processes see it.
#pragma once

#include <cstddef>
#include <stdexcept>

#include "body/element_table.hpp"
#include "body/gather_table.hpp"
#include "body/live_counts.hpp"
#include "cleave/process/process_body.hpp"

namespace cleave::inline CLEAVE_PRECISION {

// ProcessBody is public, and names these layouts once more.
static_assert(sizeof(ProcessBody<T3>::Corner) == sizeof(ElementNode) && offsetof(ElementNode, node) == 0);
static_assert(sizeof(ProcessBody<T3>::Star) == sizeof(NodeAssembly) && offsetof(NodeAssembly, slots) == 4 &&
              offsetof(NodeAssembly, flags) == 6);
static_assert(ProcessBody<T3>::remote_flag == remote_node &&
              ProcessBody<T3>::eroded_flag == static_cast<std::uint8_t>(ElementFlag::eroded));
static_assert(ProcessBody<T6>::row_of_cohesive * sizeof(Index) == sizeof(CohesiveRow<T6>) &&
              ProcessBody<T3>::row_of_cohesive * sizeof(Index) == sizeof(CohesiveRow<T3>));

/// @param number  of the step in its recording
/// @return without fields
template <class Body>
ProcessBody<typename Body::Element> process_view(Body& body, int number) {
  using View = ProcessBody<typename Body::Element>;
  auto& gather = body.gather;
  LiveCounts* const live = body.live();
  const ElementRange own = body.halo.own_elements();
  const auto incidence = gather.incidence();
  View view{};
  view.dt = body.dt;
  view.thickness = double{body.thickness};
  view.origin = {static_cast<Real>(body.centre.x), static_cast<Real>(body.centre.y)};
  view.number = number;
  view.row = &live->row;
  view.first_input = &live->first_input;
  view.pending = body.insertion_pending();
  view.first_element = own.begin;
  view.end_element = own.end;
  view.first_node = body.own_interior.begin;
  view.end_node = body.own_interior.end;
  view.node_capacity = gather.capacity();
  view.cohesive_capacity = body.cohesive.capacity();
  view.nodes_in_use = &live->nodes;
  view.cohesive_in_use = &live->cohesive;
  view.nodes = {reinterpret_cast<const typename View::Corner*>(body.elements.nodes.data())};
  view.neighbours = {body.elements.neighbours.data()};
  view.masses = body.elements.mass.data();
  view.element_flags = body.elements.flags.data();
  view.cohesive_rows = reinterpret_cast<const Index*>(body.elements.cohesive_rows.data());
  view.positions = body.nodes.position.data();
  view.displacements = body.nodes.displacement.data();
  view.velocities = body.nodes.velocity.data();
  view.inverse_mass = gather.inverse_mass.data();
  view.stars = reinterpret_cast<const typename View::Star*>(gather.assembly.data());
  view.block_entries = incidence.block_entries;
  view.interface_entries = incidence.interface_entries;
  view.first_interface = incidence.first_interface;
  view.friction = body.terms.friction.view().work;
  body.materials.for_each_dissipation([&](const double* of_element, Index end) {
    if (view.dissipations == View::most_dissipations) throw std::logic_error("too many laws dissipate");
    view.dissipation[view.dissipations++] = {of_element, end};
  });
  return view;
}

}  // namespace cleave::inline CLEAVE_PRECISION
