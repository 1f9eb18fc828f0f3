/// GatherSolver: what the ranks of a run tell each other. Every rank has the whole body with the same ids, and works on
/// its part (partition.hpp); values of the others' parts are not up to date in its memory, except on rank 0 after
/// bring_..._home.
#pragma once

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>
#include <vector>

#include "backend/host_rows.hpp"
#include "fracture/found_facets.hpp"
#include "parts/shared_rows.hpp"
#include "step/gather_solver.hpp"

namespace cleave::inline CLEAVE_PRECISION {

template <class Backend, class Element>
void GatherSolver<Backend, Element>::start_sharing(const Model& model) {
  shared_.start(model.mesh, gather_.ranges, InterfaceNodes::width, backend_);
  for (const HeldGroup& group : model.held_groups)
    held_nodes_.insert(held_nodes_.end(), group.nodes.begin(), group.nodes.end());
  std::sort(held_nodes_.begin(), held_nodes_.end());
  held_nodes_.erase(std::unique(held_nodes_.begin(), held_nodes_.end()), held_nodes_.end());
}

/// Blocks of elements that this rank computes, for each material.
template <class Backend, class Element>
const std::vector<BlockRange>& GatherSolver<Backend, Element>::own_blocks() const {
  return shared_.active() ? shared_.partition().own : gather_.ranges;
}

/// Gives back the memory of rows that only others need: of nodes inside their blocks, or of their elements. Rank 0, to
/// which the state of all comes, has theirs in the host's memory. Rows that neighbours send need memory, which the host
/// gives by itself and a device does not. Not between a check and its insertion, which needs what neighbours have sent.
template <class Backend, class Element>
void GatherSolver<Backend, Element>::keep_own(On on) {
  if (!shared_.active()) return;
  const Partition& p = shared_.partition();
  const ElementRange own = this->own_elements();
  std::array<ElementRange, 2> others{{{0, own.begin}, {own.end, elements_.count}}};
  if (on == On::node) {
    HostRows first_node(gather_.first_node);
    others = {
        {{0, first_node[p.first_block[p.rank]]}, {first_node[p.first_block[p.rank + 1]], gather_.first_interface}}};
  }
  fields_.for_each([&](AnyField<Backend>& field) {
    const FieldUse& use = field.use;
    if (use.on != on || use.rows_of != RowsOf::owner_only) return;
    if (use.exchanged && !Buffer<Real>::is_host_memory) return;
    std::vector<ValueRange> values;
    for (const ElementRange& rows : others) values.push_back({field.extent(rows.begin), field.whole_blocks(rows.end)});
    field.give_back(values, leads() ? GivenBack::to_host : GivenBack::lost);
  });
}

/// Sets or clears the flag of the nodes that this rank does not need: those of the intact mesh and their copies.
template <class Backend, class Element>
void GatherSolver<Backend, Element>::mark_remote_nodes(bool marked) {
  HostRows assembly(gather_.assembly);
  HostRows entries(gather_.interface_entries);
  for (Index n = gather_.first_interface; n < nodes_.count; ++n) {
    NodeAssembly& node = assembly[n];
    const Index entry = entries[node.first_slot];
    const Index original = shared_.original_node(element_of_entry(entry), node_of_entry(entry));
    node.flags = static_cast<std::uint16_t>(node.flags & ~remote_node);
    if (marked && shared_.partition().absent[original]) node.flags |= remote_node;
  }
  assembly.write_back();
}

/// Nodes between blocks, and their copies, that this rank steps.
template <class Backend, class Element>
InterfaceNodes GatherSolver<Backend, Element>::needed_interface_nodes() {
  return shared_.active() ? shared_.needed(gather_.interface_nodes()) : gather_.interface_nodes();
}

/// Forces of elements. Those at the border of the part come first: what other ranks wait for is on its way while this
/// one computes the others.
/// @param launch  called with a few materials and their states
template <class Backend, class Element>
template <class Launch>
void GatherSolver<Backend, Element>::launch_and_share(const Launch& launch) {
  const SharedSlots slots{elements_.table(), gather_.slot_force.data()};
  const auto launch_border = [&](auto materials, auto states) {
    if (shared_.border_blocks().restrict_to_listed(materials)) launch(materials, states);
  };
  const auto launch_others = [&](auto materials, auto states) {
    shared_.border_blocks().restrict_to_others(materials);
    launch(materials, states);
  };
  backend_.first_beside(
      [&] {
        materials_.for_each_launch(own_blocks(), launch_border);
        shared_.begin_sharing_corners(slots);
      },
      [&] { materials_.for_each_launch(own_blocks(), launch_others); });
  shared_.finish_sharing_corners(slots);
}

/// The stresses of nodes, and those at the Gauss points, which some laws judge facets by.
template <class Backend, class Element>
void GatherSolver<Backend, Element>::share_slot_stresses(DeviceGate gate) {
  shared_.share_corners(SharedSlots{elements_.table(), gather_.slot_stress.data()}, gate);
  if (elements_.stress.size() > 0)
    shared_.share_elements(SharedElementRows<Real, 3 * Element::gauss_points>{{elements_.stress.data()}}, gate);
}

/// Facets beside an eroded element do not break, whoever judges them.
template <class Backend, class Element>
void GatherSolver<Backend, Element>::share_erosion() {
  shared_.share_elements(SharedErosion{elements_.flags.data()});
}

template <class Backend, class Element>
void GatherSolver<Backend, Element>::share_viscous_push() {
  shared_.share_elements(SharedElementRows<Vec2, 3>{{viscosity_.push.data()}});
}

/// For laws that look at the elements on both sides of a facet.
template <class Backend, class Element>
void GatherSolver<Backend, Element>::share_corner_motion() {
  shared_.share_elements(
      SharedCornerMotion<Element>{elements_.table(), nodes_.displacement.data(), nodes_.velocity.data()});
}

/// A cohesive element that has failed, and its states.
template <class Law>
struct FailedCohesive {
  Index cohesive;
  std::array<typename Law::State, FacetGauss::points> states;
};

/// Tells all ranks of cohesive elements that have failed since the last check, as cracks that pressure enters lead
/// through the parts of all ranks. A failed element stays failed.
template <class Backend, class Element>
void GatherSolver<Backend, Element>::share_failed_cohesive() {
  const std::vector<int>& owner = owners().of_cohesive;
  failed_everywhere_.resize(owner.size(), false);
  cohesive_.with_law([&]<class Law>(const Law&, const CohesiveTable<Law>& table) {
    std::vector<FailedCohesive<Law>> own;
    for (Index c = 0; c < static_cast<Index>(owner.size()); ++c) {
      if (owner[c] != shared_.partition().rank || failed_everywhere_[c]) continue;
      FailedCohesive<Law> element{c, {}};
      bool failed = true;
      for (int q = 0; q < FacetGauss::points; ++q) {
        element.states[q] = read_record(table.state(c, q));
        failed = failed && Law::failed(element.states[q]);
      }
      if (failed) own.push_back(element);
    }
    for (const FailedCohesive<Law>& element : shared_.records_of_all(own)) {
      failed_everywhere_[element.cohesive] = true;
      for (int q = 0; q < FacetGauss::points; ++q) write_record(table.state(element.cohesive, q), element.states[q]);
    }
  });
}

template <class Backend, class Element>
CheckResult GatherSolver<Backend, Element>::check_result() {
  Counters& counters = report_.data()->counters;
  return {.check_skipped = &counters.check_skipped,
          .facets = &counters.fractured_facets,
          .elements = &counters.fractured_elements,
          .fault = &report_.data()->fault,
          .found = scratch_.found.data(),
          .bits = fracture_.fractured.data(),
          .strength_scale = this->strength_scale_.data(),
          .largest_load = &report_.data()->largest_load};
}

/// The facets that any rank has found to break: all ranks cut the same ones, and give the same ids. Where they are
/// many, share_many_facets has to follow.
/// @param gate  closed: no stress is near the strength on any rank, and there is nothing to exchange
template <class Backend, class Element>
void GatherSolver<Backend, Element>::share_fractured_facets(DeviceGate gate) {
  const int rank = shared_.ranks().rank(), ranks = shared_.ranks().count();
  backend_.launch(NoteFound{check_result(), shared_.found() + rank});
  shared_.share_found(gate);
  backend_.launch(JoinFound{check_result(), shared_.found(), ranks, gate});
}

/// The same through the host, however many they are.
/// @param elements  with such facets, of all ranks
template <class Backend, class Element>
void GatherSolver<Backend, Element>::share_many_facets(Index elements) {
  const FoundByRank* const own = shared_.found() + shared_.ranks().rank();
  Index* const count = &report_.data()->counters.selected;
  if (static_cast<Index>(found_.size()) < elements) found_.resize(elements + elements / 2);  // growing ends recordings
  backend_.launch(Fill<Index>{count, 1, 0});
  backend_.launch(ListFound{check_result(), this->own_elements(), own, count, found_.data()});
  const std::vector<FoundFacets> all =
      shared_.records_of_all(found_.download(std::min(report_.download(1).front().counters.selected, elements)));
  if (static_cast<Index>(all.size()) != elements)
    throw std::logic_error("ranks list " + std::to_string(all.size()) +
                           " elements with facets that break, and have counted " + std::to_string(elements));
  found_.upload(all);
  this->fill(fracture_.fractured, elements_.count, std::uint8_t{0});
  backend_.launch(TakeFound{check_result(), found_.data(), elements});
}

/// The first fault of any rank becomes that of all, and the sums of rank 0, which has all rows, those of all.
template <class Backend, class Element>
void GatherSolver<Backend, Element>::share_report() {
  HostRows report(report_);
  FaultRecord& fault = report[0].fault;
  std::vector<FaultRecord> own;
  if (fault.code != 0) own.push_back(fault);
  const std::vector<FaultRecord> all = shared_.records_of_all(own);
  if (!all.empty()) fault = all.front();
  shared_.ranks().broadcast(report.data(), sizeof(DeviceStatus));
  report.write_back();
}

/// Owners of what there is at the start.
template <class Backend, class Element>
void GatherSolver<Backend, Element>::start_owners() {
  const Partition& p = shared_.partition();
  HostRows first_node(gather_.first_node);
  const Index blocks = gather_.blocks();
  Owners& of = owners_;
  for (auto* rows : {&of.element, &of.node, &of.copy, &of.cohesive, &of.new_cohesive, &of.held, &of.work_row, &of.load})
    rows->start(p.ranks);
  of.of_cohesive.clear();
  of.of_element.resize(elements_.count);
  of.of_node.resize(gather_.first_copy);
  const auto own = [](std::vector<int>& of_row, OwnedRows<Backend>& rows, int rank, Index begin, Index end) {
    std::fill(of_row.begin() + begin, of_row.begin() + end, rank);
    rows.add(rank, begin, end - begin);
  };
  for (int r = 0; r < p.ranks; ++r) {
    own(of.of_element, of.element, r, p.first_element[r], p.first_element[r + 1]);
    own(of.of_node, of.node, r, first_node[p.first_block[r]], first_node[p.first_block[r + 1]]);
    own(of.of_node, of.node, r, p.first_interface_node[r], p.first_interface_node[r + 1]);
    of.work_row.add(r, p.first_block[r], p.first_block[r + 1] - p.first_block[r]);
    for (Index n = p.first_interface_node[r]; n < p.first_interface_node[r + 1]; n += InterfaceNodes::width)
      of.work_row.add(r, blocks + (n - gather_.first_interface) / InterfaceNodes::width);
  }
  for (const Index n : held_nodes_) of.held.add(of.of_node[n], n);
  HostRows loaded(gather_.loaded_facets);
  for (Index row = 0; row < gather_.load_rows(); ++row) of.load.add(of.of_element[element_of(loaded[row].facet)], row);
}

/// Copies belong to the owner of their node, which needs them for the whole run.
template <class Backend, class Element>
void GatherSolver<Backend, Element>::own_new_copies(Index nodes) {
  const auto known = static_cast<Index>(owners_.of_node.size());
  if (nodes <= known) return;
  if (static_cast<Index>(new_rows_.size()) < nodes - known) new_rows_.resize(std::size_t{2} * (nodes - known));
  backend_.launch(CornersOfCopies{.first = known,
                                  .count = nodes - known,
                                  .assembly = gather_.assembly.data(),
                                  .interface_entries = gather_.interface_entries.data(),
                                  .corner = new_rows_.data()});
  Index n = known;
  for (const Index corner : new_rows_.download(nodes - known)) {
    const Index original = shared_.original_node(element_of_entry(corner), node_of_entry(corner));
    const int owner = owners_.of_node[original];
    owners_.of_node.push_back(owner);
    owners_.node.add(owner, n);
    owners_.copy.add(owner, n - gather_.first_copy);
    if (std::binary_search(held_nodes_.begin(), held_nodes_.end(), original)) owners_.held.add(owner, n);
    ++n;
  }
}

/// Cohesive elements belong to the owner of the element whose facet they are.
template <class Backend, class Element>
void GatherSolver<Backend, Element>::own_new_cohesive(Index cohesive) {
  const auto known = static_cast<Index>(owners_.of_cohesive.size());
  if (cohesive <= known) return;
  if (static_cast<Index>(new_rows_.size()) < cohesive - known) new_rows_.resize(std::size_t{2} * (cohesive - known));
  backend_.launch(FacetsOfCohesive<Element>{known, cohesive - known, elements_.cohesive_rows.data(), new_rows_.data()});
  Index c = known;
  for (const Index facet : new_rows_.download(cohesive - known)) {
    const int owner = owners_.of_element[element_of(facet)];
    owners_.of_cohesive.push_back(owner);
    owners_.cohesive.add(owner, c);
    owners_.new_cohesive.add(owner, c);
    ++c;
  }
}

/// The owners, with those of what insertion has added since: also in the recording that goes on.
template <class Backend, class Element>
auto GatherSolver<Backend, Element>::owners() -> Owners& {
  const LiveCounts now = report_.download(1).front().live;
  if (owners_.of_element.empty()) start_owners();
  own_new_copies(now.nodes);
  own_new_cohesive(now.cohesive);
  return owners_;
}

/// Adds the arrays that a row of history sums up, and no more, as rows are frequent. Frame, stiffness and factors of
/// cohesive elements stay as they begin: the same on all ranks, but where faces turn, as others do not know how long a
/// facet has become. The offset stays, too, unless faces turn.
template <class Backend, class Element>
void GatherSolver<Backend, Element>::add_sums(RowsHome<Backend>& rows, Owners& of) {
  rows.add(gather_.report, BlockReport::Sums::count, of.work_row);
  rows.add(gather_.copy_report, CopyLedger::Report::Sums::count, of.copy);
  rows.add(gather_.facet_work, 1, of.load);
  cohesive_.for_each_summed([&](auto& buffer, int fields) { rows.add(buffer, fields, of.cohesive); });
  rows.add(cohesive_.offset, FacetGauss::points, gather_.corotational ? of.cohesive : of.new_cohesive);
  if (gather_.corotational) {
    rows.add(cohesive_.frame, 3, of.new_cohesive);
    rows.add(cohesive_.stiffness, 1, of.new_cohesive);
    rows.add(cohesive_.factors, 1, of.new_cohesive);
  }
  for (auto* work : {&gather_.cohesive_work, &cracks_.work, &friction_.work})
    rows.add(*work, FacetGauss::points, of.cohesive);
  if (outside_.active()) rows.add(outside_.work, OutsideForces::Works::Sums::count, of.node);
  if (outside_.drags) rows.add(outside_.drag_work, Drag::Works::Sums::count, of.node);
  if (held_groups_.any()) rows.add(gather_.held, 1, of.held);
  if (erosion_.active()) rows.add(erosion_.rows_of, ErodedRows::Sums::count, of.element);
  if (erosion_.active()) rows.add(elements_.flags, 1, of.element);
}

/// Brings the samples of the probes to rank 0.
template <class Backend, class Element>
void GatherSolver<Backend, Element>::bring_samples_home() {
  probes_.send_samples(shared_.home(), shared_.ranks().count(),
                       [&](Index e) { return shared_.partition().rank_of_element(e); });
}

template <class Backend, class Element>
void GatherSolver<Backend, Element>::bring_motion_home() {
  RowsHome<Backend>& rows = shared_.home();
  const Owners& of = owners();
  rows.add(nodes_.displacement, 1, of.node);
  rows.add(nodes_.velocity, 1, of.node);
  if (erosion_.active()) rows.add(elements_.flags, 1, of.element);
  rows.send();
}

template <class Backend, class Element>
void GatherSolver<Backend, Element>::bring_sums_home() {
  Owners& of = owners();
  add_sums(shared_.home(), of);
  shared_.home().send();
  of.new_cohesive.clear();
}

/// All that frames and checkpoints hold, but for what every rank has alike.
template <class Backend, class Element>
void GatherSolver<Backend, Element>::bring_state_home() {
  RowsHome<Backend>& rows = shared_.home();
  Owners& of = owners();
  fields_.for_each([&](AnyField<Backend>& field) {
    const FieldUse& use = field.use;
    if ((use.saved || use.shown) && use.rows_of != RowsOf::all_ranks) rows.add(field, of.rows(use.on));
  });
  rows.send();
  of.new_cohesive.clear();
}

}  // namespace cleave::inline CLEAVE_PRECISION
