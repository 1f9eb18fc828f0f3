/// Pipeline: the gather assembly.
#pragma once

#include "kernels/mass.hpp"
#include "scheme/pipeline.hpp"

namespace cleave {

template <class Backend, class Element, class Law>
LoadState Pipeline<Backend, Element, Law>::loads_now() {
  LoadState state;
  state.count = static_cast<int>(loads_.size());
  for (std::size_t l = 0; l < loads_.size(); ++l) {
    state.force[l] = gather_.load_force[l].data();
    state.factor[l] = loads_[l].pressure * loads_[l].curve.value(step_ * dt_) * thickness_;
  }
  return state;
}

/// n steps from a state that somebody looked at to the next one. The first displacement update is a launch of its own,
/// the others belong to the step before them.
template <class Backend, class Element, class Law>
void Pipeline<Backend, Element, Law>::gather_steps(Step n) {
  if (n == 0) return;
  backend_.launch(DisplacementUpdate{nodes_.table(), nodes_.ledger(), dt_, dt_ / 2});
  for (Step i = 1; i <= n; ++i) {
    ++step_;
    check_fracture_when_due();
    if (i < n)
      gather_step<false>(dt_);
    else
      gather_step<true>(dt_);
  }
}

template <class Backend, class Element, class Law>
template <bool Finish>
void Pipeline<Backend, Element, Law>::gather_step(double dt) {
  motion_now_ = motion_at(motions_, step_, dt_);
  const NodeStep<Finish> node{nodes_.table(),  gather_.inverse_mass.data(), gather_.flags.data(),
                              loads_now(), motion_now_,                 static_cast<Real>(dt)};
  if (cohesive_.count > 0)
    backend_.launch(CohesiveStep<Element, Law>{elements_.table(), cohesive_.count, nodes_.displacement.data(), law_,
                                               cohesive_.table(), thickness_, gather_.cohesive_force.data(),
                                               gather_.cohesive_work.data()});
  backend_.launch(BlockStep<Element, Law, Finish>{elements_.table(), gather_.block_table(), gather_.slots(),
                                                  {gather_.gradients.data()}, elements_.touches_cohesive.data(),
                                                  {gather_.cohesive_force.data()}, material_, node,
                                                  gather_.slot_force.data(), gather_.block_ledger()});
  backend_.launch(SharedNodeStep<Finish>{gather_.first_shared, gather_.range.data(), gather_.slot_force.data(), node,
                                         gather_.shared_ledger()});
}

template <class Backend, class Element, class Law>
void Pipeline<Backend, Element, Law>::gather_nodal_stress() {
  const NodeStress node{gather_.range.data(), {nodes_.stress_sum.data()}, criterion_, nodes_.flagged.data(),
                        &counters_.data()->flagged_nodes};
  backend_.launch(BlockStress<Element>{elements_.table(), gather_.block_table(), gather_.slots(),
                                       nodes_.position.data(), nodes_.displacement.data(), material_, node,
                                       gather_.slot_stress.data(), {elements_.stress.data()}, fault_.data(), step_});
  backend_.launch(SharedNodeStress{gather_.first_shared, nodes_.count, node, gather_.slot_stress.data()});
}

/// Loads by node, inverse masses and flags: what insertion changes besides the slots.
template <class Backend, class Element, class Law>
void Pipeline<Backend, Element, Law>::gather_node_constants() {
  for (std::size_t l = 0; l < loads_.size(); ++l) {
    fill(gather_.load_force[l], nodes_.count, Vec2{});
    push(loads_[l], 1, gather_.load_force[l].data());
  }
  backend_.launch(NodeConstants{nodes_.count, nodes_.mass.data(), nodes_.motion_x.data(), nodes_.motion_y.data(),
                                loads_now(), gather_.inverse_mass.data(), gather_.flags.data()});
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

}  // namespace cleave
