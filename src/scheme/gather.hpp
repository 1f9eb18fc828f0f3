/// Pipeline: the gather assembly.
///
/// Unless somebody looks at the state, nodes hold u(n+1) and v(n+1/2), and a step is two launches (three with cohesive
/// elements). Runs of steps are recorded and replayed: what changes from step to step is read from memory.
#pragma once

#include "cleave/lockstep/in_turn.hpp"
#include "scheme/fracture.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// n steps, cut into segments that end where a fracture check is due or somebody looks.
template <class Backend, class Element, class Law>
void Pipeline<Backend, Element, Law>::gather_steps(Step n, Look look) {
  const Step last = step_ + n;
  while (step_ < last) {
    const Step from = begin_ == Begin::forces ? step_ : step_ + 1;  // the step whose forces come next
    Step stop = step_ + 1;
    while (stop < last && !check_is_due(stop) && stop - from < longest_segment) ++stop;
    const Look here = stop == last ? look : Look::none;
    gather_segment(from, stop, here);
    step_ = stop;
    begin_ = here == Look::none ? Begin::forces : here == Look::row ? Begin::after_row : Begin::after_state;
    if (check_is_due(stop) || here != Look::none) read_report();
    if (!check_is_due(stop) || seen_.counters.fractured_facets == 0) continue;
    insert_if_any();
    if (here == Look::none) continue;
    backend_.replay(looks_[here], [&] {
      backend_.launch(ClearCounters{report_.data(), 0});
      launch_look(here);
    });
    read_report();
  }
}

/// Launches what follows the last look, the steps from..stop-1, a fracture check if it is due at `stop`, and what is
/// wanted of that step. The look comes to nothing when facets break.
template <class Backend, class Element, class Law>
void Pipeline<Backend, Element, Law>::gather_segment(Step from, Step stop, Look look) {
  const bool check = check_is_due(stop);
  const int steps = static_cast<int>(stop - from), first = begin_ == Begin::forces ? 0 : 1;  // rows of the inputs
  if (stop >= gather_.end_input) provide_inputs(from - 1, from - first);
  backend_.replay(recordings_[{begin_, steps, check, look, cohesive_.count > 0}], [&] {
    if (begin_ == Begin::after_state)
      backend_.launch(ResumeStep{gather_.block_table(), gather_.first_shared, live(), node_step<Look::none>(0, false),
                                 gather_.block_ledger()});
    for (int i = 0; i < steps; ++i) launch_gather_step<Look::none>(first + i);
    backend_.launch(ClearCounters{report_.data(), first + steps});
    if (check) launch_fracture_check();
    if (look != Look::none) launch_look(look);
  });
}

/// The step that somebody looks at, and the sums.
template <class Backend, class Element, class Law>
void Pipeline<Backend, Element, Law>::launch_look(Look look, bool start) {
  if (look == Look::row)
    launch_gather_step<Look::row>(0);
  else
    launch_gather_step<Look::state>(0, start);
  launch_sums();
}

/// Throws std::logic_error when the state of the present step has not been kept.
template <class Backend, class Element, class Law>
void Pipeline<Backend, Element, Law>::need_state() const {
  if (begin_ != Begin::after_state) throw std::logic_error("the state is asked for at a step that was not stopped at");
}

/// Puts what the outside does from step `first` on where the launches read it; the run is at step `now`.
template <class Backend, class Element, class Law>
void Pipeline<Backend, Element, Law>::provide_inputs(Step first, Step now) {
  std::vector<Real> values;
  for (Step s = first; s < first + inputs_ahead; ++s) {
    const MotionState motion = motion_at(motions_, s, dt_);
    const std::size_t entries = motions_.size() + 1;
    values.insert(values.end(), motion.velocity, motion.velocity + entries);
    values.insert(values.end(), motion.acceleration, motion.acceleration + entries);
    for (const Load& load : loads_) values.push_back(load.pressure * load.curve.value(s * dt_) * thickness_);
  }
  gather_.inputs.upload(values);
  gather_.end_input = first + inputs_ahead;
  backend_.launch(Fill<Index>{&live()->row, 1, static_cast<Index>(now - first)});
}

/// The nodes, counted up to their capacity: how many are in use, launches read from memory.
template <class Backend, class Element, class Law>
NodeTable Pipeline<Backend, Element, Law>::gather_nodes() {
  NodeTable nodes = nodes_.table();
  nodes.count = gather_.capacity();
  return nodes;
}

/// @param step  of the recording: whose row of the inputs it is, counted from the present one
template <class Backend, class Element, class Law>
template <Look look>
NodeStep<look> Pipeline<Backend, Element, Law>::node_step(int step, bool start) {
  const int entries = static_cast<int>(motions_.size()) + 1;
  const StepInput input{gather_.inputs.data(),     &live()->row,      step, entries, gather_.loads,
                        gather_.load_force.data(), gather_.capacity()};
  return {gather_nodes(),
          gather_.inverse_mass.data(),
          gather_.flags.data(),
          input,
          Real(dt_),
          {gather_.half_velocity.data(), gather_.moved.data()},
          start};
}

