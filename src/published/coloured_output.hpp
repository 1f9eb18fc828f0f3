/// ColouredSolver: the start, energies and fields, the state to a stream and back.
#pragma once

#include "published/coloured_solver.hpp"
#include "step/checkpoint.hpp"
#include "step/solver_output.hpp"
#include "step/solver_start.hpp"

namespace cleave::inline CLEAVE_PRECISION {

template <class Backend, class Element>
template <class... Args>
ColouredSolver<Backend, Element>::ColouredSolver(const Model& model, Args&&... backend)
    : Base(model, std::forward<Args>(backend)...), atomic_(model.assembly == Assembly::atomic) {
  separate_materials(model);
  this->declare_body(model, true);
  coloured_.declare(fields_);
  this->upload_nodes(model);
  this->upload_elements(model, [](const ElementTable<Element>&) {});
  const Index count = elements_.count;
  reserve_work(nodes_.count);
  for (auto* force : {&coloured_.cohesive_force, &coloured_.external_force}) this->fill(*force, nodes_.count, Vec2{});
  coloured_.stiffness.resize(StiffnessTable<Element>::extent(count));
  coloured_.colour.upload(model.colouring.colour);
  coloured_.order.upload(model.colouring.order);
  coloured_.offsets = model.colouring.offsets;
  coloured_.cohesive_owners.resize(count);
  coloured_.owner_offsets.resize(model.colouring.count + 1);
  coloured_.insertion_offsets.resize(model.colouring.count + 1);
  coloured_.force_sweep.list(model.colouring, elements_of_force_run);
  coloured_.stress_sweep.list(model.colouring, elements_of_stress_run);
  coloured_.strain_sums.resize((count + StrainEnergy<Element, LinearElastic>::workers - 1) /
                               StrainEnergy<Element, LinearElastic>::workers);
  this->upload_live_counts();
  coloured_.loads.resize(loads_.size());
  for (std::size_t l = 0; l < loads_.size(); ++l) {
    auto& [facets, offsets] = coloured_.loads[l];
    facets.upload(group_disjoint_facets(model.mesh, loads_[l].facets, offsets));
  }
  start();
}

template <class Backend, class Element>
void ColouredSolver<Backend, Element>::start() {
  launch_mass();
  backend_.launch(Stiffness<Element>{
      elements_.table(), nodes_.position.data(), by_material(), thickness_, {coloured_.stiffness.data()}});
  this->provide_inputs(-1, 0);
  add_internal_forces();
  add_external_forces(0);
  backend_.launch(VelocityUpdate{table(), &live()->nodes, ledger(), Real(0)});
  add_outside_forces(0, 0);
  apply_conditions(0, 0);
  if (probes_.any()) launch_probes(0);
  launch_sums();
  this->launch_fragments();
  read_report();
  history();
  probes_.fetch(step_, dt_);
}

/// Adds up energies and works into the report.
template <class Backend, class Element>
void ColouredSolver<Backend, Element>::launch_sums() {
  const Index blocks = node_blocks(nodes_.capacity());
  const NodeTable nodes = table();
  const KineticEnergy kinetic{nodes, &live()->nodes, Real(dt_), {{coloured_.kinetic_sums.data()}}};
  const StrainEnergy<Element, LinearElastic> strain{
      elements_.table(), nodes_.position.data(),           nodes_.displacement.data(), by_material(),
      thickness_,        {{coloured_.strain_sums.data()}}, &report_.data()->fault};
  backend_.launch(kinetic);
  backend_.launch(strain);
  SumTables all;
  all.add(kinetic.sums, blocks);
  all.add(strain.sums, strain.blocks());
  all.add(ledger(), blocks);
  if (outside_.active()) all.add(outside_.forces().works, nodes_.capacity());
  if (outside_.drags) all.add(outside_.forces().drag.works, nodes_.capacity());
  this->launch_cohesive_sums(all, nullptr);
  held_groups_.launch_sums(backend_, elements_.table(), HeldNodes{nodes}, report_.data()->groups);
}

/// Waits for the launches so far and reads what they report.
template <class Backend, class Element>
void ColouredSolver<Backend, Element>::read_report() {
  this->post_report();
  collect_report();
}

/// Waits for the first report that was posted and not collected.
template <class Backend, class Element>
void ColouredSolver<Backend, Element>::collect_report() {
  seen_ = backend_.collect(report_);
  nodes_.count = seen_.live.nodes;
  cohesive_.count = seen_.live.cohesive;
}

template <class Backend, class Element>
HistoryRow ColouredSolver<Backend, Element>::history() {
  launch_sums();
  read_report();
  return this->row_of(seen_);
}

template <class Backend, class Element>
PendingSnapshot ColouredSolver<Backend, Element>::capture(const SnapshotParts& wanted) {
  sum_nodal_stress();
  history();  // which elements have failed, and the fragments that follow
  read_report();
  this->throw_on_fault();
  return copy_fields(step_, wanted);
}

template <class Backend, class Element>
PendingSnapshot ColouredSolver<Backend, Element>::capture_failed() {
  sum_nodal_stress();
  return copy_fields(std::max(step_, launched_to_), {});  // the steps behind a failed row are taken already
}

/// Copies what fields are made of; stresses of nodes must have been added up.
template <class Backend, class Element>
PendingSnapshot ColouredSolver<Backend, Element>::copy_fields(Step step, const SnapshotParts& wanted) {
  const auto copied = this->copy_state(step, wanted);
  const auto masses = copied->copy.add(coloured_.mass, static_cast<std::size_t>(nodes_.count));
  copied->copy.start(backend_);
  return [copied, masses](int threads) {
    copied->copy.wait();
    Snapshot s = copied->fields(threads);
    const Real* mass = copied->copy.data(masses);
    s.mass.assign(mass, mass + copied->nodes);
    return s;
  };
}

template <class Backend, class Element>
void ColouredSolver<Backend, Element>::save(std::ostream& out) {
  StateWriter to(out);
  this->save_body(to);
}

template <class Backend, class Element>
void ColouredSolver<Backend, Element>::load(std::istream& in) {
  StateReader from(in);
  this->load_body(from, [&](Index nodes, Index cohesive) { make_room(nodes, cohesive); });
  this->upload_live_counts();
  if (cohesive_.count > 0) refresh_cohesive();
  this->provide_inputs(step_ - 1, step_);
  launch_sums();
  this->launch_fragments();
  read_report();
}

}  // namespace cleave::inline CLEAVE_PRECISION
