/// The insertion of cohesive elements in the gather assembly.
#pragma once

#include <algorithm>
#include <limits>
#include <new>
#include <stdexcept>

#include "step/gather_check.hpp"
#include "step/rooms.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// The insertion of that many facets, behind the cohesive elements there are.
template <class Body, class Law>
auto insertion_pass(Body& body, const Law& law, const CohesiveTable<Law>& table, Index facets) {
  using Element = typename Body::Element;
  return InsertionPass<Element, StartCohesive<Element, Law>>{
      .split = body.gather.split_pass(body.elements.table(), facets, body.cohesive.count),
      .start = start_cohesive(body, nodal_means(body), law, table, facets),
      .live = body.live(),
      .nodes = body.gather.node_writer(body.elements.table()),
      .copy = body.fields.node_copier(),
      .flags = body.elements.flags.data(),
      .first_facet = body.scratch.first_facet.data(),
      .by_counter = body.cohesive_case->insertion.numbering == CopyNumbering::counter};
}

/// Packs the blocks whose nodes have split since they were packed.
/// @param facets  that were cut, about
template <class Body>
void launch_packing(Body& body, Index facets) {
  body.backend.launch(body.gather.pack_touched(body.elements.table(), facets));
}

/// The insertion of what the last check found, if it is short and there is room for it. Packing has to follow.
template <class Body>
void launch_short_insertion(Body& body, DeviceGate gate) {
  using Element = typename Body::Element;
  const CheckResult check = check_result(body);
  body.cohesive.with_law([&]<class Law>(const Law& law, const CohesiveTable<Law>& table) {
    body.backend.launch(
        OneBlockInsertion<Element, StartCohesive<Element, Law>>{.all = check.all,
                                                                .here = check.here,
                                                                .gate = gate,
                                                                .found = check.found,
                                                                .fractured = body.fracture.fractured.data(),
                                                                .list = body.scratch.elements.data(),
                                                                .room = insertion_room(body),
                                                                .pass = insertion_pass(body, law, table, 0)});
  });
  body.terms.launch_inserted(body);
}

/// All arrays grow together, with room to spare.
template <class Body>
void grow(Body& body, Index nodes, Index cohesive, Index slots) {
  const Index ahead = facets_ahead(body, cohesive);
  const Index room = room_for_nodes(body, nodes, ahead);
  if (room > body.nodes.capacity()) {
    body.fields.reserve(body.backend, On::node, room);
    body.fields.reserve(body.backend, On::copy, room - body.gather.first_copy);
    keep_own_rows(body, On::node);
  }
  constexpr std::int64_t usual_slots = 8;  // of a facet
  const auto slots_there = static_cast<Index>(body.gather.interface_entries.size());
  body.fields.reserve(body.backend, On::slot,
                      room_for(slots, usual_slots * ahead, body.gather.most_slots(), slots_there));
  make_room_for_cohesive(body, cohesive, ahead);
  body.terms.contact.make_room(body);
}
/// Room for that many nodes, cohesive elements and slots in memory. All ranks make room together.
template <class Body>
void make_room(Body& body, Index nodes, Index cohesive, Index slots) {
  const InsertionRoom there = insertion_room(body);
  bool fits = true;
  try {
    if (nodes > there.nodes || cohesive > there.cohesive || slots > there.slots) grow(body, nodes, cohesive, slots);
  } catch (const std::bad_alloc&) {
    fits = false;
  }
  need_room(body, fits, nodes, cohesive);
}
/// Room for cutting that many facets.
template <class Body>
void make_room_for(Body& body, Index facets) {
  make_room(body, most_nodes(body, facets, body.gather.pinched), body.cohesive.count + facets,
            body.gather.most_slots(facets));
}
/// Scratch for cutting that many facets in one pass.
template <class Body>
void make_scratch(Body& body, Index facets) {
  body.gather.reserve_cut_ends(facets);
  body.scratch.first_facet.resize(std::max(facets, FacetsOfAll{body.elements.count, nullptr}.size()));
}

/// Inserts cohesive elements at all fractured facets of this rank, that many, by launches.
template <class Body>
void insert_many(Body& body, Index facets) {
  make_room_for(body, facets);
  body.others_broken = true;
  if (facets > 0) {
    make_scratch(body, facets);
    body.cohesive.with_law([&](const auto& law, const auto& table) {
      insertion_pass(body, law, table, facets)
          .steps(FacetsOfAll{body.elements.count, body.fracture.fractured.data()}, Launches{body.backend});
    });
    body.terms.launch_inserted(body);
    launch_packing(body, facets);
  }
  body.read_report();
}

/// Facets that this rank has to cut, of several ranks.
template <class Body>
Index facets_here(Body& body) {
  return body.report.download(1).front().counters.facets_here;
}

/// Inserts what a check has found and could not insert itself.
template <class Body>
void insert_found(Body& body, const Counters& found) {
  if (found.fractured_facets <= most_facets_of_one_block) {
    // Ranks have room for any short pass, or none cuts in a recording.
    make_room_for(body, body.halo.is_alone() ? found.fractured_facets : most_facets_of_one_block);
    body.others_broken = true;
    launch_short_insertion(body, DeviceGate::always());
    launch_packing(body, found.fractured_facets);
    body.read_report();
    if (body.seen.counters.fractured_facets != 0)
      throw std::logic_error("an insertion that there is room for did not fit");
  } else {
    body.halo.join_many_found(check_result(body), body.elements.table(), found.fractured_elements);
    insert_many(body, body.halo.is_alone() ? found.fractured_facets : facets_here(body));
  }
  body.backend.launch(ClearCounters{body.report.data()});
}

}  // namespace cleave::inline CLEAVE_PRECISION
