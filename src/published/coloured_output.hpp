/// ColouredSolver: the start, energies and fields, the state to a stream and back.
#pragma once

#include <stdexcept>

#include "published/coloured_solver.hpp"
#include "published/pressure.hpp"
#include "step/body_start.hpp"
#include "step/checkpoint.hpp"
#include "terms/cohesive/cohesive_sums.hpp"

namespace cleave::inline CLEAVE_PRECISION {

template <class Backend, class Element>
template <class... Args>
ColouredSolver<Backend, Element>::ColouredSolver(const Model& model, Args&&... backend)
    : BodySolver<Body>(model, std::forward<Args>(backend)...), atomic_(model.assembly == Assembly::atomic) {
  if (!body_.backend.ranks().is_alone()) throw std::invalid_argument("the published pipeline works on one rank");
  body_.halo.start(model, {}, 0, 0, body_.backend);
  body_.held_groups.upload(model, [](Index) { return true; });
  separate_materials(model);
  body_.declare(model, true);
  cracks_.list_mouths(model.loads);
  cracks_.declare(body_.fields);
  coloured_.declare(body_.fields);
  body_.upload_nodes(model);
  body_.upload_elements(model, [](const ElementTable<Element>&) {});
  const Index count = body_.elements.count;
  reserve_work(body_.nodes.count);
  for (auto* force : {&coloured_.cohesive_force, &coloured_.external_force})
    body_.fill(*force, body_.nodes.count, Vec2{});
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
  body_.upload_live_counts();
  coloured_.loads.resize(body_.inputs.loads().size());
  for (std::size_t l = 0; l < body_.inputs.loads().size(); ++l) {
    auto& [facets, offsets] = coloured_.loads[l];
    facets.upload(group_disjoint_facets(model.mesh, body_.inputs.loads()[l].facets, offsets));
  }
  start();
}

template <class Backend, class Element>
void ColouredSolver<Backend, Element>::start() {
  launch_mass();
  body_.backend.launch(Stiffness<Element>{body_.elements.table(),
                                          body_.nodes.position.data(),
                                          by_material(),
                                          body_.thickness,
                                          {coloured_.stiffness.data()}});
  body_.inputs.provide(body_.backend, body_.live(), -1, 0);
  add_internal_forces();
  add_external_forces(0);
  body_.backend.launch(VelocityUpdate{table(), &body_.live()->nodes, ledger(), Real(0)});
  add_outside_forces(0, 0);
  apply_conditions(0, 0);
  if (body_.probes.any()) launch_probes(0);
  launch_sums();
  launch_all_fragments(body_);
  read_report();
  history();
  body_.probes.fetch(body_.halo, body_.step, body_.dt);
}

/// Adds up energies and works into the report.
template <class Backend, class Element>
void ColouredSolver<Backend, Element>::launch_sums() {
  const Index blocks = node_blocks(body_.nodes.capacity());
  const NodeTable nodes = table();
  const KineticEnergy kinetic{nodes, &body_.live()->nodes, Real(body_.dt), {{coloured_.kinetic_sums.data()}}};
  const StrainEnergy<Element, LinearElastic> strain{
      body_.elements.table(), body_.nodes.position.data(),      body_.nodes.displacement.data(), by_material(),
      body_.thickness,        {{coloured_.strain_sums.data()}}, &body_.report.data()->fault};
  body_.backend.launch(kinetic);
  body_.backend.launch(strain);
  SumTables all;
  all.add(kinetic.sums, blocks);
  all.add(strain.sums, strain.blocks());
  all.add(ledger(), blocks);
  body_.outside.add_sums([&](const auto& works) { all.add(works, body_.nodes.capacity()); });
  launch_cohesive_sums(body_);
  body_.held_groups.launch_sums(body_.backend, body_.elements.table(), HeldNodes{nodes}, body_.group_sums());
  launch_totals(body_, all);
  launch_fragments(body_);
}

/// Waits for the launches so far and reads what they report.
template <class Backend, class Element>
void ColouredSolver<Backend, Element>::read_report() {
  body_.post_report();
  collect_report();
}

/// Waits for the first report that was posted and not collected.
template <class Backend, class Element>
void ColouredSolver<Backend, Element>::collect_report() {
  body_.seen = body_.backend.collect(body_.report);
  body_.nodes.count = body_.seen.live.nodes;
  body_.cohesive.count = body_.seen.live.cohesive;
}

template <class Backend, class Element>
HistoryRow ColouredSolver<Backend, Element>::history() {
  launch_sums();
  read_report();
  return present_row(body_);
}

template <class Backend, class Element>
PendingSnapshot ColouredSolver<Backend, Element>::capture(const SnapshotParts& wanted) {
  sum_nodal_stress();
  history();  // which elements have failed, and the fragments that follow
  read_report();
  throw_on_fault(body_);
  return copy_fields(body_.step, wanted);
}

template <class Backend, class Element>
PendingSnapshot ColouredSolver<Backend, Element>::capture_failed() {
  sum_nodal_stress();
  return copy_fields(std::max(body_.step, launched_to_), {});  // the steps behind a failed row are taken already
}

/// Copies what fields are made of; stresses of nodes must have been added up.
template <class Backend, class Element>
PendingSnapshot ColouredSolver<Backend, Element>::copy_fields(Step step, const SnapshotParts& wanted) {
  body_.fragments_of_ranks.label(body_.backend, body_.halo, body_.fragments);
  const auto copied = copy_state(body_, body_.row_counts(), step, wanted);
  const auto masses = copied->copy.add(coloured_.mass, static_cast<std::size_t>(body_.nodes.count));
  copied->copy.start(body_.backend);
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
  save_body(body_, body_.row_counts(), to, [&](auto& copy) { copy.start(body_.backend); });
}

template <class Backend, class Element>
void ColouredSolver<Backend, Element>::load(std::istream& in) {
  StateReader from(in);
  load_body(body_, from, [&](Index nodes, Index cohesive) { make_room(nodes, cohesive); });
  cracks_.check_loaded(body_.cohesive.count, body_.inputs.loads().size());
  body_.upload_live_counts();
  if (body_.cohesive.count > 0) refresh_cohesive();
  body_.inputs.provide(body_.backend, body_.live(), body_.step - 1, body_.step);
  launch_sums();
  launch_all_fragments(body_);
  read_report();
}

}  // namespace cleave::inline CLEAVE_PRECISION
