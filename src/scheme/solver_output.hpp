/// SolverBase: energies, counts, faults and fields.
#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <string>

#include "cleave/core/error.hpp"
#include "kernels/fragments.hpp"
#include "scheme/solver_base.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Adds what cohesive elements report to `sums`, adds all of them up, and counts fragments. Only failures make
/// fragments: after the start these are counted when the number of failed elements has changed.
/// @param gauss_work  see CohesiveEnergy
template <class Backend, class Element, class Law>
void SolverBase<Backend, Element, Law>::launch_cohesive_sums(SumTables& sums, const double* gauss_work) {
  const CohesiveEnergy<Law> cohesive = cohesive_energy(gauss_work);
  if (cohesive_.count > 0) backend_.launch(cohesive);
  sums.add(cohesive.sums, cohesive_.count > 0 ? cohesive.blocks() : 0);
  sums.totals = &report_.data()->totals;
  sums.watched = Quantity::failed_elements;
  sums.changed = &report_.data()->failed_changed;
  backend_.launch(sums);
  if (cohesive_.count > 0) launch_fragments();
}

/// Counts fragments if the last sums ask for it.
template <class Backend, class Element, class Law>
void SolverBase<Backend, Element, Law>::launch_fragments() {
  const Index* due = &report_.data()->failed_changed;
  Index* const fragment = elements_.fragment.data();
  Index* const count = &report_.data()->fragments;
  const HoldingFacets<Element> facets{elements_.table(), cohesive_.failed.data()};
  backend_.launch(Guarded{due, StartFragments<Element>{facets, fragment, count}});
  backend_.launch(Guarded{due, JoinFragments<Element>{facets, fragment}});
  backend_.launch(Guarded{due, FinishFragments{elements_.count, fragment, count}});
}

template <class Backend, class Element, class Law>
CohesiveEnergy<Law> SolverBase<Backend, Element, Law>::cohesive_energy(const double* gauss_work) {
  return {cohesive_.capacity(),
          &report_.data()->live.cohesive,
          law_,
          cohesive_.table(),
          thickness_,
          gauss_work,
          cohesive_.failed.data(),
          {{cohesive_sums_.data()}},
          cracks_.work.data()};
}

inline void assign(double& value, double total) { value = total; }
template <std::integral Count>
void assign(Count& value, double total) {
  value = static_cast<Count>(std::llround(total));
}

/// The row of the present step: what kernels have added up, then what the host knows and what follows from both.
template <class Backend, class Element, class Law>
HistoryRow SolverBase<Backend, Element, Law>::row_of(const DeviceStatus& status) {
  HistoryRow row;
  for_each_quantity(row, [&](Quantity q, auto& value) { assign(value, status.totals[q]); });
  row.step = step_;
  row.time = step_ * dt_;
  row.nodes = nodes_.count;
  row.cohesive_elements = cohesive_.count;
  row.fragments = status.fragments;
  row.dissipated_energy = row.cohesive_work - row.recoverable_energy;
  row.balance_error = balance_error(row);
  return row;
}

/// The energy identity of a row, relative to the largest energy so far; the row of step 0 says where it begins.
template <class Backend, class Element, class Law>
double SolverBase<Backend, Element, Law>::balance_error(const HistoryRow& row) {
  const double corrected = row.kinetic_energy - row.kinetic_correction;
  if (row.step == 0) initial_kinetic_ = corrected;
  double balance = corrected - initial_kinetic_;
  for (const double energy : {row.kinetic_energy, row.strain_energy})
    largest_energy_ = std::max(largest_energy_, std::fabs(energy));
  for_each_quantity(row, [&](Quantity q, double value) {
    const int sign = info_of(q).identity_sign;
    if (sign == 0) return;
    balance += sign * value;
    largest_energy_ = std::max(largest_energy_, std::fabs(value));
  });
  return largest_energy_ > 0 ? balance / largest_energy_ : 0;
}

/// Throws NumericalError for a fault in the last report.
template <class Backend, class Element, class Law>
void SolverBase<Backend, Element, Law>::throw_on_fault() const {
  const FaultRecord fault = seen_.fault;
  if (fault.code == 0) return;
  const std::string where = " element " + std::to_string(fault.element) +
                            (fault.step != FaultRecord::unknown_step ? " at step " + std::to_string(fault.step)
                                                                     : " at or before step " + std::to_string(step_));
  if (fault.code == static_cast<Index>(FaultCode::inverted_element))
    throw NumericalError("inverted:" + where +
                         " has turned inside out. Use a smaller time step or a finer mesh there.");
  throw NumericalError("broken topology: the walk around a node of" + where + " does not end.");
}

