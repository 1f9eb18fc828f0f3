/// Pipeline: the gather assembly.
///
/// Between two looks at the state nodes hold u(n+1) and v(n+1/2), and a step is two launches (three with cohesive
/// elements). Runs of steps are recorded and replayed: what changes from step to step is read from memory.
#pragma once

#include "kernels/mass.hpp"
#include "scheme/pipeline.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// n steps from a state that somebody looked at to the next one.
template <class Backend, class Element, class Law>
void Pipeline<Backend, Element, Law>::gather_steps(Step n) {
  if (n == 0) return;
  const Step last = step_ + n;
  Step from = step_ + 1, stop = from;  // forces at `from` come next; the first segment may be a displacement update only
  for (bool first = true;; first = false) {
    while (stop < last && !check_is_due(stop) && stop - from < longest_segment) ++stop;
    gather_segment(first, from, stop);
    step_ = stop;
    if (check_is_due(stop)) insert_if_any();
    if (stop == last) break;
    from = stop++;
  }
  set_inputs(last, 1);
  launch_gather_step<true>(0);
}

/// Launches the displacement update (of a first segment), the steps from..stop-1, and a fracture check due at `stop`.
template <class Backend, class Element, class Law>
void Pipeline<Backend, Element, Law>::gather_segment(bool first, Step from, Step stop) {
  const bool check = check_is_due(stop);
  const int steps = static_cast<int>(stop - from);
  set_inputs(from, steps);
  backend_.replay(recordings_[{first, steps, check, cohesive_.count > 0}], [&] {
    if (first)
      backend_.launch(ResumeStep{gather_nodes(), gather_.live.data(), gather_.half_velocity.data(), nodes_.ledger(), Real(dt_)});
    for (int i = 0; i < steps; ++i) launch_gather_step<false>(i);
    if (check) launch_fracture_check();
  });
}

/// Puts what the outside does at `count` steps from `first` on where the launches read it.
template <class Backend, class Element, class Law>
void Pipeline<Backend, Element, Law>::set_inputs(Step first, int count) {
  std::vector<Real> values;
  for (Step s = first; s < first + count; ++s) {
    const MotionState motion = motion_at(motions_, s, dt_);
    const std::size_t entries = motions_.size() + 1;
    values.insert(values.end(), motion.velocity, motion.velocity + entries);
    values.insert(values.end(), motion.acceleration, motion.acceleration + entries);
    for (const Load& load : loads_) values.push_back(load.pressure * load.curve.value(s * dt_) * thickness_);
  }
  const bool there = values.size() <= gather_.inputs_there.size() &&
                     std::equal(values.begin(), values.end(), gather_.inputs_there.begin());
  if (there) return;
  gather_.inputs.upload(values);
  gather_.inputs_there = values;
}

/// The nodes, counted up to their capacity: how many are in use, launches read from memory.
template <class Backend, class Element, class Law>
NodeTable Pipeline<Backend, Element, Law>::gather_nodes() {
  NodeTable nodes = nodes_.table();
  nodes.count = gather_.capacity();
  return nodes;
}

/// Forces, then velocities and (unless the step finishes) displacements. `row` of the inputs belongs to the step.
template <class Backend, class Element, class Law>
template <bool Finish>
void Pipeline<Backend, Element, Law>::launch_gather_step(int row) {
  const int entries = static_cast<int>(motions_.size()) + 1;
  const StepInput input{gather_.inputs.data() + row * StepInput::width(entries, gather_.loads), entries, gather_.loads,
                        gather_.load_force.data(), gather_.capacity()};
  const NodeStep<Finish> node{gather_nodes(), gather_.inverse_mass.data(), gather_.flags.data(), input,
                              static_cast<Real>(dt_), gather_.half_velocity.data(), step_ == 0 && Finish};
  if (cohesive_.count > 0)
    backend_.launch(CohesiveStep<Element, Law>{elements_.table(), cohesive_.capacity(), gather_.live.data(),
                                               nodes_.displacement.data(), law_, cohesive_.table(), thickness_,
                                               gather_.cohesive_force.data(), gather_.cohesive_work.data()});
  backend_.launch(BlockStep<Element, Law, Finish>{elements_.table(), gather_.block_table(), gather_.slots(),
                                                  {gather_.gradients.data()}, elements_.touches_cohesive.data(),
                                                  {gather_.cohesive_force.data()}, material_, node,
                                                  gather_.slot_force.data(), gather_.block_ledger()});
  backend_.launch(SharedNodeStep<Finish>{gather_.first_shared, gather_.live.data(), gather_.range.data(),
                                         gather_.slot_force.data(), node, gather_.shared_ledger()});
}

template <class Backend, class Element, class Law>
void Pipeline<Backend, Element, Law>::gather_nodal_stress() {
  const NodeStress node{gather_.range.data(), {nodes_.stress_sum.data()}, criterion_, nodes_.flagged.data(),
                        &counters_.data()->flagged_nodes};
  backend_.launch(BlockStress<Element>{elements_.table(), gather_.block_table(), gather_.slots(),
                                       nodes_.position.data(), nodes_.displacement.data(), material_, node,
                                       gather_.slot_stress.data(), {elements_.stress.data()}, fault_.data()});
  backend_.launch(SharedNodeStress{gather_.first_shared, gather_.capacity(), gather_.live.data(), node,
                                   gather_.slot_stress.data()});
}

/// Loads by node, inverse masses and flags: what insertion changes besides the slots.
template <class Backend, class Element, class Law>
void Pipeline<Backend, Element, Law>::gather_node_constants() {
  gather_.live.upload({LiveCounts{nodes_.count, cohesive_.count}});
  for (int l = 0; l < gather_.loads; ++l) {
    backend_.launch(Fill<Vec2>{gather_.load_of(l), nodes_.count, Vec2{}});
    push(loads_[l], 1, gather_.load_of(l));
  }
  backend_.launch(NodeConstants{nodes_.count, nodes_.mass.data(), nodes_.motion_x.data(), nodes_.motion_y.data(),
                                gather_.loads, gather_.load_force.data(), gather_.capacity(),
                                gather_.inverse_mass.data(), gather_.flags.data()});
}

/// New slots and masses of the nodes that an insertion pass split, and of their copies.
template <class Backend, class Element, class Law>
void Pipeline<Backend, Element, Law>::gather_relist(Index copy_slots, Index first_copy) {
  const ChangedNodes changed = gather_.changed(&counters_.data()->changed_nodes);
  backend_.launch(MarkChanged{copy_slots, first_copy, scratch_.used.data(), scratch_.rank.data(),
                              scratch_.origin.data(), changed});
  backend_.launch(ListIncident<Element>{elements_.table(), changed});
  backend_.launch(RelistNodes<Element>{changed, read_counters().changed_nodes, gather_.original_nodes,
                                       gather_.first_free, gather_.slots(), gather_.first_shared, gather_.range.data(),
                                       elements_.mass.data(), nodes_.mass.data(), gather_.inverse_mass.data()});
  gather_node_constants();
}

}  // namespace cleave::inline CLEAVE_PRECISION
