/// ColouredSolver: the fracture check and the insertion of cohesive elements.
#pragma once

#include <algorithm>
#include <chrono>
#include <vector>

#include "cleave/lockstep/block_counter.hpp"
#include "published/coloured_solver.hpp"
#include "published/coloured_stress.hpp"
#include "published/material_places.hpp"
#include "published/stiffness.hpp"
#include "published/walk_insertion.hpp"
#include "step/facet_check.hpp"
#include "step/rooms.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Predicate of compactions.
struct HasFlag {
  const std::uint8_t* flag;
  CLEAVE_HD bool operator()(Index i) const { return flag[i] != 0; }
};

/// Rows for the stress sums of nodes, before nodes are uploaded.
template <class Backend, class Element>
void ColouredSolver<Backend, Element>::separate_materials(const Model& model) {
  if (model.materials.size() == 1) return;
  const std::vector<Index> places = material_places(model.mesh, model.element_material, model.materials.size());
  body_.fracture.stress_rows = 1 + *std::max_element(places.begin(), places.end());
  coloured_.stress_place.upload(places);
}

/// @param found  set to 1 if a stress is near the strength, and else nodes get none; null: they do
template <class Backend, class Element>
void ColouredSolver<Backend, Element>::sum_nodal_stress(Index* found) {
  const NearStrength near{body_.fracture.criterion, found};
  const GaussStress<Element, LinearElastic> at_gauss_points{.elements = body_.elements.table(),
                                                            .position = body_.nodes.position.data(),
                                                            .displacement = body_.nodes.displacement.data(),
                                                            .material = by_material(),
                                                            .stress = {body_.elements.stress.data()},
                                                            .fault = &body_.report.data()->fault,
                                                            .live = body_.live(),
                                                            .later = 0,
                                                            .near = near};
  body_.backend.side_by_side(
      [&] { body_.backend.launch(at_gauss_points); },
      [&] { body_.fill(body_.fracture.stress_sum, body_.fracture.stress_extent(body_.nodes.capacity()), Real(0)); });
  for_each_colour(coloured_.stress_sweep, [&](ElementList list, auto scatter) {
    body_.backend.launch(NodalStress<Element, decltype(scatter)>{.elements = body_.elements.table(),
                                                                 .list = list,
                                                                 .stress = {body_.elements.stress.data()},
                                                                 .sum = {body_.fracture.stress_sum.data()},
                                                                 .rows = stress_rows(),
                                                                 .gate = near.gate()});
  });
  body_.backend.launch(NodeFilter{.capacity = body_.nodes.capacity(),
                                  .present = &body_.live()->nodes,
                                  .stress_sum = {body_.fracture.stress_sum.data()},
                                  .criterion = body_.fracture.criterion,
                                  .flagged = body_.fracture.flagged.data(),
                                  .flagged_nodes = &body_.report.data()->counters.flagged_nodes,
                                  .gate = near.gate(),
                                  .rows_of_node = body_.fracture.stress_rows});
}

/// Stresses and filters; leaves the number of facets that break in the counters, which must be clear.
template <class Backend, class Element>
void ColouredSolver<Backend, Element>::launch_fracture_check() {
  sum_nodal_stress(body_.cohesive.judged_by_nodes() ? &body_.report.data()->counters.near_strength : nullptr);
  launch_crack_reach(body_, cracks_);
  launch_facet_filter(body_, means(), strength_rate(body_, false));
}

/// Inserts cohesive elements where the check, whose report has been read, found facets that break.
template <class Backend, class Element>
void ColouredSolver<Backend, Element>::insert_if_any() {
  const Counters found = body_.seen.counters;
  if (found.fractured_facets == 0) return;
  insert(found.fractured_elements, found.fractured_facets);
  body_.backend.launch(ClearCounters{body_.report.data()});
}

template <class Backend, class Element>
double ColouredSolver<Backend, Element>::insert_cohesive(const std::vector<Index>& facets) {
  const Index elements = mark_fractured(body_, facets);
  sum_nodal_stress();  // the tractions that the cohesive elements start with
  body_.backend.launch(ClearCounters{body_.report.data()});
  body_.backend.synchronise();
  const auto start = std::chrono::steady_clock::now();
  if (!facets.empty()) insert(elements, static_cast<Index>(facets.size()));
  body_.backend.synchronise();
  const auto end = std::chrono::steady_clock::now();
  read_report();
  return std::chrono::duration<double>(end - start).count();
}

/// Inserts cohesive elements at all fractured facets: that many, of that many elements.
template <class Backend, class Element>
void ColouredSolver<Backend, Element>::insert(Index elements, Index facets) {
  make_room(most_nodes(body_, facets, 0), body_.cohesive.count + facets);
  make_scratch(facets);
  body_.backend.select(coloured_.order.data(), body_.elements.count, body_.scratch.elements.data(),
                       &body_.report.data()->counters.selected, HasFlag{body_.fracture.fractured.data()});
  const ElementList list{body_.scratch.elements.data(), elements};
  body_.backend.launch(ColourOffsets{.colours = coloured_.colours(),
                                     .list = list.ids,
                                     .count = &body_.report.data()->counters.selected,
                                     .colour_of = coloured_.colour.data(),
                                     .offsets = coloured_.insertion_offsets.data()});
  list_facets(Launches{body_.backend}, body_.elements.table(), FacetsOfList{list, body_.fracture.fractured.data()},
              body_.scratch.first_facet.data(), body_.cohesive.count);
  body_.cohesive.with_law([&](const auto& law, const auto& rows) {
    body_.backend.launch(start_cohesive(body_, means(), law, rows, facets));
  });
  cut_by_colour(list, facets);
}