/// The fields of the present step but the masses; stresses of nodes must have been added up.
template <class Backend, class Element, class Law>
Snapshot SolverBase<Backend, Element, Law>::fields() {
  constexpr int points = FacetGauss::points;
  const auto to_points = [](const std::vector<Vec2>& values) {
    std::vector<Point> out;
    out.reserve(values.size());
    for (const Vec2& v : values) out.push_back({v.x, v.y});
    return out;
  };

  Snapshot s;
  s.step = step_;
  s.time = step_ * dt_;
  s.type = Element::type;
  s.position = to_points(nodes_.position.download(nodes_.count));
  s.displacement = to_points(nodes_.displacement.download(nodes_.count));
  s.velocity = to_points(nodes_.velocity.download(nodes_.count));
  auto sums = nodes_.stress_sum.download(NodalStressTable::extent(nodes_.count));
  for (Index n = 0; n < nodes_.count; ++n) {
    const Sym2 mean = mean_stress({sums.data()}, n);
    s.nodal_stress.push_back({mean.xx, mean.yy, mean.xy});
  }

  using Rows = ElementTable<Element>;
  auto nodes = elements_.nodes.download(Rows::Nodes::extent(elements_.count));
  auto neighbours = elements_.neighbours.download(Rows::Neighbours::extent(elements_.count));
  auto cohesive_rows = elements_.cohesive_rows.download(cohesive_.count);
  const Rows table{{nodes.data()}, {neighbours.data()}, nullptr, cohesive_rows.data(), elements_.count};
  const auto reference = nodes_.position.download(nodes_.count);
  const auto moved = nodes_.displacement.download(nodes_.count);
  for (Index e = 0; e < elements_.count; ++e) {
    for (int i = 0; i < Element::nodes; ++i) s.elements.push_back(table.node(e, i));
    for (int k = 0; k < 3; ++k) s.neighbours.push_back(table.neighbour(e, k));
    Vec2 x[Element::nodes], u[Element::nodes];
    table.gather(e, reference.data(), x);
    table.gather(e, moved.data(), u);
    PlaneTensor mean;
    double energy = 0, area = 0;
    for (int q = 0; q < Element::gauss_points; ++q) {
      const auto g = Element::gradients(x, q);
      const auto d = displacement_gradient(g, u);
      const Sym2 stress = material_.stress(d.xx, d.yy, d.shear());
      mean.xx += stress.xx / Element::gauss_points;
      mean.yy += stress.yy / Element::gauss_points;
      mean.xy += stress.xy / Element::gauss_points;
      energy += g.area * energy_density(material_, d);
      area += g.area;
    }
    s.element_stress.push_back(mean);
    s.energy_density.push_back(energy / area);
  }
  s.fragment = elements_.fragment.download(elements_.count);

  const Index count = cohesive_.count;
  auto frame = cohesive_.frame.download(3 * static_cast<std::size_t>(count));
  auto opening = cohesive_.opening.download(points * static_cast<std::size_t>(count));
  auto traction = cohesive_.traction.download(points * static_cast<std::size_t>(count));
  auto states = cohesive_.state.download(points * static_cast<std::size_t>(count));
  auto failed = cohesive_.failed.download(count);
  auto inserted = cohesive_.insertion_step.download(count);
  for (Index c = 0; c < count; ++c) {
    Snapshot::Cohesive row;
    row.facet_a = table.cohesive_facet(c, 0);
    row.facet_b = table.cohesive_facet(c, 1);
    for (int i = 0; i < 2 * Element::facet_nodes; ++i)
      row.nodes[i] = table.cohesive_node(c, i / Element::facet_nodes, i % Element::facet_nodes);
    row.failed = failed[c] != 0;
    row.insertion_step = inserted[c];
    row.length = 2 * frame[3 * static_cast<std::size_t>(c) + 2];
    for (int q = 0; q < points; ++q) {
      const std::size_t p = static_cast<std::size_t>(c) * points + q;
      row.opening_normal += opening[p].x / points;
      row.opening_tangential += opening[p].y / points;
      row.traction_normal += traction[p].x / points;
      row.traction_tangential += traction[p].y / points;
      row.damage += law_.damage(states[p]) / points;
    }
    s.cohesive.push_back(row);
  }
  return s;
}

}  // namespace cleave::inline CLEAVE_PRECISION
