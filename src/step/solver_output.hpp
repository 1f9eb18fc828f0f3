/// SolverBase: energies, counts, faults and fields.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <concepts>
#include <string>

#include "body/norms.hpp"
#include "cleave/core/error.hpp"
#include "step/solver_base.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Adds what cohesive elements report to `sums`, adds all of them up, and counts fragments. Only failures and
/// erosion make fragments: without the latter these are counted, after the start, when the number of failed elements
/// has changed.
/// @param gauss_work  see CohesiveEnergy
template <class Backend, class Element>
void SolverBase<Backend, Element>::launch_cohesive_sums(SumTables& sums, const double* gauss_work) {
  cohesive_.with_law([&](const auto& law, const auto& table) {
    const auto cohesive = this->cohesive_energy(law, table, gauss_work);
    if (cohesive_.count > 0) backend_.launch(cohesive);
    sums.add(cohesive.sums, cohesive_.count > 0 ? cohesive.blocks() : 0);
  });
  sums.totals = &report_.data()->totals;
  sums.watched = Quantity::failed_elements;
  sums.changed = &report_.data()->failed_changed;
  backend_.launch(sums);
  if (cohesive_.count > 0 || erosion_.active()) launch_fragments();
}

/// Counts fragments if the last sums ask for it; after erosion, which is not noted, of all parts anew.
template <class Backend, class Element>
void SolverBase<Backend, Element>::launch_fragments() {
  const HoldingFacets<Element> facets{.elements = elements_.table(),
                                      .failed = cohesive_.failed.data(),
                                      .flags = erosion_.active() ? elements_.flags.data() : nullptr};
  if (erosion_.active()) fragments_.mark_all(backend_);
  const DeviceGate failed_changed = DeviceGate::open_if(&report_.data()->failed_changed);
  const auto launch = [&](const auto& kernel) {
    erosion_.active() ? backend_.launch(kernel) : backend_.launch(Guarded{failed_changed, kernel});
  };
  fragments_.count(launch, facets, cohesive_.capacity(), &live()->cohesive, &report_.data()->fragments);
}

template <class Backend, class Element>
template <class Law>
CohesiveEnergy<Law> SolverBase<Backend, Element>::cohesive_energy(const Law& law, const CohesiveTable<Law>& table,
                                                                  const double* gauss_work) {
  return {cohesive_.capacity(),
          &report_.data()->live.cohesive,
          law,
          table,
          thickness_,
          gauss_work,
          cracks_.work.data(),
          friction_.work.data(),
          cohesive_.failed.data(),
          {{cohesive_sums_.data()}},
          &report_.data()->fault};
}

inline void assign(double& value, double total) { value = total; }
template <std::integral Count>
void assign(Count& value, double total) {
  value = static_cast<Count>(std::llround(total));
}

/// The row of the present step: what kernels have added up, then what the host knows and what follows from both.
template <class Backend, class Element>
HistoryRow SolverBase<Backend, Element>::row_of(const DeviceStatus& status) {
  HistoryRow row;
  for_each_quantity(row, [&](Quantity q, auto& value) { assign(value, status.totals[q]); });
  row.step = step_;
  row.time = static_cast<double>(step_) * dt_;
  row.nodes = nodes_.count;
  row.cohesive_elements = cohesive_.count;
  row.fragments = status.fragments;
  row.insertion_ratio = std::bit_cast<double>(status.largest_load);
  row.dissipated_energy = row.cohesive_work - row.recoverable_energy;
  row.balance_error = balance_error(row);
  if (row.step == 0) initial_strain_ = row.strain_energy;
  row.work_minus_energy = row.internal_work - (row.strain_energy - initial_strain_) - row.plastic_energy -
                          row.viscous_energy - row.eroded_energy;
  for (int g = 0; g < held_groups_.groups(); ++g) row.groups.push_back(status.groups[g].means());
  return row;
}

/// The energy identity of a row, relative to the largest energy so far; the row of step 0 says where it begins. Rows
/// that are made between those that are due, for a frame or at a stop, leave no trace: neither changes the rows behind
/// them.
template <class Backend, class Element>
double SolverBase<Backend, Element>::balance_error(const HistoryRow& row) {
  const double corrected = row.kinetic_energy - row.kinetic_correction;
  if (row.step == 0) initial_kinetic_ = corrected;
  double balance = corrected - initial_kinetic_;
  double largest = largest_energy_;
  for (const double energy : {row.kinetic_energy, row.strain_energy}) largest = std::max(largest, std::fabs(energy));
  for_each_quantity(row, [&](Quantity q, auto of_row) {
    const auto value = static_cast<double>(of_row);
    const int sign = info_of(q).identity_sign;
    if (sign == 0) return;
    balance += sign * value;
    largest = std::max(largest, std::fabs(value));
  });
  if (rows_every_ == 0 || row.step % rows_every_ == 0) largest_energy_ = largest;
  return largest > 0 ? balance / largest : 0;
}