/// Cuts facets colour by colour, walking around their ends.
template <class Backend, class Element>
void ColouredSolver<Backend, Element>::cut_by_colour(ElementList list, Index facets) {
  const Index slots = Body::copies_per_facet * facets;
  const CopySlots copies{body_.nodes.count, facets, coloured_.origin.data(), coloured_.used.data()};
  body_.fill(coloured_.used, slots + 1, Index{0});
  InsertCohesive<Element> insertion{.elements = body_.elements.table(),
                                    .list = list,
                                    .first_facet = body_.scratch.first_facet.data(),
                                    .fractured = body_.fracture.fractured.data(),
                                    .offsets = coloured_.insertion_offsets.data(),
                                    .colour = 0,
                                    .first_cohesive = body_.cohesive.count,
                                    .copies = copies,
                                    .fault = &body_.report.data()->fault,
                                    .step = body_.step};
  if (list.count <= InsertColourByColour<Element>::longest_list) {
    body_.backend.launch(InsertColourByColour<Element>{insertion, coloured_.colours()});
  } else {
    for (insertion.colour = 0; insertion.colour < coloured_.colours(); ++insertion.colour)
      body_.backend.launch(insertion);
  }
  number_requests(Launches{body_.backend}, body_.cohesive_case->insertion.numbering == CopyNumbering::counter, slots,
                  Entry{coloured_.used.data()}, coloured_.rank.data());
  body_.backend.launch(RenumberCopies<Element>{body_.elements.table(), body_.nodes.count, coloured_.rank.data()});
  body_.backend.launch(CopyNodes{.slots = slots,
                                 .first = body_.nodes.count,
                                 .used = coloured_.used.data(),
                                 .rank = coloured_.rank.data(),
                                 .origin = coloured_.origin.data(),
                                 .copy = body_.fields.node_copier()});
  body_.backend.launch(BookInsertion{body_.report.data(), facets, coloured_.rank.data() + slots});
  body_.cohesive.count += facets;  // the next report tells how many nodes there are now
  body_.backend.replay(after_insertion_, [&] {
    refresh_cohesive();
    launch_mass();
  });
}

template <class Backend, class Element>
void ColouredSolver<Backend, Element>::reserve(Index nodes, Index cohesive, Index at_once) {
  make_scratch(at_once);
  make_room(nodes, cohesive);
}

/// Scratch for cutting that many facets in one pass.
template <class Backend, class Element>
void ColouredSolver<Backend, Element>::make_scratch(Index facets) {
  // There are no more entries than facets. Growing makes recordings invalid: more room than asked for.
  if (facets <= static_cast<Index>(body_.scratch.first_facet.size())) return;
  const Index room = facets + facets / 2 + 256;
  coloured_.reserve_copies(Body::copies_per_facet * room);
  body_.scratch.first_facet.resize(room);
}

/// Room for that many nodes and cohesive elements.
template <class Backend, class Element>
void ColouredSolver<Backend, Element>::make_room(Index nodes, Index cohesive) try {
  if (nodes <= body_.nodes.capacity() && cohesive <= body_.cohesive.capacity()) return;
  const Index ahead = facets_ahead(body_, cohesive), room = room_for_nodes(body_, nodes, ahead);
  if (room > body_.nodes.capacity()) {
    body_.fields.reserve(body_.backend, On::node, room);
    reserve_work(room);
  }
  make_room_for_cohesive(body_, cohesive, ahead);
} catch (const std::bad_alloc&) {
  need_room(body_, false, nodes, cohesive);
}

/// Room for the works and sums of that many nodes.
template <class Backend, class Element>
void ColouredSolver<Backend, Element>::reserve_work(Index nodes) {
  body_.fields.reserve(body_.backend, On::work_row, node_blocks(nodes));
  coloured_.kinetic_sums.resize(SumRows<KineticEnergy::Sums>::extent(node_blocks(nodes)));
}

template <class Backend, class Element>
void ColouredSolver<Backend, Element>::launch_mass() {
  body_.fill(coloured_.mass, body_.nodes.capacity(), Real(0));
  for_each_colour(coloured_.stress_sweep, [&](ElementList list, auto scatter) {
    body_.backend.launch(NodalMass<Element, decltype(scatter)>{body_.elements.table(), list, coloured_.mass.data()});
  });
}

/// The rows of cohesive elements, and the elements that have any at their sides, by colour.
template <class Backend, class Element>
void ColouredSolver<Backend, Element>::refresh_cohesive() {
  body_.backend.launch(RefreshCohesiveRows<Element>{body_.elements.table(), body_.cohesive.capacity(),
                                                    &body_.live()->cohesive, body_.elements.flags.data()});
  body_.backend.select(coloured_.order.data(), body_.elements.count, coloured_.cohesive_owners.data(),
                       &body_.report.data()->counters.selected, HasFlag{body_.elements.flags.data()});
  body_.backend.launch(ColourOffsets{coloured_.colours(), coloured_.cohesive_owners.data(),
                                     &body_.report.data()->counters.selected, coloured_.colour.data(),
                                     coloured_.owner_offsets.data()});
}

}  // namespace cleave::inline CLEAVE_PRECISION
