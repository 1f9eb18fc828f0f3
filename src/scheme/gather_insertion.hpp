/// GatherSolver: the fracture check and the insertion of cohesive elements.
#pragma once

#include <chrono>
#include <stdexcept>

#include "scheme/gather_solver.hpp"
#include "scheme/solver_insertion.hpp"

namespace cleave::inline CLEAVE_PRECISION {

template <class Backend, class Element, class Law>
void GatherSolver<Backend, Element, Law>::launch_nodal_stress() {
  const NodeStress node{gather_.assembly.data(),
                        {nodes_.stress_sum.data()},
                        criterion_,
                        nodes_.flagged.data(),
                        &report_.data()->counters.flagged_nodes};
  backend_.launch(BlockStress<Element>{elements_.table(),
                                       gather_.block_table(),
                                       nodes_.position.data(),
                                       nodes_.displacement.data(),
                                       material_,
                                       node,
                                       gather_.slot_stress.data(),
                                       {elements_.stress.data()},
                                       &report_.data()->fault});
  backend_.launch(
      InterfaceNodeStress{gather_.first_interface, gather_.capacity(), live(), node, gather_.slot_stress.data()});
}

/// Stresses and filters; leaves the number of facets that break in the counters, which must be clear.
template <class Backend, class Element, class Law>
void GatherSolver<Backend, Element, Law>::launch_fracture_check() {
  launch_nodal_stress();
  this->launch_facet_filter();
}

/// Inserts what a check has found and could not insert itself.
template <class Backend, class Element, class Law>
void GatherSolver<Backend, Element, Law>::insert_found(const Counters& found) {
  if (found.fractured_facets <= OneBlockInsertion<Element, Law>::most_facets) {
    make_room_for(found.fractured_facets);
    backend_.launch(one_block_insertion(nullptr));
    read_report();
    if (seen_.counters.fractured_facets != 0) throw std::logic_error("an insertion that there is room for did not fit");
  } else {
    insert_many(found.fractured_facets);
  }
  backend_.launch(ClearCounters{report_.data()});
}

/// Inserts cohesive elements at all fractured facets, that many, by launches.
template <class Backend, class Element, class Law>
void GatherSolver<Backend, Element, Law>::insert_many(Index facets) {
  make_room_for(facets);
  make_scratch(facets);
  this->list_facets(FacetsOfAll{elements_.count, elements_.fractured.data()});
  cut_node_by_node(facets);
  read_report();
}

/// Cuts the listed facets and splits nodes: how the nodes of cut facets share out their elements is found node by node.
template <class Backend, class Element, class Law>
void GatherSolver<Backend, Element, Law>::cut_node_by_node(Index facets) {
  const SplitNodes<Element> split = split_nodes(facets);
  const SplitPass<Element>& pass = split.pass;
  backend_.launch(CutFacets<Element, StartCohesive<Element, Law>>{this->start_cohesive(facets), elements_.flags.data(),
                                                                  pass, live(), split.nodes, node_copier()});
  backend_.launch(FindSectors<Element>{pass});
  if (this->numbers_by_counter())
    backend_.launch(NumberByCounter<Element>{pass});
  else
    backend_.exclusive_scan(facets + 1, FacetNeeds<Element>{pass}, pass.first);
  backend_.launch(split);
  backend_.launch(FillCopies<Element>{pass, live(), node_copier()});
  backend_.launch(CountInserted<Element>{pass, live()});
}

/// The kernel that splits the nodes of a pass of that many facets, behind the cohesive elements there are.
template <class Backend, class Element, class Law>
SplitNodes<Element> GatherSolver<Backend, Element, Law>::split_nodes(Index facets) {
  const SplitPass<Element> pass{elements_.table(),
                                gather_.incidence(),
                                gather_.assembly.data(),
                                facets,
                                cohesive_.count,
                                gather_.most_elements,
                                gather_.pinched,
                                gather_.ends.data(),
                                gather_.stars.data(),
                                gather_.split_count.data(),
                                gather_.split_first.data(),
                                gather_.origin.data()};
  return {pass, live(), {elements_.table(), gather_.assembly.data()}};
}

/// The insertion of what the last check found, if it is short and there is room for it.
template <class Backend, class Element, class Law>
OneBlockInsertion<Element, Law> GatherSolver<Backend, Element, Law>::one_block_insertion(const Index* check_skipped) {
  Counters& counters = report_.data()->counters;
  const InsertionRoom room{gather_.capacity(), cohesive_.capacity(), gather_.slot_room()};
  return {&counters.fractured_facets,
          &counters.fractured_elements,
          check_skipped,
          scratch_.found.data(),
          elements_.fractured.data(),
          scratch_.elements.data(),
          scratch_.first_facet.data(),
          live(),
          room,
          this->start_cohesive(0),
          split_nodes(0),
          this->numbers_by_counter(),
          node_copier(),
          elements_.flags.data()};
}

template <class Backend, class Element, class Law>
double GatherSolver<Backend, Element, Law>::insert_cohesive(const std::vector<Index>& facets) {
  if (begin_ != Begin::forces) advance(1, Output::none, {});
  this->mark_fractured(facets);
  launch_nodal_stress();  // the tractions that the cohesive elements start with
  backend_.launch(ClearCounters{report_.data()});
  backend_.synchronise();
  const auto start = std::chrono::steady_clock::now();
  if (!facets.empty()) insert_many(static_cast<Index>(facets.size()));
  backend_.synchronise();
  const auto end = std::chrono::steady_clock::now();
  read_report();
  return std::chrono::duration<double>(end - start).count();
}

template <class Backend, class Element, class Law>
void GatherSolver<Backend, Element, Law>::reserve(Index nodes, Index cohesive, Index at_once) {
  make_scratch(at_once);
  make_room(nodes, cohesive, gather_.most_slots(cohesive));
}

/// Room for cutting that many facets.
template <class Backend, class Element, class Law>
void GatherSolver<Backend, Element, Law>::make_room_for(Index facets) {
  make_room(nodes_.count + copies_per_facet * facets + gather_.pinched, cohesive_.count + facets,
            gather_.most_slots(facets));
}

/// Scratch for cutting that many facets in one pass.
template <class Backend, class Element, class Law>
void GatherSolver<Backend, Element, Law>::make_scratch(Index facets) {
  bool moved = gather_.reserve_cut_ends(facets);
  const Index entries = std::max(facets, FacetsOfAll{elements_.count, nullptr}.size());
  if (entries > static_cast<Index>(scratch_.first_facet.size())) {
    scratch_.first_facet.resize(entries);
    moved = true;
  }
  if (moved) forget_recordings();  // they hold the old addresses
}

/// Room for that many nodes, cohesive elements and slots in memory.
template <class Backend, class Element, class Law>
void GatherSolver<Backend, Element, Law>::make_room(Index nodes, Index cohesive, Index slots) try {
  const bool more_nodes = nodes > nodes_.capacity(),
             more_slots = slots > static_cast<Index>(gather_.interface_entries.size());
  if (more_nodes) {
    const Index room = this->room_for(nodes, 8192);
    nodes_.reserve(backend_, room);
    gather_.reserve_nodes(backend_, room);
  }
  if (more_slots) gather_.reserve_slots(this->room_for(slots, 131072));
  const bool more_cohesive = this->make_room_for_cohesive(cohesive, nullptr);
  if (more_cohesive) gather_.reserve_cohesive(backend_, cohesive_.capacity());
  if (more_nodes || more_slots || more_cohesive) forget_recordings();  // they hold the old addresses
} catch (const std::bad_alloc&) {
  this->throw_no_memory(nodes, cohesive);
}

}  // namespace cleave::inline CLEAVE_PRECISION
