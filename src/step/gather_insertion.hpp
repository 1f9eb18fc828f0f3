/// GatherSolver: the fracture check and the insertion of cohesive elements.
#pragma once

#include <algorithm>
#include <chrono>
#include <limits>
#include <stdexcept>

#include "step/gather_solver.hpp"
#include "step/solver_insertion.hpp"

namespace cleave::inline CLEAVE_PRECISION {

template <class Backend, class Element>
void GatherSolver<Backend, Element>::launch_nodal_stress(double dt, DeviceGate gate) {
  const NodeStress node{.assembly = gather_.assembly.data(),
                        .stress_sum = {fracture_.stress_sum.data()},
                        .criterion = criterion_,
                        .flagged = fracture_.flagged.data(),
                        .flagged_nodes = &report_.data()->counters.flagged_nodes,
                        .erodes = erosion_.active()};
  materials_.for_each_launch(own_blocks(), [&]<class Material>(const BlockMaterials<Material>& materials,
                                                               MaterialStates<Element, Material> states) {
    backend_.launch(BlockStress<Element, Material>{.stress = this->element_stress(states, dt),
                                                   .blocks_of = gather_.block_table(),
                                                   .materials = materials,
                                                   .node = node,
                                                   .slot_stress = gather_.slot_stress.data(),
                                                   .gauss_stress = {elements_.stress.data()},
                                                   .gate = gate});
  });
  if (shared_.active()) share_slot_stresses(gate);
  backend_.launch(InterfaceNodeStress{.first_node = gather_.first_interface,
                                      .capacity = gather_.capacity(),
                                      .live = live(),
                                      .node = node,
                                      .slot_stress = gather_.slot_stress.data(),
                                      .gate = gate,
                                      .material = {gather_.interface_entries.data(), materials_.of_element()}});
}

/// @param dt  from the step that the states belong to, s
template <class Backend, class Element>
template <class Material>
ElementStress<Element, Material> GatherSolver<Backend, Element>::element_stress(
    MaterialStates<Element, Material> states, double dt) {
  return {.elements = elements_.table(),
          .position = nodes_.position.data(),
          .displacement = nodes_.displacement.data(),
          .states = states,
          .dt = Real(dt),
          .flags = elements_.flags.data(),
          .fault = &report_.data()->fault};
}

/// Nodal stresses for a check: where that pays, only if a stress of any rank is near the strength. Returns the gate
/// that is open if one is.
template <class Backend, class Element>
DeviceGate GatherSolver<Backend, Element>::launch_stress_for_check() {
  if (!looks_for_near_strength()) {
    launch_nodal_stress(dt_);
    return DeviceGate::always();
  }
  const NearStrength near{criterion_, &report_.data()->counters.near_strength};
  materials_.for_each_launch(own_blocks(), [&]<class Material>(const BlockMaterials<Material>& materials,
                                                               MaterialStates<Element, Material> states) {
    backend_.launch(FindNearStrength<Element, Material>{
        .stress = this->element_stress(states, dt_), .materials = materials, .near = near});
  });
  if (shared_.active()) shared_.share_near({near.found, &report_.data()->fault});
  launch_nodal_stress(dt_, near.gate());
  return near.gate();
}

/// It pays on a device, where to add up stresses costs more than to compute them, unless launches and what ranks tell
/// each other cost most.
template <class Backend, class Element>
bool GatherSolver<Backend, Element>::looks_for_near_strength() const {
  constexpr Index fewest_of_rank = 65536;
  if (Buffer<Real>::is_host_memory || !cohesive_.judged_by_nodes()) return false;
  return shared_.active() ? elements_.count / shared_.ranks().count() >= fewest_of_rank : !resident_.active();
}

/// Takes out the elements whose material erodes: this rank its own, of which it has the states.
template <class Backend, class Element>
void GatherSolver<Backend, Element>::launch_erosion() {
  materials_.for_each_law([&]<class Material>(const MaterialsOfLaw<Material>& of, ByMaterial<Material>,
                                              MaterialStates<Element, Material> states) {
    if constexpr (Erodes<Material>) this->launch_erosion_of(of, states);
  });
  if (shared_.active() && cohesive_case_) share_erosion();  // only checks of facets read flags of other ranks
}

template <class Backend, class Element>
template <class Material>
void GatherSolver<Backend, Element>::launch_erosion_of(const MaterialsOfLaw<Material>& of,
                                                       MaterialStates<Element, Material> states) {
  const ElementRange own = this->own_elements();
  for (const auto& member : of.members) {
    const Index first = std::max(member.begin, own.begin), end = std::min(member.end, own.end);
    if (!member.material.may_erode() || first >= end) continue;
    backend_.launch(ErodeElements<Element, Material>{.elements = elements_.table(),
                                                     .first = first,
                                                     .end = end,
                                                     .material = member.material,
                                                     .states = states,
                                                     .geometry = gather_.geometry_table(thickness_),
                                                     .displacement = nodes_.displacement.data(),
                                                     .velocity = nodes_.velocity.data(),
                                                     .dt = Real(dt_),
                                                     .flags = elements_.flags.data(),
                                                     .rows = erosion_.rows()});
  }
}

/// Erosion, then stresses and filters; leaves the number of facets that break in the counters, which must be clear.
template <class Backend, class Element>
void GatherSolver<Backend, Element>::launch_fracture_check() {
  if (erosion_.active()) launch_erosion();
  if (!cohesive_case_) return;
  const DeviceGate near = launch_stress_for_check();
  if (shared_.active() && cracks_.active()) share_failed_cohesive();
  this->launch_crack_reach();
  if (shared_.active() && cohesive_case_->rate.exponent > 0) share_corner_motion();
  this->launch_facet_filter();
  if (shared_.active()) share_fractured_facets(near);
}

/// Inserts what a check has found and could not insert itself.
template <class Backend, class Element>
void GatherSolver<Backend, Element>::insert_found(const Counters& found) {
  if (found.fractured_facets <= most_facets_of_one_block) {
    make_room_for(found.fractured_facets);
    launch_short_insertion(DeviceGate::always());
    read_report();
    if (seen_.counters.fractured_facets != 0) throw std::logic_error("an insertion that there is room for did not fit");
  } else {
    if (shared_.active()) share_many_facets(found.fractured_elements);
    insert_many(found.fractured_facets);
  }
  backend_.launch(ClearCounters{report_.data()});
}

/// Inserts cohesive elements at all fractured facets, that many, by launches.
template <class Backend, class Element>
void GatherSolver<Backend, Element>::insert_many(Index facets) {
  make_room_for(facets);
  make_scratch(facets);
  cohesive_.with_law([&](const auto& law, const auto& table) {
    this->insertion_pass(law, table, facets)
        .steps(FacetsOfAll{elements_.count, fracture_.fractured.data()}, Launches{backend_});
  });
  read_report();
}

/// The insertion of that many facets, behind the cohesive elements there are.
template <class Backend, class Element>
template <class Law>
InsertionPass<Element, StartCohesive<Element, Law>> GatherSolver<Backend, Element>::insertion_pass(
    const Law& law, const CohesiveTable<Law>& table, Index facets) {
  return {.split = gather_.split_pass(elements_.table(), facets, cohesive_.count),
          .start = this->start_cohesive(law, table, facets),
          .live = live(),
          .nodes = gather_.node_writer(elements_.table()),
          .copy = fields_.node_copier(),
          .flags = elements_.flags.data(),
          .first_facet = scratch_.first_facet.data(),
          .by_counter = this->numbers_by_counter()};
}

/// The insertion of what the last check found, if it is short and there is room for it.
template <class Backend, class Element>
void GatherSolver<Backend, Element>::launch_short_insertion(DeviceGate gate) {
  Counters& counters = report_.data()->counters;
  cohesive_.with_law([&]<class Law>(const Law& law, const CohesiveTable<Law>& table) {
    backend_.launch(
        OneBlockInsertion<Element, StartCohesive<Element, Law>>{.fractured_facets = &counters.fractured_facets,
                                                                .fractured_elements = &counters.fractured_elements,
                                                                .gate = gate,
                                                                .found = scratch_.found.data(),
                                                                .fractured = fracture_.fractured.data(),
                                                                .list = scratch_.elements.data(),
                                                                .room = room(),
                                                                .pass = this->insertion_pass(law, table, 0)});
  });
}

template <class Backend, class Element>
double GatherSolver<Backend, Element>::insert_cohesive(const std::vector<Index>& facets) {
  if (begin_ != Begin::forces) advance(1, Output::none, {});
  this->mark_fractured(facets);
  launch_nodal_stress(dt_);  // the tractions that the cohesive elements start with
  backend_.launch(ClearCounters{report_.data()});
  backend_.synchronise();
  const auto start = std::chrono::steady_clock::now();
  if (!facets.empty()) insert_many(static_cast<Index>(facets.size()));
  backend_.synchronise();
  const auto end = std::chrono::steady_clock::now();
  read_report();
  return std::chrono::duration<double>(end - start).count();
}

template <class Backend, class Element>
void GatherSolver<Backend, Element>::reserve(Index nodes, Index cohesive, Index at_once) {
  make_scratch(at_once);
  make_room(nodes, cohesive, gather_.most_slots(cohesive));
}

/// Room for cutting that many facets.
template <class Backend, class Element>
void GatherSolver<Backend, Element>::make_room_for(Index facets) {
  make_room(this->most_nodes(facets, gather_.pinched), cohesive_.count + facets, gather_.most_slots(facets));
}

/// Scratch for cutting that many facets in one pass.
template <class Backend, class Element>
void GatherSolver<Backend, Element>::make_scratch(Index facets) {
  gather_.reserve_cut_ends(facets);
  scratch_.first_facet.resize(std::max(facets, FacetsOfAll{elements_.count, nullptr}.size()));
}

/// Room for that many nodes, cohesive elements and slots in memory.
template <class Backend, class Element>
void GatherSolver<Backend, Element>::make_room(Index nodes, Index cohesive, Index slots) {
  const InsertionRoom there = room();
  if (nodes <= there.nodes && cohesive <= there.cohesive && slots <= there.slots) return;
  bool fits = true;
  try {
    grow(nodes, cohesive, slots);
  } catch (const std::bad_alloc&) {
    fits = false;
  }
  this->need_room(fits, nodes, cohesive);
}

/// Room in the arrays, without a limit where they hold all that can ever be. It is the same on all ranks, so that all
/// do the same.
template <class Backend, class Element>
InsertionRoom GatherSolver<Backend, Element>::room() const {
  const Index nodes = nodes_.capacity();
  return {nodes < this->most_nodes() ? nodes : std::numeric_limits<Index>::max(), cohesive_.capacity(),
          gather_.slot_room()};
}

/// All arrays grow together, with room to spare.
template <class Backend, class Element>
void GatherSolver<Backend, Element>::grow(Index nodes, Index cohesive, Index slots) {
  const Index ahead = this->facets_ahead(cohesive);
  const Index room = this->room_for_nodes(nodes, ahead);
  if (room > nodes_.capacity()) {
    fields_.reserve(backend_, On::node, room);
    reserve_copies(room);
    keep_own(On::node);
  }
  constexpr std::int64_t usual_slots = 8;  // of a facet
  const auto slots_there = static_cast<Index>(gather_.interface_entries.size());
  fields_.reserve(backend_, On::slot, this->room_for(slots, usual_slots * ahead, gather_.most_slots(), slots_there));
  this->make_room_for_cohesive(cohesive, ahead);
}

/// Room for the copies among that many nodes.
template <class Backend, class Element>
void GatherSolver<Backend, Element>::reserve_copies(Index nodes) {
  const Index copies = nodes - gather_.first_copy;
  fields_.reserve(backend_, On::copy, copies);
  gather_.copy_sums.resize(CopyLedger::Report::Sums::count * static_cast<std::size_t>(SumCopies::blocks_of(copies)));
}

}  // namespace cleave::inline CLEAVE_PRECISION
