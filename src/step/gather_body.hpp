/// The body of the default assembly: every node gathers the forces of its elements.
#pragma once

#include <utility>

#include "parts/row_owners.hpp"
#include "parts/share_sums.hpp"
#include "step/body.hpp"
#include "step/gather_node.hpp"
#include "step/gather_state.hpp"
#include "step/terms.hpp"

namespace cleave::inline CLEAVE_PRECISION {

template <class Backend, class Element>
struct GatherBody : Body<Backend, Element> {
  bool thickness_changes;       ///< finite kinematics in plane stress
  double carefree_strain;       ///< of the step, in finite kinematics
  double stiffest_springs = 0;  ///< at a node over its mass, 1/s^2; see Model::springs_at
  GatherState<Backend, Element> gather;
  Terms<Backend, Element> terms;
  RowOwners<Backend, GatherBody> owners;
  ElementRange own_interior{};  ///< nodes inside the blocks of this rank

  // gather_output.hpp
  template <class... Args>
  explicit GatherBody(const Model& model, Args&&... made_with);

  GeometryTable geometry() { return gather.geometry_table(this->thickness); }
  /// Whether this rank adds up the works and energies of a node of the intact mesh and of its copies.
  bool owns_node(Index n) const {
    return own_interior.has(n) || this->halo.own_interface(gather.interface_nodes()).has(n);
  }
  /// Which rows count of a table by node, whose first row is that of `first`, an interface node or a copy.
  CountedNodes counted_from(Index first) { return {gather.assembly.data(), first, this->live()}; }
  /// Adds a table by node to those of a row.
  template <class List>
  void add_nodes(SumTables& tables, const SumRows<List>& by_node) {
    tables.add(by_node, own_interior);
    tables.add(by_node, {gather.first_interface, gather.capacity()}, counted_from(gather.first_interface));
  }
  /// Adds values by node as a column of a process.
  void add_nodes(SumTables& tables, int column, const double* by_node) {
    tables.add_column(column, by_node, own_interior);
    const ElementRange between{gather.first_interface, gather.capacity()};
    tables.add_column(column, by_node, between, counted_from(gather.first_interface));
  }
  NodeForces node_forces() {
    if (this->outside.pushes) return NodeForces::any;
    return terms.nodal_forces.data() != nullptr ? NodeForces::of_terms : NodeForces::of_elements;
  }
  /// NodeFlags of all nodes.
  unsigned flags_of_all_nodes() const {
    return (this->outside.pushes ? outside_node : 0) | (terms.push_all_nodes() ? pushed_node : 0) |
           (terms.processes.have_nodes() ? process_node : 0);
  }
  /// Flag that launches read first: not 0 where the host inserts or searches for contact (Counters::search_due) before
  /// the next step.
  const Index* insertion_pending() { return &this->report.data()->counters.fractured_facets; }
  /// Rows in use.
  RowCounts row_counts() const {
    RowCounts rows = Body<Backend, Element>::row_counts();
    rows[On::copy] = this->nodes.count - gather.first_copy;
    rows[On::slot] = gather.interface_slots;
    rows[On::work_row] = gather.work_rows();
    rows[On::load] = terms.loads.rows();
    rows[On::side] = terms.contact.sides(this->cohesive.count);
    return rows;
  }
  /// Takes over a report that has come from solver memory.
  void take_report(const DeviceStatus& status) {
    this->seen = status;
    this->nodes.count = status.live.nodes;
    this->cohesive.count = status.live.cohesive;
    gather.interface_slots = status.live.slots;
  }
  /// Waits for the first report that was posted and not collected.
  void collect_report() { take_report(this->backend.collect(this->report)); }
  /// Waits for the launches so far and reads what they report.
  void read_report() {
    share_sums(*this);
    this->post_report();
    collect_report();
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
