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

/// Predicates and values of compactions and scans (named types, as CUDA wants them at namespace scope).
struct HasFlag {
  const std::uint8_t* flag;
  CLEAVE_HD bool operator()(Index i) const { return flag[i] != 0; }
};
struct FacetCount {
  const Index* list;
  const std::uint8_t* fractured;
  CLEAVE_HD Index operator()(Index i) const {
    const int bits = fractured[list[i]];
    return (bits & 1) + (bits >> 1 & 1) + (bits >> 2 & 1);
  }
};
struct Entry {
  const Index* values;
  CLEAVE_HD Index operator()(Index i) const { return values[i]; }
};

template <class Backend, class Element, class Law>
bool Pipeline<Backend, Element, Law>::check_is_due(Step n) const {
  return cohesive_case_ && n % cohesive_case_->insertion.every == 0;
}

template <class Backend, class Element, class Law>
void Pipeline<Backend, Element, Law>::sum_nodal_stress() {
  if (gathers()) return gather_nodal_stress();
  backend_.launch(GaussStress<Element>{elements_.table(), nodes_.position.data(), nodes_.displacement.data(), material_,
                                       {elements_.stress.data()}, fault_.data(), step_});
  fill(nodes_.stress_sum, NodalStressTable::extent(nodes_.count), Real(0));
  for_each_colour([&](ElementList list, auto scatter) {
    backend_.launch(NodalStress<Element, decltype(scatter)>{elements_.table(), list, {elements_.stress.data()},
                                                            {nodes_.stress_sum.data()}});
  });
  backend_.launch(NodeFilter{nodes_.count, {nodes_.stress_sum.data()}, criterion_, nodes_.flagged.data(),
                             &counters_.data()->flagged_nodes});
}

/// Stresses and filters; leaves the number of facets that break in the counters.
template <class Backend, class Element, class Law>
void Pipeline<Backend, Element, Law>::launch_fracture_check() {
  fill(counters_, 1, Counters{});
  sum_nodal_stress();
  const std::uint8_t* flagged = judged_by_nodes ? nodes_.flagged.data() : nullptr;
  backend_.launch(FacetFilter<Element, FacetTraction<Element, Law>>{
      elements_.table(), nodes_.position.data(), facet_traction(), flagged, &counters_.data()->flagged_nodes, criterion_,
      elements_.fractured.data(), &counters_.data()->fractured_facets});
}

/// Inserts cohesive elements where the check has found facets that break.
template <class Backend, class Element, class Law>
void Pipeline<Backend, Element, Law>::insert_if_any() {
  const Index facets = read_counters().fractured_facets;
  if (facets == 0) return;
  backend_.select(elements_.colour_order.data(), elements_.count, scratch_.elements.data(),
                  &counters_.data()->selected, HasFlag{elements_.fractured.data()});
  insert(read_counters().selected, facets);
}

