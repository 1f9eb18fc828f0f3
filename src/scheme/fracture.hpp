/// Pipeline: the fracture check and the insertion of cohesive elements.
#pragma once

#include <algorithm>
#include <chrono>
#include <new>
#include <string>

#include "cleave/core/error.hpp"
#include "kernels/insertion.hpp"
#include "kernels/mass.hpp"
#include "scheme/pipeline.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Predicate of compactions.
struct HasFlag {
  const std::uint8_t* flag;
  CLEAVE_HD bool operator()(Index i) const { return flag[i] != 0; }
};
template <class Backend, class Element, class Law>
bool Pipeline<Backend, Element, Law>::check_is_due(Step n) const {
  return cohesive_case_ && n % cohesive_case_->insertion.every == 0;
}

template <class Backend, class Element, class Law>
void Pipeline<Backend, Element, Law>::sum_nodal_stress() {
  if (gathers()) return gather_nodal_stress();
  backend_.launch(GaussStress<Element>{elements_.table(),
                                       nodes_.position.data(),
                                       nodes_.displacement.data(),
                                       material_,
                                       {elements_.stress.data()},
                                       &report_.data()->fault,
                                       step_});
  fill(nodes_.stress_sum, NodalStressTable::extent(nodes_.count), Real(0));
  for_each_colour([&](ElementList list, auto scatter) {
    backend_.launch(NodalStress<Element, decltype(scatter)>{
        elements_.table(), list, {elements_.stress.data()}, {nodes_.stress_sum.data()}});
  });
  backend_.launch(NodeFilter{nodes_.count,
                             {nodes_.stress_sum.data()},
                             criterion_,
                             nodes_.flagged.data(),
                             &report_.data()->counters.flagged_nodes});
}

/// Stresses and filters; leaves the number of facets that break in the counters, which must be clear.
template <class Backend, class Element, class Law>
void Pipeline<Backend, Element, Law>::launch_fracture_check() {
  sum_nodal_stress();
  const std::uint8_t* flagged = judged_by_nodes ? nodes_.flagged.data() : nullptr;
  Counters& counters = report_.data()->counters;
  backend_.launch(FacetFilter<Element, FacetTraction<Element, Law>>{
      elements_.table(), nodes_.position.data(), facet_traction(), flagged, &counters.flagged_nodes, criterion_,
      elements_.fractured.data(), &counters.fractured_facets, &counters.fractured_elements, scratch_.found.data(),
      static_cast<Index>(scratch_.found.size()), &counters.held});
}

/// Inserts cohesive elements where the check, whose report has been read, found facets that break.
template <class Backend, class Element, class Law>
void Pipeline<Backend, Element, Law>::insert_if_any() {
  const Counters found = seen_.counters;
  if (found.fractured_facets > 0) insert(found.fractured_elements, found.fractured_facets);
}

/// The start of new cohesive elements behind those there are.
template <class Backend, class Element, class Law>
StartCohesive<Element, Law> Pipeline<Backend, Element, Law>::start_cohesive(Index facets) {
  return {elements_.table(),
          cohesive_.count,
          facets,
          nodes_.position.data(),
          facet_traction(),
          law_,
          cohesive_.table(),
          thickness_,
          Real(2 * cohesive_case_->stiffness_safety / (dt_ * dt_)),
          Real(cohesive_case_->contact_penalty * young_modulus_),
          Real(cohesive_case_->tangential.strength),
          step_};
}