/// Throws for a fault in the last report.
template <class Backend, class Element>
void SolverBase<Backend, Element>::throw_on_fault() {
  const FaultRecord fault = seen_.fault;
  if (fault.code == 0) {
    good_step_ = step_;
    return;
  }
  if (fault.code == static_cast<Index>(FaultCode::inverted_element))
    throw ElementFailure("an element has turned inside out", fault.element, step_, good_step_);
  if (fault.code == static_cast<Index>(FaultCode::healed_facet))
    throw NumericalError(
        "the cohesive law takes back that a facet has failed: once its `failed` is true of all three Gauss points, it "
        "must stay so");
  throw NumericalError("broken topology: the walk around a node of an element does not end");
}

template <class Backend, class Element>
Deformation SolverBase<Backend, Element>::largest_deformation() {
  const ElementRange range = own_elements();
  backend_.launch(LargestDeformation<Element>{.elements = elements_.table(),
                                              .position = nodes_.position.data(),
                                              .displacement = nodes_.displacement.data(),
                                              .flags = elements_.flags.data(),
                                              .range = range,
                                              .rows = deformation_.data()});
  const Index blocks = LargestDeformation<Element>::blocks_of(range.size());
  backend_.launch(LargestRow{deformation_.data(), blocks});
  std::vector<DeformationRow> rows = deformation_.download(std::min(blocks, Index{1}));
  if (shared_.active()) rows = shared_.records_of_all(rows);
  DeformationRow all{};
  for (const DeformationRow& row : rows) all.include(row);
  return {all.strain, std::acos(1 - all.turn), all.strain_element, all.turn_element};
}

template <class Backend, class Element>
std::vector<FieldNorms> SolverBase<Backend, Element>::field_norms() {
  const auto of = [&](Index size, const auto& field) { return backend_.reduce(size, field, NormSums{}).norms(); };
  const NormsOfStrain<Element> strain{elements_.table(), nodes_.position.data(), nodes_.displacement.data(),
                                      elements_.flags.data()};
  return {{"displacement", "m", of(nodes_.count, NormsOfLengths{nodes_.displacement.data()})},
          {"velocity", "m/s", of(nodes_.count, NormsOfLengths{nodes_.velocity.data()})},
          {"strain", "1", of(elements_.count, strain)}};
}

/// Copies what fields are made of but the masses; stresses of nodes must have been added up. A solver adds what it has
/// itself, and then starts the copy.
template <class Backend, class Element>
auto SolverBase<Backend, Element>::copy_state(Step step, const SnapshotParts& wanted) -> std::shared_ptr<Copied> {
  using Rows = ElementTable<Element>;
  fragments_.label(backend_);
  const auto copied = std::make_shared<Copied>(element_scale_, wanted);
  copied->step = step;
  copied->time = static_cast<double>(step) * dt_;
  copied->finite = finite_;
  copied->centre = centre_;
  copied->nodes = nodes_.count;
  copied->elements = elements_.count;
  copied->cohesive = cohesive_.count;
  copied->stress_rows = fracture_.stress_rows;
  auto& copy = copied->copy;
  const auto nodes = static_cast<std::size_t>(nodes_.count), elements = static_cast<std::size_t>(elements_.count);
  const auto cohesive = static_cast<std::size_t>(cohesive_.count);
  copied->position = copy.add(nodes_.position, nodes);
  copied->displacement = copy.add(nodes_.displacement, nodes);
  copied->velocity = copy.add(nodes_.velocity, nodes);
  if (wanted.nodal_stress) copied->stress_sum = copy.add(fracture_.stress_sum, fracture_.stress_extent(nodes_.count));
  copied->element_nodes = copy.add(elements_.nodes, Rows::Nodes::extent(elements_.count));
  if (wanted.neighbours) copied->neighbours = copy.add(elements_.neighbours, Rows::Neighbours::extent(elements_.count));
  copied->fragment = copy.add(fragments_.of_element, elements);
  if (wanted.any_stress() || wanted.state_fields) copied->materials = materials_.copy(copy);
  copied->cohesive_rows = copy.add(elements_.cohesive_rows, cohesive);
  copied->frame = copy.add(cohesive_.frame, 3 * cohesive);
  copied->factors = copy.add(cohesive_.factors, cohesive);
  copied->opening = copy.add(cohesive_.opening, FacetGauss::points * cohesive);
  copied->traction = copy.add(cohesive_.traction, FacetGauss::points * cohesive);
  copied->law = cohesive_.copy_law(copy);
  copied->failed = copy.add(cohesive_.failed, cohesive);
  copied->insertion_step = copy.add(cohesive_.insertion_step, cohesive);
  return copied;
}

}  // namespace cleave::inline CLEAVE_PRECISION
