/// SolverBase: which facets break, and the start of cohesive elements there.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <new>
#include <string>

#include "cleave/core/error.hpp"
#include "parts/shared_rows.hpp"
#include "step/solver_base.hpp"

namespace cleave::inline CLEAVE_PRECISION {

template <class Backend, class Element>
bool SolverBase<Backend, Element>::check_is_due(Step n) const {
  if (!cohesive_case_) return erosion_.active() && n % erosion_.every == 0;
  return n % cohesive_case_->insertion.every == 0;
}

/// How the strength of facets grows with the rate, by the velocities in the middle of the step before a check.
template <class Backend, class Element>
StrengthRate SolverBase<Backend, Element>::strength_rate() {
  const StrengthRateCase& rate = cohesive_case_->rate;
  return {.per_reference = Real(1 / rate.reference),
          .exponent = Real(rate.exponent),
          .velocity = nodes_.velocity.data(),
          .acceleration = midstep_velocity_ ? nullptr : nodes_.acceleration.data(),
          .half_step = Real(0.5 * dt_)};
}

/// Elements whose facets this rank judges.
template <class Backend, class Element>
ElementRange SolverBase<Backend, Element>::own_elements() const {
  if (!shared_.active()) return {0, elements_.count};
  const Partition& p = shared_.partition();
  return {p.first_element[p.rank], p.first_element[p.rank + 1]};
}

/// Leaves the number of facets that break in the counters, which must be clear but for the flagged nodes.
template <class Backend, class Element>
void SolverBase<Backend, Element>::launch_facet_filter() {
  if (cohesive_.judged_by_nodes())
    launch_facet_filter_by(NodalTraction<Element>{nodal_means()}, fracture_.flagged.data());
  else
    launch_facet_filter_by(ElementTraction<Element>{{elements_.stress.data()}}, nullptr);
}

/// @param traction  of facets
/// @param flagged   [node] see FacetJudge
template <class Backend, class Element>
template <class Traction>
void SolverBase<Backend, Element>::launch_facet_filter_by(const Traction& traction, const std::uint8_t* flagged) {
  Counters& counters = report_.data()->counters;
  const FacetJudge<Element, Traction> judge{.elements = elements_.table(),
                                            .range = own_elements(),
                                            .position = nodes_.position.data(),
                                            .traction = traction,
                                            .flagged = flagged,
                                            .flagged_nodes = &counters.flagged_nodes,
                                            .criterion = criterion_,
                                            .displacement = moved_facets(),
                                            .gate = DeviceGate::closed_if(&counters.check_skipped),
                                            .rate = strength_rate(),
                                            .flags = erosion_.active() ? elements_.flags.data() : nullptr};
  const FracturedFacets fractured{.bits = fracture_.fractured.data(),
                                  .facets = &counters.fractured_facets,
                                  .elements = &counters.fractured_elements,
                                  .found = scratch_.found.data(),
                                  .room = static_cast<Index>(scratch_.found.size()),
                                  .largest_load = &report_.data()->largest_load};
  if (cohesive_case_->insertion.selection == Selection::all) {
    backend_.launch(FacetFilter<Element, Traction>{judge, fractured});
  } else {
    LoadRank* const most_loaded = fracture_.most_loaded.data();
    fill(fracture_.most_loaded, fracture_.most_loaded.size(), LoadRank{0});
    backend_.launch(RankFacets<Element, Traction>{judge, fracture_.fractured.data(), most_loaded});
    if (shared_.active()) shared_.share_corners(SharedFacetRanks<Element>{elements_.table(), most_loaded});
    backend_.launch(MostLoadedFacets<Element, Traction>{judge, fractured, most_loaded});
  }
  if (judge.rate.active())
    backend_.launch(RaiseStrengths<Element, Traction>{judge, fracture_.fractured.data(), strength_scale_.data()});
}

/// Finds the cracks that loads reach, before facets are cut: it holds until the next check.
template <class Backend, class Element>
void SolverBase<Backend, Element>::launch_crack_reach() {
  if (!cracks_.active() || cohesive_.count == 0) return;
  cohesive_.with_law([&]<class Law>(const Law&, const CohesiveTable<Law>& table) {
    const CrackReach<Element, Law> reach{.elements = elements_.table(),
                                         .mouths = cracks_.mouths.data(),
                                         .mouth_count = static_cast<Index>(cracks_.mouths.size()),
                                         .capacity = cohesive_.capacity(),
                                         .live = live(),
                                         .cohesive = table,
                                         .parent = cracks_.parent.data(),
                                         .first_load = cracks_.first_load.data(),
                                         .load = cracks_.load.data(),
                                         .flags = erosion_.active() ? elements_.flags.data() : nullptr};
    backend_.launch(StartCrackReach<Element, Law>{reach});
    backend_.launch(ConnectCracks<Element, Law>{reach});
    backend_.launch(EnterCracks<Element, Law>{reach});
    backend_.launch(NoteCrackLoads<Element, Law>{reach});
  });
}

/// Marks facets as if a check had found them. Returns the number of elements that own them.
template <class Backend, class Element>
Index SolverBase<Backend, Element>::mark_fractured(const std::vector<Index>& facets) {
  if (!cohesive_case_) throw InputError("nothing can be cut: the case has no cohesive law");
  std::vector<std::uint8_t> fractured(elements_.count, 0);
  Index elements = 0;
  for (const Index code : facets) {
    elements += fractured[element_of(code)] == 0;
    fractured[element_of(code)] |= static_cast<std::uint8_t>(1 << facet_of(code));
  }
  fracture_.fractured.upload(fractured);
  return elements;
}

/// The start of new cohesive elements behind those there are.
template <class Backend, class Element>
template <class Law>
StartCohesive<Element, Law> SolverBase<Backend, Element>::start_cohesive(const Law& law,
                                                                         const CohesiveTable<Law>& table,
                                                                         Index facets) {
  return {elements_.table(),
          cohesive_.count,
          facets,
          nodes_.position.data(),
          this->template facet_traction<Law>(),
          law,
          table,
          thickness_,
          Real(2 * stiffness_safety_ / (dt_ * dt_)),
          {contact_moduli_.data(), materials_.of_element()},
          step_,
          criterion_.scale,
          energy_scale_.data(),
          moved_facets(),
          own_elements()};
}

/// For how many more facets room is made when arrays grow: to grow takes longer than to cut, and ends recordings.
/// @param cohesive  elements that there has to be room for
template <class Backend, class Element>
Index SolverBase<Backend, Element>::facets_ahead(Index cohesive) const {
  const std::int64_t most = 3 * static_cast<std::int64_t>(elements_.count) / 2;  // interior facets
  const Index ahead = cohesive / 2 + elements_.count / 32 + 4096;
  return static_cast<Index>(std::clamp<std::int64_t>(most - cohesive, 0, ahead));
}

/// There are never more nodes than one for each element and each of its nodes.
template <class Backend, class Element>
Index SolverBase<Backend, Element>::most_nodes() const {
  return static_cast<Index>(
      std::min<std::int64_t>(std::int64_t{Element::nodes} * elements_.count, std::numeric_limits<Index>::max()));
}
/// Nodes after cutting that many facets, at most.
/// @param pinched  see SplitPass
template <class Backend, class Element>
Index SolverBase<Backend, Element>::most_nodes(Index facets, Index pinched) const {
  return static_cast<Index>(
      std::min<std::int64_t>(nodes_.count + std::int64_t{copies_per_facet} * facets + pinched, most_nodes()));
}

/// The room that an array gets when arrays grow, at least what it has.
/// @param size   what it must hold
/// @param ahead  what it is to hold besides
/// @param most   what it can ever have to hold
/// @param room   what it has
template <class Backend, class Element>
Index SolverBase<Backend, Element>::room_for(Index size, std::int64_t ahead, std::int64_t most, Index room) {
  const std::int64_t wanted = std::max<std::int64_t>(size, std::min(size + ahead, most));
  // One that has less than half of what is to come grows with the others, instead of soon after them.
  return room < size + (wanted - size) / 2 ? static_cast<Index>(wanted) : room;
}
/// The same for nodes.
/// @param facets  that may be cut besides
template <class Backend, class Element>
Index SolverBase<Backend, Element>::room_for_nodes(Index nodes, Index facets) const {
  constexpr std::int64_t usual_copies = Element::facet_nodes - 1;  // of a facet
  return room_for(nodes, usual_copies * facets, most_nodes(), nodes_.capacity());
}
/// Makes room for that many cohesive elements, and for those of more facets.
template <class Backend, class Element>
void SolverBase<Backend, Element>::make_room_for_cohesive(Index cohesive, Index facets) {
  const Index room = room_for(cohesive, facets, std::int64_t{cohesive} + facets, cohesive_.capacity());
  if (room <= cohesive_.capacity()) return;
  fields_.reserve(backend_, On::cohesive, room);
  cohesive_sums_.resize(cohesive_.with_law([&](const auto& law, const auto& table) {
    const auto energy = this->cohesive_energy(law, table, nullptr);
    return energy.sums.extent(energy.blocks());
  }));
}

/// Throws where there is no memory for so many. What one rank lacks, all fail for alike, while each of them still takes
/// part in what is done next.
template <class Backend, class Element>
void SolverBase<Backend, Element>::need_room(bool fits, Index nodes, Index cohesive) {
  std::string whose;
  if (shared_.active()) {
    std::vector<int> lacking;
    if (!fits) lacking.push_back(shared_.ranks().rank());
    lacking = shared_.records_of_all(lacking);
    fits = lacking.empty();
    if (!fits) whose = " on rank " + std::to_string(lacking.front());
  }
  if (fits) return;
  throw NumericalError("capacity: no memory" + whose + " for " + std::to_string(nodes) + " nodes and " +
                       std::to_string(cohesive) + " cohesive elements at step " + std::to_string(step_) +
                       "; use a smaller mesh or a larger machine");
}

}  // namespace cleave::inline CLEAVE_PRECISION