template <class Backend, class Element, class Law>
double Pipeline<Backend, Element, Law>::insert_cohesive(const std::vector<Index>& facets) {
  if (!cohesive_case_) throw InputError("nothing can be cut: the case has no cohesive law");
  if (gathers() && begin_ != Begin::forces) gather_steps(1, Look::none, {});
  std::vector<std::uint8_t> fractured(elements_.count, 0);
  Index elements = 0;
  for (const Index code : facets) {
    elements += fractured[element_of(code)] == 0;
    fractured[element_of(code)] |= static_cast<std::uint8_t>(1 << facet_of(code));
  }
  elements_.fractured.upload(fractured);
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
template <class Backend, class Element, class Law>
void Pipeline<Backend, Element, Law>::insert(Index elements, Index facets) {
  const bool grown = make_room_for(facets);
  make_scratch(facets);
  if (gathers()) {
    list_facets(FacetsOfAll{elements_.count, elements_.fractured.data()});
    cut_node_by_node(facets);
    after_insertion(grown);
  } else {
    backend_.select(elements_.colour_order.data(), elements_.count, scratch_.elements.data(),
                    &report_.data()->counters.selected, HasFlag{elements_.fractured.data()});
    const ElementList list{scratch_.elements.data(), elements};
    list_facets(FacetsOfList{list, elements_.fractured.data()});
    backend_.launch(start_cohesive(facets));
    cut_by_colour(list, facets);
  }
}

/// Numbers the facets that break as cohesive elements.
template <class Backend, class Element, class Law>
template <class Facets>
void Pipeline<Backend, Element, Law>::list_facets(const Facets& facets) {
  backend_.exclusive_scan(facets.size(), FacetCount<Facets>{facets}, scratch_.first_facet.data());
  backend_.launch(ListFacets<Element, Facets>{elements_.table(), facets, scratch_.first_facet.data(), cohesive_.count});
}

/// Cuts facets colour by colour, walking around their ends.
template <class Backend, class Element, class Law>
void Pipeline<Backend, Element, Law>::cut_by_colour(ElementList list, Index facets) {
  const Index slots = copies_per_facet * facets;
  const CopySlots copies{nodes_.count,           facets,
                         numbers_by_counter(),   &report_.data()->counters.copies,
                         scratch_.origin.data(), scratch_.used.data()};
  fill(scratch_.used, slots, Index{0});
  InsertCohesive<Element> insertion{elements_.table(),
                                    list,
                                    scratch_.first_facet.data(),
                                    elements_.fractured.data(),
                                    elements_.colour.data(),
                                    0,
                                    cohesive_.count,
                                    copies,
                                    &report_.data()->fault,
                                    step_};
  if (list.count <= InsertColourByColour<Element>::longest_list) {
    backend_.launch(InsertColourByColour<Element>{insertion, elements_.colours()});
  } else {
    for (insertion.colour = 0; insertion.colour < elements_.colours(); ++insertion.colour) backend_.launch(insertion);
  }
  backend_.exclusive_scan(slots, Entry{scratch_.used.data()}, scratch_.rank.data());
  backend_.launch(RenumberCopies<Element>{elements_.table(), nodes_.count, scratch_.rank.data()});
  backend_.launch(CopyNodes{slots, nodes_.count, scratch_.used.data(), scratch_.rank.data(), scratch_.origin.data(),
                            node_copier()});
  cohesive_.count += facets;
  backend_.launch(AddCohesive{&report_.data()->live, facets});
  read_report();
  nodes_.count += seen_.counters.copies;
  backend_.launch(RefreshCohesiveRows<Element>{elements_.table(), cohesive_.count, elements_.touches_cohesive.data()});
  sum_nodal_mass();
  list_cohesive_owners();
}

template <class Backend, class Element, class Law>
void Pipeline<Backend, Element, Law>::reserve(Index nodes, Index cohesive, Index at_once) {
  make_scratch(at_once);
  const Index slots = gathers() ? gather_.most_slots(cohesive) : 0;
  if (make_room(nodes, cohesive, slots) && gathers()) gather_loads();  // the loads lie elsewhere now
}

/// Room for cutting that many facets; true as make_room.
template <class Backend, class Element, class Law>
bool Pipeline<Backend, Element, Law>::make_room_for(Index facets) {
  return make_room(nodes_.count + copies_per_facet * facets + gather_.touching, cohesive_.count + facets,
                   gathers() ? gather_.most_slots(facets) : 0);
}

/// Scratch for cutting that many facets in one pass.
template <class Backend, class Element, class Law>
void Pipeline<Backend, Element, Law>::make_scratch(Index facets) {
  bool moved = false;
  if (gathers())
    moved = gather_.reserve_claims(facets);
  else
    scratch_.reserve_copies(copies_per_facet * facets);
  // Of a list there are no more entries than facets.
  const Index entries = gathers() ? std::max(facets, FacetsOfAll{elements_.count, nullptr}.size()) : facets;
  if (entries > static_cast<Index>(scratch_.first_facet.size())) {
    scratch_.first_facet.resize(entries);
    moved = true;
  }
  if (moved) forget_recordings();  // they hold the old addresses
}

/// Room for that many nodes, cohesive elements and slots in memory, with an eighth to spare once it has to grow, and on
/// small meshes more: growing takes longer than cutting. True when arrays by node have moved.
template <class Backend, class Element, class Law>
bool Pipeline<Backend, Element, Law>::make_room(Index nodes, Index cohesive, Index slots) try {
  const Index most = Element::nodes * elements_.count;  // nodes, and about as many slots, once everything is cut
  const auto with_some_to_spare = [most](Index size, Index at_least) {
    return size + std::max(size / 8, std::min(at_least, most - size));
  };
  const bool more_nodes = nodes > nodes_.capacity();
  if (more_nodes) {
    const Index room = with_some_to_spare(nodes, 8192);
    nodes_.reserve(backend_, room);
    if (gathers()) gather_.reserve_nodes(backend_, room);
    forget_recordings();  // they hold the old addresses
  }
  if (slots > static_cast<Index>(gather_.entries.size())) {
    gather_.reserve_slots(with_some_to_spare(slots, 131072));
    forget_recordings();
  }
  if (cohesive > static_cast<Index>(cohesive_.insertion_step.size())) {
    // The first elements bring room for many, as growing takes longer than cutting.
    const Index room =
        std::max(cohesive + cohesive / 2, std::min(elements_.count / 32 + 4096, 3 * elements_.count / 2));
    cohesive_.reserve(room);
    elements_.cohesive_rows.resize(room);
    if (gathers()) gather_.reserve_cohesive(backend_, room);
    cohesive_sums_.resize(CohesiveEnergy<Law>::quantities * cohesive_energy().blocks());
    forget_recordings();
  }
  return more_nodes;
} catch (const std::bad_alloc&) {
  throw NumericalError("capacity: no memory for " + std::to_string(nodes) + " nodes and " + std::to_string(cohesive) +
                       " cohesive elements at step " + std::to_string(step_) +
                       "; use a smaller mesh or a larger machine");
}

template <class Backend, class Element, class Law>
void Pipeline<Backend, Element, Law>::sum_nodal_mass() {
  fill(nodes_.mass, nodes_.count, Real(0));
  for_each_colour([&](ElementList list, auto scatter) {
    backend_.launch(NodalMass<Element, decltype(scatter)>{elements_.table(), list, nodes_.mass.data()});
  });
}

template <class Backend, class Element, class Law>
void Pipeline<Backend, Element, Law>::list_cohesive_owners() {
  backend_.select(elements_.colour_order.data(), elements_.count, elements_.cohesive_owners.data(),
                  &report_.data()->counters.selected, HasFlag{elements_.touches_cohesive.data()});
  read_report();
  const Index owners = seen_.counters.selected;
  backend_.launch(ColourOffsets{elements_.colours(),
                                {elements_.cohesive_owners.data(), owners},
                                elements_.colour.data(),
                                elements_.stored_owner_offsets.data()});
  elements_.owner_offsets = elements_.stored_owner_offsets.download(elements_.colours() + 1);
}

}  // namespace cleave::inline CLEAVE_PRECISION