/// Forces of a step of a recording, or at the start; then velocities and, unless the state is wanted, displacements.
template <class Backend, class Element, class Law>
template <Look look>
void Pipeline<Backend, Element, Law>::launch_gather_step(int step, bool start) {
  const NodeStep<look> node = node_step<look>(step, start);
  const Index* hold = &report_.data()->counters.fractured_facets;
  if (cohesive_.count > 0)
    with_accounts([&](auto kept) {
      backend_.launch(CohesiveStep<Element, Law, kept>{elements_.table(), cohesive_.capacity(), live(),
                                                       nodes_.displacement.data(), law_, cohesive_.table(), thickness_,
                                                       gather_.cohesive_force.data(), gather_.cohesive_work.data(),
                                                       look == Look::none ? nullptr : hold});
    });
  backend_.launch(BlockStep<Element, look>{elements_.table(),
                                           gather_.block_table(),
                                           gather_.slots(),
                                           {gather_.gradients.data()},
                                           elements_.touches_cohesive.data(),
                                           {gather_.cohesive_force.data()},
                                           material_,
                                           node,
                                           gather_.slot_force.data(),
                                           gather_.block_ledger(),
                                           gather_.block_report(),
                                           hold,
                                           elements_.mass.data(),
                                           material_.density * thickness_,
                                           thickness_,
                                           &report_.data()->fault});
  backend_.launch(SharedNodeStep<look>{gather_.first_shared, live(), gather_.range.data(), gather_.slot_force.data(),
                                       node, gather_.shared_ledger(), gather_.shared_report(), hold});
}

template <class Backend, class Element, class Law>
void Pipeline<Backend, Element, Law>::gather_nodal_stress() {
  const NodeStress node{gather_.range.data(),
                        {nodes_.stress_sum.data()},
                        criterion_,
                        nodes_.flagged.data(),
                        &report_.data()->counters.flagged_nodes};
  backend_.launch(BlockStress<Element>{elements_.table(),
                                       gather_.block_table(),
                                       gather_.slots(),
                                       nodes_.position.data(),
                                       nodes_.displacement.data(),
                                       material_,
                                       node,
                                       gather_.slot_stress.data(),
                                       {elements_.stress.data()},
                                       &report_.data()->fault});
  backend_.launch(SharedNodeStress{gather_.first_shared, gather_.capacity(), live(), node, gather_.slot_stress.data()});
}

/// Loads by node, inverse masses and flags, when the arrays are new.
template <class Backend, class Element, class Law>
void Pipeline<Backend, Element, Law>::gather_node_constants() {
  for (int l = 0; l < gather_.loads; ++l) {
    backend_.launch(Fill<Vec2>{gather_.load_of(l), nodes_.count, Vec2{}});
    push(loads_[l], 1, gather_.load_of(l));
  }
  backend_.launch(NodeConstants{nodes_.count, nodes_.mass.data(), nodes_.motion_x.data(), nodes_.motion_y.data(),
                                gather_.loads, gather_.load_force.data(), gather_.capacity(),
                                gather_.inverse_mass.data(), gather_.flags.data()});
}

/// Cuts facets and splits nodes: how the nodes of cut facets share out their elements is found node by node.
template <class Backend, class Element, class Law>
template <class CountFacets>
void Pipeline<Backend, Element, Law>::gather_insert(const ListFacets<Element>& facets_of_pass, const CountFacets& number,
                                                    const StartCohesive<Element, Law>& start) {
  gather_.reserve_claims(start.count);
  const bool by_counter = cohesive_case_->insertion.numbering == CopyNumbering::counter;
  const SplitPass<Element> pass{elements_.table(),
                                gather_.incidence(),
                                gather_.range.data(),
                                start.count,
                                cohesive_.count,
                                by_counter,
                                gather_.most_elements,
                                gather_.claim.data(),
                                gather_.claimed.data(),
                                gather_.fans.data(),
                                gather_.split_count.data(),
                                gather_.split_first.data()};
  const CutFacets<Element> cut{elements_.touches_cohesive.data(), pass};
  const GroupElements<Element> group{pass};
  const Entry<SplitCount> counts{gather_.split_count.data()};
  const SplitNodes<Element> split{pass,
                                  live(),
                                  gather_.slots(),
                                  elements_.mass.data(),
                                  node_copier(),
                                  gather_.load_force.data(),
                                  gather_.loads,
                                  gather_.capacity(),
                                  nodes_.mass.data(),
                                  gather_.inverse_mass.data(),
                                  gather_.flags.data(),
                                  &report_.data()->counters.split_loaded};
  const CountInserted count{gather_.split_first.data() + pass.claims(), start.count, live()};
  const Index listed = facets_of_pass.list.count;
  constexpr Index short_list = 1024;  // claims that one block deals with sooner than launches come one after the other
  if (pass.claims() <= short_list && by_counter) {
    backend_.launch(in_turn(ScanHere{listed, number, scratch_.first_facet.data()}, facets_of_pass, start, cut, group, split, count));
  } else if (pass.claims() <= short_list) {
    backend_.launch(in_turn(ScanHere{listed, number, scratch_.first_facet.data()}, facets_of_pass, start, cut, group, ScanHere{pass.claims() + 1, counts, gather_.split_first.data()}, split, count));
  } else {
    backend_.exclusive_scan(listed, number, scratch_.first_facet.data());
    backend_.launch(facets_of_pass);
    backend_.launch(start);
    backend_.launch(cut);
    backend_.launch(group);
    if (!by_counter) backend_.exclusive_scan(pass.claims() + 1, counts, gather_.split_first.data());
    backend_.launch(split);
    backend_.launch(count);
  }
  for (int l = 0; l < gather_.loads; ++l) {
    const Index* guard = &report_.data()->counters.split_loaded;
    backend_.launch(Guarded{guard, ClearFacetNodes<Element>{elements_.table(), loads_[l].facets.data(),
                                                            loads_[l].offsets.back(), gather_.load_of(l)}});
    for_each_group(loads_[l], [&](const Index* facets_here, Index count_here) {
      backend_.launch(Guarded{guard, Pressure<Element>{elements_.table(), facets_here, count_here, nodes_.position.data(),
                                                       1, gather_.load_of(l)}});
    });
  }
}

}  // namespace cleave::inline CLEAVE_PRECISION
