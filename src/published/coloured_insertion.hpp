/// ColouredSolver: the fracture check and the insertion of cohesive elements.
#pragma once

#include <algorithm>
#include <chrono>
#include <vector>

#include "cleave/lockstep/block_counter.hpp"
#include "published/coloured_solver.hpp"
#include "published/coloured_stress.hpp"
#include "published/material_places.hpp"
#include "published/nodal_mass.hpp"
#include "published/walk_insertion.hpp"
#include "step/solver_insertion.hpp"

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
  fracture_.stress_rows = 1 + *std::max_element(places.begin(), places.end());
  coloured_.stress_place.upload(places);
}

/// @param found  set to 1 if a stress is near the strength, and else nodes get none; null: they do
template <class Backend, class Element>
void ColouredSolver<Backend, Element>::sum_nodal_stress(Index* found) {
  const NearStrength near{criterion_, found};
  const GaussStress<Element, LinearElastic> at_gauss_points{.elements = elements_.table(),
                                                            .position = nodes_.position.data(),
                                                            .displacement = nodes_.displacement.data(),
                                                            .material = by_material(),
                                                            .stress = {elements_.stress.data()},
                                                            .fault = &report_.data()->fault,
                                                            .live = live(),
                                                            .later = 0,
                                                            .near = near};
  backend_.side_by_side([&] { backend_.launch(at_gauss_points); },
                        [&] { this->fill(fracture_.stress_sum, fracture_.stress_extent(nodes_.capacity()), Real(0)); });
  for_each_colour(coloured_.stress_sweep, [&](ElementList list, auto scatter) {
    backend_.launch(NodalStress<Element, decltype(scatter)>{.elements = elements_.table(),
                                                            .list = list,
                                                            .stress = {elements_.stress.data()},
                                                            .sum = {fracture_.stress_sum.data()},
                                                            .rows = stress_rows(),
                                                            .gate = near.gate()});
  });
  backend_.launch(NodeFilter{.capacity = nodes_.capacity(),
                             .present = &live()->nodes,
                             .stress_sum = {fracture_.stress_sum.data()},
                             .criterion = criterion_,
                             .flagged = fracture_.flagged.data(),
                             .flagged_nodes = &report_.data()->counters.flagged_nodes,
                             .gate = near.gate(),
                             .rows_of_node = fracture_.stress_rows});
}

/// Stresses and filters; leaves the number of facets that break in the counters, which must be clear.
template <class Backend, class Element>
void ColouredSolver<Backend, Element>::launch_fracture_check() {
  sum_nodal_stress(cohesive_.judged_by_nodes() ? &report_.data()->counters.near_strength : nullptr);
  this->launch_crack_reach();
  this->launch_facet_filter();
}

/// Inserts cohesive elements where the check, whose report has been read, found facets that break.
template <class Backend, class Element>
void ColouredSolver<Backend, Element>::insert_if_any() {
  const Counters found = seen_.counters;
  if (found.fractured_facets == 0) return;
  insert(found.fractured_elements, found.fractured_facets);
  backend_.launch(ClearCounters{report_.data()});
}

template <class Backend, class Element>
double ColouredSolver<Backend, Element>::insert_cohesive(const std::vector<Index>& facets) {
  const Index elements = this->mark_fractured(facets);
  sum_nodal_stress();  // the tractions that the cohesive elements start with
  backend_.launch(ClearCounters{report_.data()});
  backend_.synchronise();
  const auto start = std::chrono::steady_clock::now();
  if (!facets.empty()) insert(elements, static_cast<Index>(facets.size()));
  backend_.synchronise();
  const auto end = std::chrono::steady_clock::now();
  read_report();
  return std::chrono::duration<double>(end - start).count();
}

/// Inserts cohesive elements at all fractured facets: that many, of that many elements.
template <class Backend, class Element>
void ColouredSolver<Backend, Element>::insert(Index elements, Index facets) {
  make_room(this->most_nodes(facets, 0), cohesive_.count + facets);
  make_scratch(facets);
  backend_.select(coloured_.order.data(), elements_.count, scratch_.elements.data(), &report_.data()->counters.selected,
                  HasFlag{fracture_.fractured.data()});
  const ElementList list{scratch_.elements.data(), elements};
  backend_.launch(ColourOffsets{.colours = coloured_.colours(),
                                .list = list.ids,
                                .count = &report_.data()->counters.selected,
                                .colour_of = coloured_.colour.data(),
                                .offsets = coloured_.insertion_offsets.data()});
  list_facets(Launches{backend_}, elements_.table(), FacetsOfList{list, fracture_.fractured.data()},
              scratch_.first_facet.data(), cohesive_.count);
  cohesive_.with_law(
      [&](const auto& law, const auto& rows) { backend_.launch(this->start_cohesive(law, rows, facets)); });
  cut_by_colour(list, facets);
}

