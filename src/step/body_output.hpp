/// Energies, counts, faults and fields of a body.
#pragma once

#include <bit>
#include <cmath>
#include <concepts>
#include <sstream>
#include <string>

#include "body/norms.hpp"
#include "cleave/core/error.hpp"
#include "parts/share_sums.hpp"
#include "step/body.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Adds tables to the sums, and makes totals of the sums of all ranks in the report.
template <class Body>
void launch_totals(Body& body, SumTables& tables) {
  DeviceStatus* const report = body.report.data();
  tables.sums = body.sums.data();
  tables.totals = {.sums = body.sums.data(),
                   .totals = &report->totals,
                   .columns = report->columns,
                   .groups = report->groups,
                   .group_count = body.held_groups.groups()};
  launch_row(body, tables);
}

/// Counts fragments.
/// @param only_changed  only if cohesive elements have failed since the last time; otherwise of all elements anew
template <class Body>
void launch_all_fragments(Body& body, bool only_changed = false) {
  const HoldingFacets<typename Body::Element> facets{.elements = body.elements.table(),
                                                     .own = body.halo.own_elements(),
                                                     .failed = body.cohesive.failed.data(),
                                                     .flags = body.eroded_flags()};
  DeviceStatus* const report = body.report.data();
  if (!only_changed) body.fragments.mark_all(body.backend);
  body.fragments.count(body.backend, facets, body.cohesive.capacity(), &body.live()->cohesive,
                       {&report->fragments, &report->failures, only_changed && body.halo.is_alone()});
  body.fragments_of_ranks.join(body.backend, body.halo, facets, body.fragments, &report->fragments);
}
/// Counts fragments, where facets may have failed or elements may have gone.
template <class Body>
void launch_fragments(Body& body) {
  const bool due = body.halo.is_alone() ? body.has_broken() || body.erodes : body.fragments.out_of_date;
  if (due) launch_all_fragments(body, !body.erodes);
  body.fragments.out_of_date = false;
}

inline void assign(double& value, double total) { value = total; }
template <std::integral Count>
void assign(Count& value, double total) {
  value = static_cast<Count>(std::llround(total));
}

/// The row of the present step: what kernels have added up, then what the host knows and what follows from both.
template <class Body>
HistoryRow present_row(Body& body) {
  const DeviceStatus& status = body.seen;
  HistoryRow row;
  for_each_quantity(row, [&](Quantity q, auto& value) { assign(value, status.totals[q]); });
  row.step = body.step;
  row.time = static_cast<double>(body.step) * body.dt;
  if (body.halo.is_alone()) {
    row.nodes = body.nodes.count;
    row.cohesive_elements = body.cohesive.count;
  } else {
    row.nodes += body.halo.body().nodes;
  }
  row.fragments = status.fragments;
  row.insertion_ratio = std::bit_cast<double>(status.largest_load);
  body.balance.complete(row);
  for (int g = 0; g < body.held_groups.groups(); ++g) row.groups.push_back(status.groups[g].means());
  row.obstacles.assign(status.obstacles, status.obstacles + body.obstacles);
  row.processes.assign(status.columns, status.columns + body.process_columns);
  return row;
}

/// The centre of an element at present, as text.
template <class Body>
std::string place_of_element(Body& body, Index e) {
  using Element = typename Body::Element;
  using Rows = ElementTable<Element>;
  auto nodes = body.elements.nodes.download(Rows::Nodes::extent(body.elements.count));
  const Rows table{.nodes = {nodes.data()}};
  const auto position = body.nodes.position.download(body.nodes.count),
             displacement = body.nodes.displacement.download(body.nodes.count);
  double x = body.centre.x, y = body.centre.y;
  for (int i = 0; i < Element::corners; ++i) {
    const Index n = table.node(e, i);
    x += (double{position[n].x} + displacement[n].x) / Element::corners;
    y += (double{position[n].y} + displacement[n].y) / Element::corners;
  }
  std::ostringstream text;
  text << '(' << x << ", " << y << ')';
  return text.str();
}

/// Throws for a fault in the last report.
template <class Body>
void throw_on_fault(Body& body) {
  const FaultRecord fault = body.seen.fault;
  if (fault.code == 0) {
    body.good_step = body.step;
    return;
  }
  if (fault.code == static_cast<Index>(FaultCode::inverted_element))
    throw ElementFailure("an element has turned inside out", fault.element, body.step, body.good_step);
  if (fault.code == static_cast<Index>(FaultCode::healed_facet))
    throw NumericalError(
        "the cohesive law takes back that a facet has failed: once its `failed` is true of all three Gauss points, it "
        "must stay so");
  if (fault.code == static_cast<Index>(FaultCode::deep_contact))
    throw NumericalError(
        "contact: at step " + std::to_string(fault.step) + " a side of the triangle near " +
        place_of_element(body, fault.element) +
        " is deeper inside an obstacle than a quarter of the triangle's least altitude; take a smaller "
        "time.step, which allows stiffer contact, a coarser mesh or slower bodies");
  if (fault.code == static_cast<Index>(FaultCode::deep_overlap))
    throw NumericalError("contact: at step " + std::to_string(fault.step) + " a side of the triangle near " +
                         place_of_element(body, fault.element) +
                         " has sunk into another part of the body by more than a quarter of the least altitude of the "
                         "triangles there; take a smaller time.step, which allows stiffer contact, a coarser mesh or "
                         "slower bodies");
  if (fault.code == static_cast<Index>(FaultCode::crossed_corners))
    throw NumericalError("contact: at step " + std::to_string(fault.step) + " a corner of the triangle near " +
                         place_of_element(body, fault.element) +
                         " lies across a corner of another part of the body, by more than a quarter of the least "
                         "altitude of the triangles there; take a smaller time.step, a mesh without slivers or slower "
                         "bodies");
  throw NumericalError("broken topology: the walk around a node of an element does not end");
}