template <class Backend, class Element, class Law>
double Pipeline<Backend, Element, Law>::insert_cohesive(const std::vector<Index>& facets) {
  if (!cohesive_case_) throw InputError("nothing can be cut: the case has no cohesive law");
  std::vector<std::uint8_t> fractured(elements_.count, 0);
  for (const Index code : facets) fractured[element_of(code)] |= static_cast<std::uint8_t>(1 << facet_of(code));
  elements_.fractured.upload(fractured);
  sum_nodal_stress();  // the tractions that the cohesive elements start with
  backend_.synchronise();
  const auto start = std::chrono::steady_clock::now();
  fill(counters_, 1, Counters{});
  backend_.select(elements_.colour_order.data(), elements_.count, scratch_.elements.data(),
                  &counters_.data()->selected, HasFlag{elements_.fractured.data()});
  if (!facets.empty()) insert(read_counters().selected, static_cast<Index>(facets.size()));
  backend_.synchronise();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

template <class Backend, class Element, class Law>
void Pipeline<Backend, Element, Law>::insert(Index elements_with_cuts, Index facets) {
  const Index slots = copies_per_facet * facets;
  make_room(nodes_.count + slots, cohesive_.count + facets);
  scratch_.reserve(elements_with_cuts, slots);
  if (gathers()) gather_.reserve_changed(2 * slots);

  const ElementList list{scratch_.elements.data(), elements_with_cuts};
  const CopySlots copies{nodes_.count,
                         facets,
                         cohesive_case_->insertion.numbering == CopyNumbering::counter,
                         &counters_.data()->copies,
                         scratch_.origin.data(),
                         scratch_.used.data()};
  backend_.exclusive_scan(elements_with_cuts, FacetCount{list.ids, elements_.fractured.data()},
                          scratch_.first_facet.data());
  backend_.launch(StartCohesive<Element, Law>{
      elements_.table(), list, scratch_.first_facet.data(), elements_.fractured.data(), cohesive_.count,
      nodes_.position.data(), elements_.mass.data(), facet_traction(), law_, cohesive_.table(), thickness_,
      Real(2 * cohesive_case_->stiffness_safety / (dt_ * dt_)), Real(cohesive_case_->contact_penalty * young_modulus_),
      Real(cohesive_case_->tangential.strength), step_});

  fill(scratch_.used, slots, Index{0});
  InsertCohesive<Element> insertion{elements_.table(), list, scratch_.first_facet.data(), elements_.fractured.data(),
                                    elements_.colour.data(), 0, cohesive_.count, copies, fault_.data(), step_};
  if (list.count <= InsertColourByColour<Element>::longest_list) {
    backend_.launch(InsertColourByColour<Element>{insertion, elements_.colours()});
  } else {
    for (insertion.colour = 0; insertion.colour < elements_.colours(); ++insertion.colour) backend_.launch(insertion);
  }
  backend_.exclusive_scan(slots, Entry{scratch_.used.data()}, scratch_.rank.data());
  backend_.launch(RenumberCopies<Element>{elements_.table(), nodes_.count, scratch_.rank.data()});
  backend_.launch(CopyNodes{slots, nodes_.count, scratch_.used.data(), scratch_.rank.data(), scratch_.origin.data(),
                            nodes_.position.data(), nodes_.displacement.data(), nodes_.velocity.data(),
                            nodes_.acceleration.data(), nodes_.motion_x.data(), nodes_.motion_y.data(),
                            nodes_.internal_force.data(), nodes_.cohesive_force.data(), nodes_.external_force.data(),
                            gather_.half_velocity.data(), nodes_.dropped.data()});
  const Index first_copy = nodes_.count;
  cohesive_.count += facets;
  nodes_.count += read_counters().copies;
  backend_.launch(
      RefreshCohesiveRows<Element>{elements_.table(), cohesive_.count, elements_.touches_cohesive.data()});
  if (gathers()) {
    gather_relist(slots, first_copy);
  } else {
    sum_nodal_mass();
    list_cohesive_owners();
  }
}

template <class Backend, class Element, class Law>
void Pipeline<Backend, Element, Law>::reserve(Index nodes, Index cohesive) {
  make_room(nodes, cohesive);
  if (gathers()) gather_node_constants();  // the loads lie elsewhere now
}

/// Room for that many nodes and cohesive elements, with some to spare once it has to grow.
template <class Backend, class Element, class Law>
void Pipeline<Backend, Element, Law>::make_room(Index nodes, Index cohesive) try {
  if (nodes > static_cast<Index>(nodes_.mass.size())) {
    const Index room = nodes + nodes / 8;
    nodes_.reserve(backend_, room);
    if (gathers()) gather_.reserve_nodes(backend_, room);
    recordings_.clear();  // they hold the old addresses
  }
  if (cohesive > static_cast<Index>(cohesive_.insertion_step.size())) {
    const Index room = cohesive + cohesive / 2;
    cohesive_.reserve(room);
    elements_.rows.resize(ElementRows<Element>::extent(elements_.count + room));
    if (gathers()) gather_.reserve_cohesive(backend_, room);
    recordings_.clear();
  }
} catch (const std::bad_alloc&) {
  throw NumericalError("capacity: no memory for " + std::to_string(nodes) + " nodes and " + std::to_string(cohesive) +
                       " cohesive elements at step " + std::to_string(step_) + "; use a smaller mesh or a larger machine");
}

template <class Backend, class Element, class Law>
void Pipeline<Backend, Element, Law>::sum_nodal_mass() {
  fill(nodes_.mass, nodes_.count, Real(0));
  for_each_colour([&](ElementList list, auto scatter) {
    backend_.launch(
        NodalMass<Element, decltype(scatter)>{elements_.table(), list, elements_.mass.data(), nodes_.mass.data()});
  });
}

template <class Backend, class Element, class Law>
void Pipeline<Backend, Element, Law>::list_cohesive_owners() {
  backend_.select(elements_.colour_order.data(), elements_.count, elements_.cohesive_owners.data(),
                  &counters_.data()->selected, HasFlag{elements_.touches_cohesive.data()});
  const Index owners = read_counters().selected;
  backend_.launch(ColourOffsets{elements_.colours(), {elements_.cohesive_owners.data(), owners},
                                elements_.colour.data(), elements_.stored_owner_offsets.data()});
  elements_.owner_offsets = elements_.stored_owner_offsets.download(elements_.colours() + 1);
}

}  // namespace cleave::inline CLEAVE_PRECISION
