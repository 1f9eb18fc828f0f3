/// The body of the gather assembly: its start, fields, and state to a stream and back.
#pragma once

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "body/slots_of_sectors.hpp"
#include "step/body_output.hpp"
#include "step/body_start.hpp"
#include "step/checkpoint.hpp"
#include "step/gather_insertion.hpp"
#include "step/gather_step.hpp"
#include "terms/bulk/present_step.hpp"
#include "terms/bulk/rest_states.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Gauss-point stresses are stored only for a law that needs them.
template <class Backend, class Element>
template <class... Args>
GatherBody<Backend, Element>::GatherBody(const Model& model, Args&&... made_with)
    : Body<Backend, Element>(model, std::forward<Args>(made_with)...),
      thickness_changes(this->finite && model.materials.front().parameters.plane == PlaneType::stress),
      carefree_strain(cleave::carefree_strain(model.step / model.critical_step)) {
  for (Index n = 0; n < model.mesh.node_count() && model.has_springs(); ++n)
    stiffest_springs = std::max(stiffest_springs, model.springs_at(n));
  gather.cut_into_blocks(model.mesh, model.material_ranges, model.part.get(), this->cohesive_case.has_value());
  this->halo.start(model, gather.ranges, gather.first_interface, InterfaceNodes::width, this->backend);
  for (const double of_rank : this->halo.records_of_all(std::vector{stiffest_springs}))
    stiffest_springs = std::max(stiffest_springs, of_rank);
  const ElementRange blocks = this->halo.own_block_range();
  own_interior = {gather.first_of_block[blocks.begin], gather.first_of_block[blocks.end]};
  this->held_groups.upload(model, [&](Index n) { return owns_node(n); });
  this->declare(model, !this->cohesive.judged_by_nodes());
  gather.declare(this->fields, !this->halo.is_alone());
  this->held_groups.declare(this->fields);
  terms.declare(*this, model);
  this->upload_nodes(model);
  keep_own_rows(*this, On::node);  // before there is more
  this->upload_elements(model, [&](const ElementTable<Element>& table) { gather.list_slots(model.mesh, table); });
  this->nodes.loose = gather.loose_nodes;
  keep_own_rows(*this, On::element);
  this->upload_live_counts();
  for (auto* term : terms.all()) term->upload(*this, model);
  this->fields.reserve(this->backend, On::slot, gather.interface_slots);
  this->fields.reserve(this->backend, On::work_row, gather.work_rows());
  this->fields.reserve(this->backend, On::copy, this->nodes.count - gather.first_copy);
  if (!this->cohesive_case) return;
  constexpr Index most = most_facets_of_one_block;
  make_scratch(*this, most);
  this->scratch.found.resize(most);
}

/// Materials whose state follows the strain begin with that of the body at rest.
template <class Body>
void launch_rest_states(Body& body) {
  using Element = typename Body::Element;
  body.materials.for_each_law([&]<class Material>(const MaterialsOfLaw<Material>& of, ByMaterial<Material>,
                                                  MaterialStates<Element, Material> states) {
    if constexpr (RestsAt<Material>) {
      for (const auto& member : of.members) {
        body.backend.launch(RestStates<Element, Material>{.elements = body.elements.table(),
                                                          .first = member.begin,
                                                          .end = member.end,
                                                          .material = member.material,
                                                          .states = states,
                                                          .geometry = body.geometry(),
                                                          .displacement = body.nodes.displacement.data()});
      }
    }
  });
}

/// Packs all blocks of the element table.
template <class Body>
void launch_pack_all(Body& body) {
  auto& gather = body.gather;
  body.backend.launch(CountPartials{gather.first_interface, body.nodes.count - gather.first_interface,
                                    gather.interface_entries.data(), gather.finder(), gather.assembly.data()});
  body.backend.launch(gather.pack_blocks(body.elements.table()));
}

/// The state at t = 0, with its sums.
template <class Body>
void launch_start(Body& body) {
  auto& gather = body.gather;
  body.backend.launch(StoreGeometry<typename Body::Element>{
      body.elements.table(), body.nodes.position.data(), {gather.geometry.data()}});
  body.backend.launch(
      ListIncidence<typename Body::Element>{body.elements.table(), gather.incidence(), gather.assembly.data()});
  body.backend.launch(SetNodeAssembly<typename Body::Element>{.elements = body.elements.table(),
                                                              .incidence = gather.incidence(),
                                                              .count = body.nodes.count,
                                                              .motion_x = body.nodes.motion_x.data(),
                                                              .motion_y = body.nodes.motion_y.data(),
                                                              .assembly = gather.assembly.data(),
                                                              .inverse_mass = gather.inverse_mass.data(),
                                                              .on_all = body.flags_of_all_nodes()});
  launch_pack_all(body);
  mark_remote_nodes(body);
  launch_rest_states(body);
  body.inputs.provide(body.backend, body.live(), 0, 0);
  body.upload_live_counts(gather.interface_slots);
  body.terms.contact.search(body);
  launch_step_with_sums<Output::state>(body, body.probes.any(), true, [] {});
  launch_all_fragments(body);
}

