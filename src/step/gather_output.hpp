/// GatherSolver: the start, energies and fields, the state to a stream and back.
#pragma once

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "step/checkpoint.hpp"
#include "step/gather_ranks.hpp"
#include "step/gather_solver.hpp"
#include "step/solver_output.hpp"
#include "step/solver_start.hpp"
#include "terms/bulk/rest_states.hpp"

namespace cleave::inline CLEAVE_PRECISION {

template <class Backend, class Element>
template <class... Args>
GatherSolver<Backend, Element>::GatherSolver(const Model& model, Args&&... backend)
    : Base(model, std::forward<Args>(backend)...) {
  gather_.cut_into_blocks(model.mesh, model.material_ranges);
  start_sharing(model);
  declare(model);
  this->upload_nodes(model);
  keep_own(On::node);  // before there is more
  this->upload_elements(model, [&](const ElementTable<Element>& table) { gather_.list_slots(model.mesh, table); });
  keep_own(On::element);
  this->upload_live_counts();
  upload_loads(model);
  list_resident_blocks(model.mesh);
  fields_.reserve(backend_, On::slot, gather_.interface_slots);
  fields_.reserve(backend_, On::work_row, gather_.work_rows());
  reserve_copies(nodes_.count);
  if (cohesive_case_) {
    constexpr Index most = most_facets_of_one_block;
    make_scratch(most);
    scratch_.found.resize(most);
  }
  start();
  keep_own(On::node);
  keep_own(On::element);
}

/// Gauss-point stresses are stored only for a law that needs them.
template <class Backend, class Element>
void GatherSolver<Backend, Element>::declare(const Model& model) {
  gather_.corotational = this->finite_;
  gather_.thickness_changes = this->finite_ && model.materials.front().parameters.plane == PlaneType::stress;
  this->declare_body(model, !cohesive_.judged_by_nodes());
  cracks_.declare_points(fields_, gather_.corotational, gather_.thickness_changes ? 2 * Element::facet_nodes : 0);
  gather_.declare(fields_, held_groups_.any());
}

template <class Backend, class Element>
void GatherSolver<Backend, Element>::upload_loads(const Model& model) {
  if (model.loads.empty()) return;
  const LoadedFacetList<Element> list = list_loaded_facets<Element>(model.mesh, model.loads, model.displacement);
  gather_.first_load_row.upload(list.first_row);
  gather_.loaded_facets.upload(list.facets);
  fields_.reserve(backend_, On::load, gather_.load_rows());
  gather_.last_facet_step.upload(list.last);
  elements_.flags.upload(list.flags);
}

template <class Backend, class Element>
void GatherSolver<Backend, Element>::start() {
  backend_.launch(StoreGeometry<Element>{elements_.table(), nodes_.position.data(), {gather_.geometry.data()}});
  backend_.launch(ListIncidence<Element>{elements_.table(), gather_.incidence(), gather_.assembly.data()});
  backend_.launch(SetNodeAssembly<Element>{.elements = elements_.table(),
                                           .incidence = gather_.incidence(),
                                           .count = nodes_.count,
                                           .motion_x = nodes_.motion_x.data(),
                                           .motion_y = nodes_.motion_y.data(),
                                           .assembly = gather_.assembly.data(),
                                           .outside = outside_.pushes});
  if (shared_.active()) mark_remote_nodes(true);
  launch_rest_states();
  this->provide_inputs(0, 0);
  this->upload_live_counts(gather_.interface_slots);
  launch_output(Output::state, probes_.any(), true);
  this->launch_fragments();
  read_report();
  history();
  fetch_probes();
}

/// Materials whose state follows the strain begin with that of the body at rest.
template <class Backend, class Element>
void GatherSolver<Backend, Element>::launch_rest_states() {
  materials_.for_each_law([&]<class Material>(const MaterialsOfLaw<Material>& of, ByMaterial<Material>,
                                              MaterialStates<Element, Material> states) {
    if constexpr (RestsAt<Material>) this->launch_rest_states_of(of, states);
  });
}

template <class Backend, class Element>
template <class Material>
void GatherSolver<Backend, Element>::launch_rest_states_of(const MaterialsOfLaw<Material>& of,
                                                           MaterialStates<Element, Material> states) {
  for (const auto& member : of.members)
    backend_.launch(RestStates<Element, Material>{.elements = elements_.table(),
                                                  .first = member.begin,
                                                  .end = member.end,
                                                  .material = member.material,
                                                  .states = states,
                                                  .geometry = gather_.geometry_table(thickness_),
                                                  .displacement = nodes_.displacement.data()});
}

/// Adds up energies and works into the report. The step with output has left what its blocks report. Of several ranks
/// rank 0 adds up; the others get its report.
template <class Backend, class Element>
void GatherSolver<Backend, Element>::launch_sums() {
  if (shared_.active()) bring_sums_home();
  if (!leads()) return;
  SumTables all;
  all.add(gather_.block_report(), gather_.work_rows());
  const SumCopies copies = gather_.sum_copies(live());
  backend_.launch(copies);
  all.add(copies.sums, copies.blocks());
  // Nodes have booked the works of loads together with those of internal forces, as elements give both.
  all.add(SumRows<QuantityList<Quantity::external_work>>{{gather_.facet_work.data()}}, gather_.load_rows());
  all.add(SumRows<QuantityList<Quantity::internal_work>>{{gather_.facet_work.data()}}, gather_.load_rows());
  if (outside_.active()) all.add(outside_.forces().works, gather_.capacity());
  if (outside_.drags) all.add(outside_.forces().drag.works, gather_.capacity());
  if (erosion_.active()) all.add(erosion_.rows(), elements_.count);
  this->launch_cohesive_sums(all, gather_.cohesive_work.data());
}

/// Waits for the launches so far and reads what they report.
template <class Backend, class Element>
void GatherSolver<Backend, Element>::read_report() {
  if (shared_.active()) share_report();
  this->post_report();
  collect_report();
}

/// Waits for the first report that was posted and not collected.
template <class Backend, class Element>
void GatherSolver<Backend, Element>::collect_report() {
  take_report(backend_.collect(report_));
}

template <class Backend, class Element>
void GatherSolver<Backend, Element>::take_report(const DeviceStatus& report) {
  seen_ = report;
  nodes_.count = seen_.live.nodes;
  cohesive_.count = seen_.live.cohesive;
  gather_.interface_slots = seen_.live.slots;
}

/// Throws std::logic_error when the state of the present step has not been kept.
template <class Backend, class Element>
void GatherSolver<Backend, Element>::need_state() const {
  if (begin_ != Begin::after_state) throw std::logic_error("the state is asked for at a step that was not stopped at");
}

/// The sums come from the output of this step.
template <class Backend, class Element>
HistoryRow GatherSolver<Backend, Element>::history() {
  if (begin_ == Begin::forces) throw std::logic_error("a row is asked for at a step that had no output");
  return this->row_of(seen_);
}

template <class Backend, class Element>
PendingSnapshot GatherSolver<Backend, Element>::capture(const SnapshotParts& wanted) {
  need_state();
  launch_nodal_stress(0);
  history();  // the largest energy so far
  read_report();
  this->throw_on_fault();
  return copy_fields(step_, wanted);
}

template <class Backend, class Element>
PendingSnapshot GatherSolver<Backend, Element>::capture_failed() {
  launch_nodal_stress(0);
  // Steps behind the failed one may have inserted: their report is on its way.
  take_report(report_.download(1).front());
  return copy_fields(std::max(step_, launched_to_), {});
}

template <class Backend, class Element>
Deformation GatherSolver<Backend, Element>::largest_deformation() {
  Deformation d = Base::largest_deformation();
  if (!this->finite_) return d;
  const FastestVibrations fastest = fastest_vibrations();
  d.critical_step = 2 / std::sqrt(fastest.alone);
  d.unstable_step = 2 / std::sqrt(fastest.attached);
  d.critical_element = fastest.alone_element;
  d.unstable_element = fastest.attached_element;
  return d;
}

/// Fastest vibrations of the present shape, over all ranks.
template <class Backend, class Element>
FastestVibrations GatherSolver<Backend, Element>::fastest_vibrations() {
  const ElementRange own = this->own_elements();
  FastestVibrations fastest;
  materials_.for_each_law([&]<class Material>(const MaterialsOfLaw<Material>& of, ByMaterial<Material>,
                                              MaterialStates<Element, Material> states) {
    if constexpr (Material::finite) {
      for (const auto& member : of.members) {
        const Index first = std::max(member.begin, own.begin), end = std::min(member.end, own.end);
        if (first < end) fastest = fastest + this->fastest_vibrations_of(member.material, states, {first, end});
      }
    }
  });
  if (!shared_.active()) return fastest;
  FastestVibrations all;
  for (const FastestVibrations& of_rank : shared_.records_of_all(std::vector{fastest})) all = all + of_rank;
  return all;
}

template <class Backend, class Element>
template <class Material>
FastestVibrations GatherSolver<Backend, Element>::fastest_vibrations_of(const Material& material,
                                                                        MaterialStates<Element, Material> states,
                                                                        ElementRange range) {
  return backend_.reduce(range.size(),
                         VibrationsOfElements<Element, Material>{.elements = elements_.table(),
                                                                 .first = range.begin,
                                                                 .material = material,
                                                                 .states = states,
                                                                 .geometry = gather_.geometry_table(thickness_),
                                                                 .nodes = nodes_.motion(),
                                                                 .assembly = gather_.assembly.data(),
                                                                 .flags = elements_.flags.data(),
                                                                 .small_strain = Real(this->carefree_strain_),
                                                                 .dt = Real(dt_),
                                                                 .limit = Real(4 / (dt_ * dt_))},
                         FastestVibrations{});
}

template <class Backend, class Element>
std::vector<FieldNorms> GatherSolver<Backend, Element>::field_norms() {
  if (shared_.active()) bring_motion_home();
  return Base::field_norms();
}

/// Copies what fields are made of; stresses of nodes must have been added up.
template <class Backend, class Element>
PendingSnapshot GatherSolver<Backend, Element>::copy_fields(Step step, const SnapshotParts& wanted) {
  if (shared_.active()) bring_state_home();
  if (!leads()) return {};
  const auto copied = this->copy_state(step, wanted);
  const auto assembly = copied->copy.add(gather_.assembly, static_cast<std::size_t>(nodes_.count));
  copied->copy.start(backend_);
  return [copied, assembly](int threads) {
    copied->copy.wait();
    Snapshot s = copied->fields(threads);
    const NodeAssembly* node = copied->copy.data(assembly);
    s.mass.reserve(static_cast<std::size_t>(copied->nodes));
    for (Index n = 0; n < copied->nodes; ++n) s.mass.push_back(node[n].mass());
    return s;
  };
}

template <class Backend, class Element>
RowCounts GatherSolver<Backend, Element>::row_counts() const {
  RowCounts rows = this->body_rows();
  rows[On::copy] = nodes_.count - gather_.first_copy;
  rows[On::slot] = gather_.interface_slots;
  rows[On::work_row] = gather_.work_rows();
  rows[On::load] = gather_.load_rows();
  return rows;
}

template <class Backend, class Element>
void GatherSolver<Backend, Element>::save(std::ostream& out) {
  need_state();
  if (shared_.active()) bring_state_home();
  if (!leads()) return;
  if (shared_.active()) mark_remote_nodes(false);  // the file does not depend on the ranks
  StateWriter to(out);
  to.value(gather_.interface_slots);
  this->save_body(to);
  if (shared_.active()) mark_remote_nodes(true);
}

template <class Backend, class Element>
void GatherSolver<Backend, Element>::load(std::istream& in) {
  StateReader from(in);
  Index slots = 0;
  from.value(slots);
  require_in(slots, 0, gather_.most_slots(), "the number of slots");
  const auto flags = elements_.flags.download(elements_.count);
  const auto assembly = gather_.assembly.download(gather_.first_copy);
  this->load_body(from, [&](Index nodes, Index cohesive) { make_room(nodes, cohesive, slots); });
  check_loaded_slots(slots, flags, assembly);
  gather_.interface_slots = slots;
  backend_.launch(ListIncidence<Element>{elements_.table(), gather_.incidence(), gather_.assembly.data()});
  end_input_ = 0;  // those of other steps are there
  this->upload_live_counts(slots);
  if (cohesive_.count > 0)
    backend_.launch(RefreshCohesiveRows<Element>{elements_.table(), cohesive_.capacity(), &live()->cohesive,
                                                 elements_.flags.data()});
  if (shared_.active()) mark_remote_nodes(true);
  owners_.of_element.clear();  // they are listed anew
  launch_sums();
  this->launch_fragments();
  read_report();
  keep_own(On::node);
  keep_own(On::element);
  begin_ = Begin::after_state;
}

/// See checkpoint_indices.hpp.
/// @param flags   [element] before
/// @param before  [node of the intact mesh] before: the nodes between materials stay the same
template <class Backend, class Element>
void GatherSolver<Backend, Element>::check_loaded_slots(Index slots, const std::vector<std::uint8_t>& flags,
                                                        const std::vector<NodeAssembly>& before) {
  auto nodes = elements_.nodes.download(ElementTable<Element>::Nodes::extent(elements_.count));
  const ElementTable<Element> table{.nodes = {nodes.data()}, .bulk = elements_.count};
  const auto assembly = gather_.assembly.download(nodes_.count);
  const auto first_nodes = gather_.first_node.download(gather_.first_node.size());
  SlotCheck<Element>(table, assembly, before, first_nodes, slots)(gather_.ranges);
  check_node_flags(assembly, before);
  const auto loaded = elements_.flags.download(elements_.count);
  constexpr int all = static_cast<int>(ElementFlag::cohesive_sides) | static_cast<int>(ElementFlag::loaded_facets) |
                      static_cast<int>(ElementFlag::eroded);
  for (std::size_t e = 0; e < flags.size(); ++e)
    require_of_state(
        (loaded[e] & ~all) == 0 && (loaded[e] & ElementFlag::loaded_facets) == (flags[e] & ElementFlag::loaded_facets),
        [&] { return "element " + std::to_string(e) + " has flags " + std::to_string(loaded[e]); });
}

/// Kernels read arrays that flags of nodes stand for: a flag without its array is refused.
template <class Backend, class Element>
void GatherSolver<Backend, Element>::check_node_flags(const std::vector<NodeAssembly>& assembly,
                                                      const std::vector<NodeAssembly>& before) {
  const auto motion_x = nodes_.motion_x.download(nodes_.count), motion_y = nodes_.motion_y.download(nodes_.count);
  const bool several_materials = gather_.ranges.size() > 1;
  for (std::size_t n = 0; n < assembly.size(); ++n) {
    const int flags = assembly[n].flags;
    const int expected =
        (motion_x[n] != 0 || motion_y[n] != 0 ? constrained_node : 0) | (outside_.pushes ? outside_node : 0);
    const bool may_be_mixed = n < before.size() ? (flags & mixed_node) == (before[n].flags & mixed_node)
                                                : (flags & mixed_node) == 0 || several_materials;
    require_of_state((flags & ~mixed_node) == expected && may_be_mixed,
                     [&] { return "node " + std::to_string(n) + " has flags " + std::to_string(flags); });
  }
}

}  // namespace cleave::inline CLEAVE_PRECISION