template <class Body>
Deformation largest_deformation(Body& body) {
  using Largest = LargestDeformation<typename Body::Element>;
  const ElementRange range = body.halo.own_elements();
  body.backend.launch(Largest{.elements = body.elements.table(),
                              .position = body.nodes.position.data(),
                              .displacement = body.nodes.displacement.data(),
                              .flags = body.elements.flags.data(),
                              .range = range,
                              .rows = body.deformation.data()});
  const Index blocks = Largest::blocks_of(range.size());
  body.backend.launch(LargestRow{body.deformation.data(), blocks});
  DeformationRow all{};
  std::vector<DeformationRow> own = body.deformation.download(std::min(blocks, Index{1}));
  for (DeformationRow& row : own)
    for (Index* element : {&row.strain_element, &row.turn_element})
      *element = body.halo.host_element_ids().body_id(*element);
  for (const DeformationRow& row : body.halo.records_of_all(own)) all.include(row);
  return {all.strain, std::acos(1 - all.turn), all.strain_element, all.turn_element};
}

/// Norms of fields at the present step.
/// @param values   values(field): where the values of an array of the whole body lie
template <class Body, class Values>
std::vector<FieldNorms> field_norms(Body& body, const RowCounts& rows, const Values& values) {
  using Element = typename Body::Element;
  const auto of = [&](Index size, const auto& field) { return body.backend.reduce(size, field, NormSums{}).norms(); };
  const ElementTable<Element> elements{.nodes = {values(body.elements.nodes)}, .bulk = rows[On::element]};
  const NormsOfStrain<Element> strain{elements, values(body.nodes.position), values(body.nodes.displacement),
                                      values(body.elements.flags)};
  return {{"displacement", "m", of(rows[On::node], NormsOfLengths{values(body.nodes.displacement)})},
          {"velocity", "m/s", of(rows[On::node], NormsOfLengths{values(body.nodes.velocity)})},
          {"strain", "1", of(rows[On::element], strain)}};
}

/// Copies what fields are made of but the masses; stresses of nodes must have been added up. A solver adds what it has
/// itself, and then starts the copy.
/// @param rows  of the whole body
template <class Body>
auto copy_state(Body& body, const RowCounts& rows, Step step, const SnapshotParts& wanted) {
  using Element = typename Body::Element;
  using Copied = CopiedState<typename Body::Backend, Element>;
  using Rows = ElementTable<Element>;
  const auto copied = std::make_shared<Copied>(body.fracture.element_scale, wanted);
  copied->step = step;
  copied->time = static_cast<double>(step) * body.dt;
  copied->finite = body.finite;
  copied->centre = body.centre;
  copied->nodes = rows[On::node];
  copied->elements = rows[On::element];
  copied->cohesive = rows[On::cohesive];
  copied->stress_rows = body.fracture.stress_rows;
  auto& copy = copied->copy;
  const auto nodes = static_cast<std::size_t>(copied->nodes), elements = static_cast<std::size_t>(copied->elements),
             cohesive = static_cast<std::size_t>(copied->cohesive);
  copied->position = copy.add(body.nodes.position, nodes);
  copied->displacement = copy.add(body.nodes.displacement, nodes);
  copied->velocity = copy.add(body.nodes.velocity, nodes);
  if (wanted.nodal_stress)
    copied->stress_sum = copy.add(body.fracture.stress_sum, body.fracture.stress_extent(copied->nodes));
  copied->element_nodes = copy.add(body.elements.nodes, Rows::Nodes::extent(copied->elements));
  if (wanted.neighbours)
    copied->neighbours = copy.add(body.elements.neighbours, Rows::Neighbours::extent(copied->elements));
  copied->fragment = copy.add(body.fragments.of_element.buffer(), elements);
  if (wanted.any_stress() || wanted.state_fields)
    copied->materials = body.materials.copy(copy, body.halo.material_ranges());
  copied->cohesive_rows = copy.add(body.elements.cohesive_rows, cohesive);
  copied->frame = copy.add(body.cohesive.frame, FacetFrame::numbers * cohesive);
  copied->factors = copy.add(body.cohesive.factors, cohesive);
  copied->opening = copy.add(body.cohesive.opening, FacetGauss::points * cohesive);
  copied->traction = copy.add(body.cohesive.traction, FacetGauss::points * cohesive);
  copied->law = body.cohesive.copy_law(copy, copied->cohesive);
  copied->failed = copy.add(body.cohesive.failed, cohesive);
  copied->insertion_step = copy.add(body.cohesive.insertion_step, cohesive);
  return copied;
}

}  // namespace cleave::inline CLEAVE_PRECISION