/// Fastest vibrations of the present shape, over all ranks.
template <class Body>
FastestVibrations fastest_vibrations(Body& body) {
  using Element = typename Body::Element;
  const ElementRange own = body.halo.own_elements();
  FastestVibrations fastest;
  body.materials.for_each_law([&]<class Material>(const MaterialsOfLaw<Material>& of, ByMaterial<Material>,
                                                  MaterialStates<Element, Material> states) {
    if constexpr (Material::finite) {
      for (const auto& member : of.members) {
        const Index first = std::max(member.begin, own.begin), end = std::min(member.end, own.end);
        if (first >= end) continue;
        const VibrationsOfElements<Element, Material> elements{
            .elements = body.elements.table(),
            .first = first,
            .material = member.material,
            .states = states,
            .geometry = body.geometry(),
            .nodes = body.nodes.motion(),
            .inverse_mass = body.gather.inverse_mass.data(),
            .flags = body.elements.flags.data(),
            .small_strain = Real(body.carefree_strain),
            .dt = Real(body.dt),
            .limit = Real(4 / (body.dt * body.dt) - body.stiffest_springs)};
        fastest = fastest + body.backend.reduce(end - first, elements, FastestVibrations{});
      }
    }
  });
  for (Index* element : {&fastest.alone_element, &fastest.attached_element})
    *element = body.halo.host_element_ids().body_id(*element);
  const std::vector<FastestVibrations> of_ranks = body.halo.records_of_all(std::vector{fastest});
  FastestVibrations all = of_ranks.front();
  for (std::size_t r = 1; r < of_ranks.size(); ++r) all = all + of_ranks[r];
  return all;
}

/// Copies what fields are made of; stresses of nodes must have been added up.
template <class Body>
PendingSnapshot copy_fields(Body& body, Step step, const SnapshotParts& wanted) {
  body.fragments_of_ranks.label(body.backend, body.halo, body.fragments);
  const RowCounts rows = body.owners.rows_of_body(body);
  const auto copied = copy_state(body, rows, step, wanted);
  const auto inverse_mass = copied->copy.add(body.gather.inverse_mass, static_cast<std::size_t>(copied->nodes));
  copied->contact = body.terms.contact.copy_shown(body, copied->copy);
  copied->processes = body.terms.processes.copy(body, copied->copy, wanted);
  body.owners.start(body, copied->copy);
  if (!body.halo.leads()) return {};
  return [copied, inverse_mass](int threads) {
    copied->copy.wait();
    Snapshot s = copied->fields(threads);
    const Real* const inverse = copied->copy.data(inverse_mass);
    s.mass.reserve(static_cast<std::size_t>(copied->nodes));
    for (Index n = 0; n < copied->nodes; ++n) s.mass.push_back(1 / inverse[n]);
    return s;
  };
}

/// Norms of fields at the present step, on rank 0. Called by all ranks.
template <class Body>
std::vector<FieldNorms> field_norms_of_body(Body& body) {
  using Backend = typename Body::Backend;
  const auto norms_of = [&](const RowCounts& rows, const auto& values) {
    std::vector<FieldNorms> norms = field_norms(body, rows, values);
    body.terms.processes.add_norms(body, rows, norms, values);
    return norms;
  };
  if (body.halo.is_alone()) return norms_of(body.row_counts(), [](const auto& field) { return field.data(); });
  const RowCounts rows = body.owners.rows_of_body(body);
  HostCopy<Backend> copy;
  std::map<const void*, std::size_t> offset_of;  // of the copies, by buffer
  const auto add = [&](const auto& array) {
    AnyField<Backend>& field = *body.fields.find(array.address());
    offset_of[field.buffer()] = add_rows(copy, field, rows);
  };
  add(body.nodes.position);
  add(body.nodes.displacement);
  add(body.nodes.velocity);
  add(body.elements.nodes);
  add(body.elements.flags);
  body.terms.processes.for_each_field([&](const ProcessField&, const auto& array) { add(array); });
  body.owners.start(body, copy);
  if (!body.halo.leads()) return {};
  copy.wait();
  return norms_of(rows, [&]<class T>(const Field<Backend, T>& field) {
    return reinterpret_cast<T*>(copy.bytes(offset_of.at(field.address())));
  });
}

template <class Body>
void save_state(Body& body, std::ostream& out) {
  const RowCounts rows = body.owners.rows_of_body(body);
  StateWriter to(out);
  save_body(body, rows, to, [&](auto& copy) { body.owners.start(body, copy); });
}

