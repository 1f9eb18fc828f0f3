/// Pipeline: energies, counts and faults.
#pragma once

#include <algorithm>
#include <cmath>

#include "cleave/core/error.hpp"
#include "kernels/fragments.hpp"
#include "scheme/pipeline.hpp"

namespace cleave::inline CLEAVE_PRECISION {

template <class Backend, class Element, class Law>
Index Pipeline<Backend, Element, Law>::count_fragments() {
  fill(counters_, 1, Counters{});
  backend_.launch(StartFragments{elements_.count, elements_.fragment.data()});
  backend_.launch(JoinFragments<Element>{elements_.table(), cohesive_.failed.data(), elements_.fragment.data()});
  backend_.launch(FinishFragments{elements_.count, elements_.fragment.data(), &counters_.data()->fragments});
  return read_counters().fragments;
}

template <class Backend, class Element, class Law>
HistoryRow Pipeline<Backend, Element, Law>::history() {
  constexpr int kinetic = 0, correction = 1, strain = 2, works = 3, recoverable = works + WorkLedger::kinds;
  constexpr int failed = recoverable + 1, length = recoverable + 2, block_works = recoverable + 3;
  constexpr int gathered = block_works + WorkLedger::kinds, quantities = gathered + 1;
  using Strain = StrainEnergy<Element>;
  using Cohesive = CohesiveEnergy<Law>;
  const Index blocks = node_blocks(nodes_.count);
  const Strain strain_energy{elements_.table(), nodes_.position.data(), nodes_.displacement.data(), material_,
                             thickness_, strain_sums_.data(), fault_.data()};
  totals_.resize(quantities);
  kinetic_sums_.resize(2 * blocks);

  Cohesive cohesive_energy{cohesive_.count, law_, cohesive_.table(), thickness_, cohesive_.failed.data(), {}};
  cohesive_sums_.resize(Cohesive::quantities * cohesive_energy.blocks());
  cohesive_energy.sums = {cohesive_sums_.data()};
  backend_.launch(KineticEnergy{nodes_.table(), Real(dt_), {kinetic_sums_.data()}});
  backend_.launch(strain_energy);
  backend_.launch(cohesive_energy);

  SumTables all;  // in the order of the constants above
  all.totals = totals_.data();
  all.add(kinetic_sums_.data(), blocks, 2);
  all.add(strain_sums_.data(), strain_energy.blocks(), 1);
  all.add(nodes_.work.data(), blocks, WorkLedger::kinds);
  all.add(cohesive_sums_.data(), cohesive_energy.blocks(), Cohesive::quantities);
  if (gathers()) {
    all.add(gather_.work.data(), gather_.work_rows(nodes_.count), WorkLedger::kinds);
    all.add(gather_.cohesive_work.data(), FacetGauss::points * cohesive_.count, 1);
  }
  backend_.launch(all);
  std::vector<double> total = backend_.read(totals_, quantities);
  if (gathers()) {
    // Nodes know the work of internal and cohesive forces together, cohesive elements their own.
    for (int kind = 0; kind < WorkLedger::kinds; ++kind) total[works + kind] += total[block_works + kind];
    total[works + WorkLedger::cohesive] += total[gathered];
    total[works + WorkLedger::internal] -= total[gathered];
  }

  HistoryRow row;
  row.step = step_;
  row.time = step_ * dt_;
  row.kinetic_energy = total[kinetic];
  row.kinetic_correction = total[correction];
  row.strain_energy = total[strain];
  row.internal_work = total[works + WorkLedger::internal];
  row.cohesive_work = total[works + WorkLedger::cohesive];
  row.external_work = total[works + WorkLedger::external];
  row.reaction_work = total[works + WorkLedger::reaction];
  row.recoverable_energy = total[recoverable];
  row.dissipated_energy = row.cohesive_work - row.recoverable_energy;
  row.nodes = nodes_.count;
  row.cohesive_elements = cohesive_.count;
  row.failed_elements = static_cast<Index>(std::lround(total[failed]));
  row.crack_length = total[length];
  if (row.failed_elements != failed_elements_) fragments_ = count_fragments();
  failed_elements_ = row.failed_elements;
  row.fragments = fragments_;

  const double corrected = row.kinetic_energy - row.kinetic_correction;
  if (step_ == 0) initial_kinetic_ = corrected;
  for (double energy : {row.kinetic_energy, row.strain_energy, row.internal_work, row.cohesive_work, row.external_work,
                        row.reaction_work})
    largest_energy_ = std::max(largest_energy_, std::fabs(energy));
  const double balance = corrected - initial_kinetic_ + row.internal_work + row.cohesive_work - row.external_work -
                         row.reaction_work;
  row.balance_error = largest_energy_ > 0 ? balance / largest_energy_ : 0;
  return row;
}

template <class Backend, class Element, class Law>
void Pipeline<Backend, Element, Law>::throw_on_fault() {
  const FaultRecord fault = backend_.read(fault_, 1)[0];
  if (fault.code == 0) return;
  const std::string where =
      " element " + std::to_string(fault.element) +
      (fault.step != FaultRecord::unknown_step ? " at step " + std::to_string(fault.step)
                                               : " at or before step " + std::to_string(step_));
  if (fault.code == static_cast<Index>(FaultCode::inverted_element))
    throw NumericalError("inverted:" + where + " has turned inside out. Use a smaller time step or a finer mesh there.");
  throw NumericalError("broken topology: the walk around a node of" + where + " does not end.");
}

}  // namespace cleave::inline CLEAVE_PRECISION
