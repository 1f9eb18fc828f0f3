/// Pipeline: energies, counts and faults.
#pragma once

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "cleave/core/error.hpp"
#include "kernels/fragments.hpp"
#include "scheme/pipeline.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Adds up energies and works into the report. Only failures make fragments: after the start these are counted when the
/// number of failed elements has changed.
template <class Backend, class Element, class Law>
void Pipeline<Backend, Element, Law>::launch_sums() {
  SumTables all;  // in the order of Report::Total
  all.totals = report_.data()->totals;
  const Index blocks = node_blocks(nodes_.count);
  if (gathers()) {
    // The step that somebody looks at has left what its blocks report. Rows that are not in use are zero.
    const Index rows = gather_.work_rows(gather_.capacity());
    all.add(gather_.report.data(), rows, BlockReport::kinds);
    all.add(nullptr, 0, WorkLedger::kinds);
  } else {
    const StrainEnergy<Element> strain{elements_.table(), nodes_.position.data(), nodes_.displacement.data(), material_,
                                       thickness_,        strain_sums_.data(),    &report_.data()->fault};
    kinetic_sums_.resize(2 * blocks);
    backend_.launch(KineticEnergy{nodes_.table(), Real(dt_), {kinetic_sums_.data()}});
    backend_.launch(strain);
    all.add(nullptr, 0, LaneLedger::kinds);
    all.add(kinetic_sums_.data(), blocks, 2);
    all.add(strain_sums_.data(), strain.blocks(), 1);
    all.add(nodes_.work.data(), blocks, WorkLedger::kinds);
  }
  const CohesiveEnergy<Law> cohesive = cohesive_energy();
  if (cohesive_.count > 0) backend_.launch(cohesive);
  all.add(cohesive_sums_.data(), cohesive_.count > 0 ? cohesive.blocks() : 0, CohesiveEnergy<Law>::quantities);
  all.watched = Report::failed;
  all.changed = &report_.data()->more_failed;
  backend_.launch(all);

  if (cohesive_.count > 0) launch_fragments();
}

/// Counts fragments if the last sums ask for it.
template <class Backend, class Element, class Law>
void Pipeline<Backend, Element, Law>::launch_fragments() {
  const Index* due = &report_.data()->more_failed;
  Index* const fragment = elements_.fragment.data();
  Index* const count = &report_.data()->fragments;
  const HoldingFacets<Element> facets{elements_.table(), cohesive_.failed.data()};
  backend_.launch(Guarded{due, StartFragments<Element>{facets, fragment, count}});
  backend_.launch(Guarded{due, JoinFragments<Element>{facets, fragment}});
  backend_.launch(Guarded{due, FinishFragments{elements_.count, fragment, count}});
}

template <class Backend, class Element, class Law>
CohesiveEnergy<Law> Pipeline<Backend, Element, Law>::cohesive_energy() {
  const double* work = gathers() ? gather_.cohesive_work.data() : nullptr;
  return {cohesive_.capacity(),    &report_.data()->live.cohesive, law_, cohesive_.table(), thickness_, work,
          cohesive_.failed.data(), {cohesive_sums_.data()}};
}

/// Waits for the launches so far and reads what they report.
template <class Backend, class Element, class Law>
void Pipeline<Backend, Element, Law>::read_report() {
  backend_.post(report_);
  collect_report();
}

/// Waits for the first report that was posted and not collected.
template <class Backend, class Element, class Law>
void Pipeline<Backend, Element, Law>::collect_report() {
  seen_ = backend_.collect(report_);
  if (gathers()) {
    nodes_.count = seen_.live.nodes;
    cohesive_.count = seen_.live.cohesive;
    gather_.slots_in_memory = seen_.live.slots;
  }
}

template <class Backend, class Element, class Law>
HistoryRow Pipeline<Backend, Element, Law>::history() {
  // A gathered run has its sums from the look at this step.
  if (gathers()) {
    if (begin_ == Begin::forces) throw std::logic_error("a row is asked for at a step that nobody looked at");
  } else {
    launch_sums();
    read_report();
  }
  const double* total = seen_.totals;
  const double* works = total + Report::works;
  // A gathered run knows the work of internal and cohesive forces together at nodes, and that of cohesive forces at
  // cohesive elements.
  const double gauss_work = total[Report::gauss_work];

  HistoryRow row;
  row.step = step_;
  row.time = step_ * dt_;
  row.kinetic_energy = total[Report::kinetic];
  row.kinetic_correction = total[Report::correction];
  row.strain_energy = total[Report::strain];
  row.internal_work = total[Report::internal] + works[WorkLedger::internal] - gauss_work;
  row.cohesive_work = works[WorkLedger::cohesive] + gauss_work;
  row.external_work = total[Report::external] + works[WorkLedger::external];
  row.reaction_work = total[Report::reaction] + works[WorkLedger::reaction];
  row.recoverable_energy = total[Report::recoverable];
  row.cohesive_account = total[Report::account];
  row.dissipated_energy = row.cohesive_work - row.recoverable_energy;
  row.nodes = nodes_.count;
  row.cohesive_elements = cohesive_.count;
  row.failed_elements = static_cast<Index>(std::lround(total[Report::failed]));
  row.crack_length = total[Report::length];
  row.fragments = seen_.fragments;

  const double corrected = row.kinetic_energy - row.kinetic_correction;
  if (step_ == 0) initial_kinetic_ = corrected;
  for (double energy : {row.kinetic_energy, row.strain_energy, row.internal_work, row.cohesive_work, row.external_work,
                        row.reaction_work})
    largest_energy_ = std::max(largest_energy_, std::fabs(energy));
  const double balance =
      corrected - initial_kinetic_ + row.internal_work + row.cohesive_work - row.external_work - row.reaction_work;
  row.balance_error = largest_energy_ > 0 ? balance / largest_energy_ : 0;
  return row;
}

/// Throws NumericalError for a fault in the last report.
template <class Backend, class Element, class Law>
void Pipeline<Backend, Element, Law>::throw_on_fault() {
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

}  // namespace cleave::inline CLEAVE_PRECISION