/// Kernels read arrays that flags of nodes stand for: a flag without its array is refused.
template <class Body>
void check_node_flags(Body& body, const std::vector<NodeAssembly>& assembly, const std::vector<NodeAssembly>& before) {
  const auto motion_x = body.nodes.motion_x.download(body.nodes.count),
             motion_y = body.nodes.motion_y.download(body.nodes.count);
  const bool several_materials = body.gather.ranges.size() > 1;
  const unsigned on_all = body.flags_of_all_nodes();
  const int free = mixed_node | (body.terms.push_flagged_nodes() ? pushed_node : 0);
  for (std::size_t n = 0; n < assembly.size(); ++n) {
    const int flags = assembly[n].flags;
    const int expected = (motion_x[n] != 0 || motion_y[n] != 0 ? constrained_node : 0) | static_cast<int>(on_all);
    const bool may_be_mixed = n < before.size() ? (flags & mixed_node) == (before[n].flags & mixed_node)
                                                : (flags & mixed_node) == 0 || several_materials;
    require_of_state((flags & ~free) == (expected & ~free) && may_be_mixed,
                     [&] { return "node " + std::to_string(n) + " has flags " + std::to_string(flags); });
  }
}

/// Likewise for flags of elements.
/// @param before  [element]
template <class Body>
void check_element_flags(Body& body, const std::vector<std::uint8_t>& before) {
  const auto loaded = body.elements.flags.download(body.elements.count);
  constexpr int all = static_cast<int>(ElementFlag::cohesive_sides) | static_cast<int>(ElementFlag::loaded_facets) |
                      static_cast<int>(ElementFlag::eroded);
  for (std::size_t e = 0; e < loaded.size(); ++e)
    require_of_state(
        (loaded[e] & ~all) == 0 && (loaded[e] & ElementFlag::loaded_facets) == (before[e] & ElementFlag::loaded_facets),
        [&] { return "element " + std::to_string(e) + " has flags " + std::to_string(loaded[e]); });
}

/// Lays out the slots of a loaded body.
/// @param before         [node] of the body before, which is intact or has some of the cracks
/// @param block_entries  of that body, as interface_entries; see IncidenceTable
template <class Body>
void restore_slots(Body& body, const std::vector<NodeAssembly>& before, std::vector<Index> block_entries,
                   std::vector<Index> interface_entries) {
  using Element = typename Body::Element;
  auto& gather = body.gather;
  auto nodes = body.elements.nodes.download(ElementTable<Element>::Nodes::extent(body.elements.count));
  auto assembly = gather.assembly.download(body.nodes.count);
  const ElementTable<Element> table{.nodes = {nodes.data()}, .bulk = body.elements.count};
  SlotsOfSectors<Element>(table, assembly, gather.interface_slots)(
      before, {block_entries.data(), interface_entries.data(), gather.first_interface});
  make_room(body, body.nodes.count, body.cohesive.count, gather.interface_slots);
  body.elements.nodes.upload(nodes);
  gather.assembly.upload(assembly);
  check_node_flags(body, assembly, before);
}

template <class Body>
void load_state(Body& body, std::istream& in) {
  using Element = typename Body::Element;
  auto& gather = body.gather;
  const auto flags = body.elements.flags.download(body.elements.count);
  const auto before = gather.assembly.download(body.nodes.count);
  const auto block_entries = gather.block_entries.download(gather.block_entries.size()),
             interface_entries = gather.interface_entries.download(gather.interface_slots);
  StateReader from(in);
  load_body(body, from, [&](Index nodes, Index cohesive) { make_room(body, nodes, cohesive, gather.interface_slots); });
  restore_slots(body, before, block_entries, interface_entries);
  check_element_flags(body, flags);
  for (auto* term : body.terms.all()) term->check_loaded(body);
  body.backend.launch(ListIncidence<Element>{body.elements.table(), gather.incidence(), gather.assembly.data()});
  launch_pack_all(body);
  body.inputs.forget();
  body.upload_live_counts(gather.interface_slots);
  body.others_broken = body.cohesive.count > 0;
  if (body.others_broken)
    body.backend.launch(RefreshCohesiveRows<Element>{body.elements.table(), body.cohesive.capacity(),
                                                     &body.live()->cohesive, body.elements.flags.data()});
  mark_remote_nodes(body);
  body.owners.forget();
  body.terms.contact.list_candidates(body);
  body.terms.cohesive.launch_sums(body);
  launch_sums(body);
  launch_all_fragments(body);
  body.read_report();
  keep_own_rows(body, On::node);
  keep_own_rows(body, On::element);
}

}  // namespace cleave::inline CLEAVE_PRECISION
