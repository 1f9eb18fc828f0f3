/// GatherSolver: what the ranks of a run tell each other. Every rank has the whole body with the same ids, and works on
/// its part (partition.hpp); values of the others' parts are not up to date in its memory, except on rank 0 after
/// bring_..._home.
#pragma once

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "scheme/gather_solver.hpp"

namespace cleave::inline CLEAVE_PRECISION {

template <class Backend, class Element>
void GatherSolver<Backend, Element>::start_sharing(const Model& model) {
  shared_.start(model.mesh, gather_.ranges, InterfaceNodes::width, backend_.ranks());
}

/// Blocks of elements that this rank computes, for each material.
template <class Backend, class Element>
const std::vector<BlockRange>& GatherSolver<Backend, Element>::own_blocks() const {
  return shared_.active() ? shared_.partition().own : gather_.ranges;
}

/// Sets or clears the flag of the nodes that this rank does not need: those of the intact mesh and their copies.
template <class Backend, class Element>
void GatherSolver<Backend, Element>::mark_nodes_elsewhere(bool elsewhere) {
  const IncidenceTable<Element> incidence = gather_.incidence();
  NodeAssembly* const assembly = gather_.assembly.data();
  for (Index n = gather_.first_interface; n < nodes_.count; ++n) {
    NodeAssembly& node = assembly[n];
    const Index entry = incidence.interface_entries[node.first_slot];
    const Index original = shared_.original_node(element_of_entry(entry), node_of_entry(entry));
    node.flags = static_cast<std::uint16_t>(node.flags & ~elsewhere_node);
    if (elsewhere && shared_.partition().elsewhere[original]) node.flags |= elsewhere_node;
  }
}

/// Which cohesive elements join triangles of other ranks alone. What a new one joins is known as it is inserted.
template <class Backend, class Element>
const std::uint8_t* GatherSolver<Backend, Element>::cohesive_elsewhere() {
  if (!shared_.active()) return nullptr;
  const ElementTable<Element> elements = elements_.table();
  const Partition& p = shared_.partition();
  for (auto c = static_cast<Index>(cohesive_elsewhere_.size()); c < report_.data()->live.cohesive; ++c) {
    bool own = false;
    for (int side = 0; side < 2; ++side)
      own = own || p.rank_of_element(element_of(elements.cohesive_facet(c, side))) == p.rank;
    cohesive_elsewhere_.push_back(!own);
  }
  return cohesive_elsewhere_.data();
}

/// What elements give to the nodes that several ranks need. Such nodes have their slots in memory.
template <class Backend, class Element>
void GatherSolver<Backend, Element>::share_slot_forces() {
  const ElementTable<Element> elements = elements_.table();
  Vec2* const slots = gather_.slot_force.data();
  shared_.share_corners([&](Index e, int i) { return slots[elements.slot(e, i).position()]; },
                        [&](Index e, int i, Vec2 force) { slots[elements.slot(e, i).position()] = force; });
}

/// Likewise stresses, and those at the Gauss points, which some laws judge facets by.
template <class Backend, class Element>
void GatherSolver<Backend, Element>::share_slot_stresses() {
  const ElementTable<Element> elements = elements_.table();
  Sym2* const slots = gather_.slot_stress.data();
  shared_.share_corners([&](Index e, int i) { return slots[elements.slot(e, i).position()]; },
                        [&](Index e, int i, Sym2 stress) { slots[elements.slot(e, i).position()] = stress; });
  if (elements_.stress.size() == 0) return;
  constexpr int values = 3 * Element::gauss_points;
  using Row = std::array<Real, values>;
  const Table<Real, values> stress{elements_.stress.data()};
  shared_.share_elements(
      [&](Index e) {
        Row row;
        for (int v = 0; v < values; ++v) row[v] = stress(e, v);
        return row;
      },
      [&](Index e, const Row& row) {
        for (int v = 0; v < values; ++v) stress(e, v) = row[v];
      });
}

template <class Backend, class Element>
void GatherSolver<Backend, Element>::share_viscous_push() {
  using Row = std::array<Vec2, 3>;
  const Table<Vec2, 3> push{viscosity_.push.data()};
  shared_.share_elements(
      [&](Index e) {
        return Row{push(e, 0), push(e, 1), push(e, 2)};
      },
      [&](Index e, const Row& row) {
        for (int k = 0; k < 3; ++k) push(e, k) = row[k];
      });
}

/// How the corners of elements at borders move, for laws that look at the elements on both sides of a facet.
template <class Backend, class Element>
void GatherSolver<Backend, Element>::share_corner_motion() {
  using Row = std::array<Vec2, 6>;
  const ElementTable<Element> elements = elements_.table();
  Vec2* const displacement = nodes_.displacement.data();
  Vec2* const velocity = nodes_.velocity.data();
  shared_.share_elements(
      [&](Index e) {
        Row row;
        for (int k = 0; k < 3; ++k) {
          row[2 * k] = displacement[elements.node(e, k)];
          row[2 * k + 1] = velocity[elements.node(e, k)];
        }
        return row;
      },
      [&](Index e, const Row& row) {  // nodes that this rank steps, too, have these values already
        for (int k = 0; k < 3; ++k) {
          displacement[elements.node(e, k)] = row[2 * k];
          velocity[elements.node(e, k)] = row[2 * k + 1];
        }
      });
}

/// A cohesive element that has failed, and its states.
template <class Law>
struct FailedElement {
  Index cohesive;
  std::array<typename Law::State, FacetGauss::points> states;
};

/// What has failed since the last check: cracks that pressure enters lead through the parts of all ranks. What has failed
/// once stays so.
template <class Backend, class Element>
void GatherSolver<Backend, Element>::share_failed_elements() {
  const std::vector<int>& owner = owners().cohesive;
  failed_everywhere_.resize(owner.size(), false);
  cohesive_.with_law([&]<class Law>(const Law&, const CohesiveTable<Law>& table) {
    std::vector<FailedElement<Law>> own;
    for (Index c = 0; c < static_cast<Index>(owner.size()); ++c) {
      if (owner[c] != shared_.partition().rank || failed_everywhere_[c]) continue;
      FailedElement<Law> element{c, {}};
      bool failed = true;
      for (int q = 0; q < FacetGauss::points; ++q) {
        element.states[q] = read_record(table.state(c, q));
        failed = failed && Law::failed(element.states[q]);
      }
      if (failed) own.push_back(element);
    }
    for (const FailedElement<Law>& element : shared_.records_of_all(own)) {
      failed_everywhere_[element.cohesive] = true;
      for (int q = 0; q < FacetGauss::points; ++q)
        write_record(table.state(element.cohesive, q), element.states[q]);
    }
  });
}

/// The facets that any rank has found to break: all ranks cut the same ones, and give the same ids.
template <class Backend, class Element>
void GatherSolver<Backend, Element>::share_fractured_facets() {
  struct Found {
    Index element, bits;
    Real strength_scale[3];
  };
  Counters& counters = report_.data()->counters;
  std::uint8_t* const bits = elements_.fractured.data();
  const ElementRange range = this->own_elements();
  std::vector<Found> own;
  for (Index e = range.begin; counters.fractured_facets > 0 && e < range.end; ++e) {
    if (bits[e] == 0) continue;
    Found found{e, bits[e], {}};
    for (int k = 0; k < 3 && this->strength_scale_.size() > 0; ++k)
      found.strength_scale[k] = this->strength_scale_.data()[facet_code(e, k)];
    own.push_back(found);
  }
  const std::vector<Found> all = shared_.records_of_all(own);
  if (all.empty()) return;
  std::fill(bits, bits + elements_.count, std::uint8_t{0});
  counters.fractured_facets = 0;
  counters.fractured_elements = static_cast<Index>(all.size());
  const auto room = static_cast<Index>(scratch_.found.size());
  for (Index i = 0; i < counters.fractured_elements; ++i) {
    const Found& found = all[i];
    bits[found.element] = static_cast<std::uint8_t>(found.bits);
    counters.fractured_facets += (found.bits & 1) + (found.bits >> 1 & 1) + (found.bits >> 2);
    if (i < room) scratch_.found.data()[i] = found.element;
    for (int k = 0; k < 3 && this->strength_scale_.size() > 0; ++k)
      this->strength_scale_.data()[facet_code(found.element, k)] = found.strength_scale[k];
  }
}

/// The first fault of any rank becomes that of all, and the sums of rank 0, which has all rows, those of all.
template <class Backend, class Element>
void GatherSolver<Backend, Element>::share_report() {
  FaultRecord& fault = report_.data()->fault;
  std::vector<FaultRecord> own;
  if (fault.code != 0) own.push_back(fault);
  const std::vector<FaultRecord> all = shared_.records_of_all(own);
  if (!all.empty()) fault = all.front();
  shared_.ranks().broadcast(report_.data(), sizeof(DeviceStatus));
}

/// Owners of what there is at the start.
template <class Backend, class Element>
void GatherSolver<Backend, Element>::start_owners() {
  const Partition& p = shared_.partition();
  const Index* const first_node = gather_.first_node.data();
  const Index blocks = gather_.blocks();
  RowOwners& of = owners_ = {};
  of.element.resize(elements_.count);
  of.node.resize(gather_.first_copy);
  of.work_row.resize(gather_.work_rows());
  for (int r = 0; r < p.ranks; ++r) {
    const auto fill = [r](std::vector<int>& owner, Index begin, Index end) {
      std::fill(owner.begin() + begin, owner.begin() + end, r);
    };
    fill(of.element, p.first_element[r], p.first_element[r + 1]);
    fill(of.work_row, p.first_block[r], p.first_block[r + 1]);
    fill(of.node, first_node[p.first_block[r]], first_node[p.first_block[r + 1]]);
    fill(of.node, p.first_interface_node[r], p.first_interface_node[r + 1]);
    for (Index n = p.first_interface_node[r]; n < p.first_interface_node[r + 1]; n += InterfaceNodes::width)
      of.work_row[blocks + (n - gather_.first_interface) / InterfaceNodes::width] = r;
  }
  for (Index row = 0; row < gather_.load_rows(); ++row)
    of.load.push_back(of.element[element_of(gather_.loaded_facets.data()[row].facet)]);
}

/// The owners, with those of what insertion has added since: also in the recording that goes on. Copies belong to the
/// owner of their node, which needs them for the whole run.
template <class Backend, class Element>
auto GatherSolver<Backend, Element>::owners() -> const RowOwners& {
  const LiveCounts now = report_.data()->live;
  const ElementTable<Element> elements = elements_.table();
  RowOwners& of = owners_;
  if (of.element.empty()) start_owners();
  for (auto n = static_cast<Index>(of.node.size()); n < now.nodes; ++n) {
    const Index entry = gather_.interface_entries.data()[gather_.assembly.data()[n].first_slot];
    of.node.push_back(of.node[shared_.original_node(element_of_entry(entry), node_of_entry(entry))]);
    of.copy.push_back(of.node.back());
  }
  for (auto c = static_cast<Index>(of.cohesive.size()); c < now.cohesive; ++c)
    of.cohesive.push_back(of.element[element_of(elements.cohesive_facet(c, 0))]);
  return of;
}

template <class Backend, class Element>
void GatherSolver<Backend, Element>::add_motion(RowsHome& rows, const RowOwners& of) {
  rows.add(nodes_.displacement, 1, of.node);
  rows.add(nodes_.velocity, 1, of.node);
  if (erosion_.active()) rows.add(elements_.flags, 1, of.element);
}

/// What history adds up.
template <class Backend, class Element>
void GatherSolver<Backend, Element>::add_sums(RowsHome& rows, const RowOwners& of) {
  rows.add(gather_.report, BlockReport::Sums::count, of.work_row);
  rows.add(gather_.copy_report, CopyLedger::Report::Sums::count, of.copy);
  rows.add(gather_.facet_work, 1, of.load);
  cohesive_.for_each_saved([&](auto& buffer, int fields) { rows.add(buffer, fields, of.cohesive); });
  for (auto* work : {&gather_.cohesive_work, &cracks_.work, &friction_.work})
    rows.add(*work, FacetGauss::points, of.cohesive);
  if (nodes_.outside.acts) rows.add(nodes_.outside.work, OutsideForces::Works::Sums::count, of.node);
  if (held_groups_.any()) rows.add(gather_.held, 1, of.node);
  if (erosion_.active()) rows.add(erosion_.rows_of, ErodedRows::Sums::count, of.element);
  if (erosion_.active()) rows.add(elements_.flags, 1, of.element);
}

/// All that frames and checkpoints hold, but for what every rank has alike.
template <class Backend, class Element>
void GatherSolver<Backend, Element>::add_state(RowsHome& rows, const RowOwners& of) {
  add_sums(rows, of);
  nodes_.for_each_saved([&](auto& buffer) { rows.add(buffer, 1, of.node); });
  nodes_.outside.for_each_saved([&](auto& buffer, int fields) { rows.add(buffer, fields, of.node); });
  rows.add(nodes_.stress_sum, NodalStressTable::fields, of.node);
  rows.add(gather_.half_velocity, 1, of.node);
  rows.add(gather_.mean_increment, 1, of.node);
  rows.add(gather_.work, LaneLedger::fields, of.work_row);
  rows.add(gather_.copy_work, NodeWorks::count, of.copy);
  rows.add(gather_.last_facet_step, 1, of.load);
  rows.add(gather_.cohesive_force, FacetGauss::points, of.cohesive);
  rows.add(gather_.cohesive_couple, FacetGauss::points, of.cohesive);
  rows.add(gather_.last_face_motion, FacetGauss::points, of.cohesive);
  rows.add(cracks_.push, FacetGauss::points, of.cohesive);
  rows.add(friction_.spring, FacetGauss::points, of.cohesive);
  materials_.for_each_law([&]<class Material>(const MaterialsOfLaw<Material>& law, ByMaterial<Material>,
                                              MaterialStates<Element, Material> states) {
    using States = MaterialStates<Element, Material>;
    const Index end = law.members.back().end;  // elements behind have no states of this law
    if constexpr (States::kept)
      rows.add(
          of.element, end, States::Words::fields * sizeof(Real),
          [states](Index e, std::byte* to) {
            for (int w = 0; w < States::Words::fields; ++w)
              std::memcpy(to + w * sizeof(Real), &states.states(e, w), sizeof(Real));
          },
          [states](Index e, const std::byte* from) {
            for (int w = 0; w < States::Words::fields; ++w)
              std::memcpy(&states.states(e, w), from + w * sizeof(Real), sizeof(Real));
          });
    if constexpr (States::dissipates)
      rows.add(
          of.element, end, sizeof(double),
          [states](Index e, std::byte* to) { std::memcpy(to, states.dissipated + e, sizeof(double)); },
          [states](Index e, const std::byte* from) { std::memcpy(states.dissipated + e, from, sizeof(double)); });
  });
}

/// What the probes have seen.
template <class Backend, class Element>
void GatherSolver<Backend, Element>::bring_samples_home() {
  RowsHome rows(shared_.ranks());
  probes_.send_samples(rows, [&](Index e) { return shared_.partition().rank_of_element(e); });
}

template <class Backend, class Element>
void GatherSolver<Backend, Element>::bring_motion_home() {
  RowsHome rows(shared_.ranks());
  add_motion(rows, owners());
  rows.send();
}

template <class Backend, class Element>
void GatherSolver<Backend, Element>::bring_sums_home() {
  RowsHome rows(shared_.ranks());
  add_sums(rows, owners());
  rows.send();
}

template <class Backend, class Element>
void GatherSolver<Backend, Element>::bring_state_home() {
  RowsHome rows(shared_.ranks());
  add_state(rows, owners());
  rows.send();
}

}  // namespace cleave::inline CLEAVE_PRECISION