/// Cuts facets colour by colour, walking around their ends.
template <class Backend, class Element>
void ColouredSolver<Backend, Element>::cut_by_colour(ElementList list, Index facets) {
  const Index slots = copies_per_facet * facets;
  const CopySlots copies{nodes_.count, facets, coloured_.origin.data(), coloured_.used.data()};
  this->fill(coloured_.used, slots + 1, Index{0});
  InsertCohesive<Element> insertion{.elements = elements_.table(),
                                    .list = list,
                                    .first_facet = scratch_.first_facet.data(),
                                    .fractured = fracture_.fractured.data(),
                                    .offsets = coloured_.insertion_offsets.data(),
                                    .colour = 0,
                                    .first_cohesive = cohesive_.count,
                                    .copies = copies,
                                    .fault = &report_.data()->fault,
                                    .step = step_};
  if (list.count <= InsertColourByColour<Element>::longest_list) {
    backend_.launch(InsertColourByColour<Element>{insertion, coloured_.colours()});
  } else {
    for (insertion.colour = 0; insertion.colour < coloured_.colours(); ++insertion.colour) backend_.launch(insertion);
  }
  number_requests(Launches{backend_}, this->numbers_by_counter(), slots, Entry{coloured_.used.data()},
                  coloured_.rank.data());
  backend_.launch(RenumberCopies<Element>{elements_.table(), nodes_.count, coloured_.rank.data()});
  backend_.launch(CopyNodes{.slots = slots,
                            .first = nodes_.count,
                            .used = coloured_.used.data(),
                            .rank = coloured_.rank.data(),
                            .origin = coloured_.origin.data(),
                            .copy = fields_.node_copier()});
  backend_.launch(BookInsertion{report_.data(), facets, coloured_.rank.data() + slots});
  cohesive_.count += facets;  // the next report tells how many nodes there are now
  backend_.replay(after_insertion_, [&] {
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
  if (facets <= static_cast<Index>(scratch_.first_facet.size())) return;
  const Index room = facets + facets / 2 + 256;
  coloured_.reserve_copies(copies_per_facet * room);
  scratch_.first_facet.resize(room);
}

/// Room for that many nodes and cohesive elements.
template <class Backend, class Element>
void ColouredSolver<Backend, Element>::make_room(Index nodes, Index cohesive) try {
  if (nodes <= nodes_.capacity() && cohesive <= cohesive_.capacity()) return;
  const Index ahead = this->facets_ahead(cohesive), room = this->room_for_nodes(nodes, ahead);
  if (room > nodes_.capacity()) {
    fields_.reserve(backend_, On::node, room);
    reserve_work(room);
  }
  this->make_room_for_cohesive(cohesive, ahead);
} catch (const std::bad_alloc&) {
  this->need_room(false, nodes, cohesive);
}

/// Room for the works and sums of that many nodes.
template <class Backend, class Element>
void ColouredSolver<Backend, Element>::reserve_work(Index nodes) {
  fields_.reserve(backend_, On::work_row, node_blocks(nodes));
  coloured_.kinetic_sums.resize(SumRows<KineticEnergy::Sums>::extent(node_blocks(nodes)));
}

template <class Backend, class Element>
void ColouredSolver<Backend, Element>::launch_mass() {
  this->fill(coloured_.mass, nodes_.capacity(), Real(0));
  for_each_colour(coloured_.stress_sweep, [&](ElementList list, auto scatter) {
    backend_.launch(NodalMass<Element, decltype(scatter)>{elements_.table(), list, coloured_.mass.data()});
  });
}

/// The rows of cohesive elements, and the elements that have any at their sides, by colour.
template <class Backend, class Element>
void ColouredSolver<Backend, Element>::refresh_cohesive() {
  backend_.launch(
      RefreshCohesiveRows<Element>{elements_.table(), cohesive_.capacity(), &live()->cohesive, elements_.flags.data()});
  backend_.select(coloured_.order.data(), elements_.count, coloured_.cohesive_owners.data(),
                  &report_.data()->counters.selected, HasFlag{elements_.flags.data()});
  backend_.launch(ColourOffsets{coloured_.colours(), coloured_.cohesive_owners.data(),
                                &report_.data()->counters.selected, coloured_.colour.data(),
                                coloured_.owner_offsets.data()});
}

}  // namespace cleave::inline CLEAVE_PRECISION
