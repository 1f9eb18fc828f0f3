/// Pipeline: the gather assembly.
///
/// Unless somebody looks at the state, nodes hold u(n+1) and v(n+1/2), and a step is two launches (three with cohesive
/// elements). Runs of steps are recorded and replayed: what changes from step to step is read from memory.
#pragma once

#include "scheme/fracture.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// n steps, cut into segments that end where a fracture check is due or somebody looks. While the host waits for what a
/// segment reports, the next one is launched already; it does nothing if the host has facets to cut first.
template <class Backend, class Element, class Law>
void Pipeline<Backend, Element, Law>::gather_steps(Step n, Look look, const RowsOnTheWay& rows) {
  if (n <= 0) return;
  const Step last = step_ + n;
  Segment next = segment_from(step_, begin_, last, look, rows);
  launch_segment(next);
  while (step_ < last) {
    const Segment now = next;
    bool launched = false;
    if (now.stop < last) next = segment_from(now.stop, now.leaves(), last, look, rows);
    if (now.reports()) {
      if (now.stop < last && next.stop < gather_.end_input) {
        launch_segment(next);
        launched = true;
      }
      collect_report();
    }
    step_ = now.stop;
    begin_ = now.leaves();
    if (now.check && seen_.counters.fractured_facets != 0) {
      const Counters found = seen_.counters;
      if (launched && next.reports()) collect_report();  // of a segment that has done nothing
      launched = false;
      gather_insert_found(found);
      if (now.look != Look::none) {
        backend_.replay(looks_[now.look], [&] { launch_look(now.look); });
        read_report();
      }
    }
    if (step_ < last && !launched) launch_segment(next);
    throw_on_fault();
    if (step_ < last && now.look != Look::none) rows.take(history());
  }
}

/// The segment that begins at `step`; the last step is `last`, with its look.
template <class Backend, class Element, class Law>
auto Pipeline<Backend, Element, Law>::segment_from(Step step, Begin begin, Step last, Look look,
                                                   const RowsOnTheWay& rows) const -> Segment {
  const Step from = begin == Begin::forces ? step : step + 1;
  Step stop = step + 1;
  while (stop < last && !check_is_due(stop) && !rows.due(stop) && stop - from < longest_segment) ++stop;
  const Look here = stop == last ? look : rows.due(stop) ? Look::row : Look::none;
  return {begin, from, stop, check_is_due(stop), here};
}

/// Launches what follows the last look, the steps, a fracture check with a short insertion if it is due, and what is
/// wanted of the last step, which comes to nothing when there are facets left that break.
template <class Backend, class Element, class Law>
void Pipeline<Backend, Element, Law>::launch_segment(const Segment& segment) {
  const int steps = static_cast<int>(segment.stop - segment.from);
  const int first = segment.begin == Begin::forces ? 0 : 1;  // rows of the inputs
  if (segment.stop >= gather_.end_input) provide_inputs(segment.from - 1, segment.from - first);
  const bool cohesive = cohesive_.count > 0;
  backend_.replay(recordings_[{segment.begin, steps, segment.check, segment.look, cohesive}], [&] {
    if (segment.begin == Begin::after_state)
      backend_.launch(ResumeStep{gather_.block_table(), gather_.first_shared, live(), node_step<Look::none>(0, false),
                                 gather_.block_ledger()});
    for (int i = 0; i < steps; ++i) launch_gather_step<Look::none>(first + i);
    backend_.launch(BookSteps{report_.data(), first + steps});
    if (segment.check) launch_fracture_check();
    if (segment.check && cohesive) backend_.launch(insert_here(&report_.data()->counters.held));
    if (segment.look != Look::none) launch_look(segment.look);
    if (segment.reports()) backend_.post(report_);
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
  backend_.launch(Fill<Step>{&live()->first_input, 1, first});
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
  return {
      gather_nodes(), gather_.constants.data(), input, Real(dt_), {gather_.half_velocity.data(), gather_.moved.data()},
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
      backend_.launch(CohesiveStep<Element, Law, kept, look>{
          elements_.table(), cohesive_.capacity(), live(), nodes_.displacement.data(), law_, cohesive_.table(),
          thickness_, gather_.cohesive_force.data(), gather_.cohesive_work.data(), hold});
    });
  backend_.launch(BlockStep<Element, look>{elements_.table(),
                                           gather_.block_table(),
                                           {gather_.gradients.data()},
                                           elements_.touches_cohesive.data(),
                                           {gather_.cohesive_force.data()},
                                           material_,
                                           node,
                                           gather_.slot_force.data(),
                                           gather_.block_ledger(),
                                           gather_.block_report(),
                                           hold,
                                           material_.density * thickness_,
                                           thickness_,
                                           &report_.data()->fault});
  backend_.launch(SharedNodeStep<look>{gather_.first_shared, live(), gather_.slot_force.data(), node,
                                       gather_.shared_ledger(), gather_.shared_report(), hold});
}

template <class Backend, class Element, class Law>
void Pipeline<Backend, Element, Law>::gather_nodal_stress() {
  const NodeStress node{gather_.constants.data(),
                        {nodes_.stress_sum.data()},
                        criterion_,
                        nodes_.flagged.data(),
                        &report_.data()->counters.flagged_nodes};
  backend_.launch(BlockStress<Element>{elements_.table(),
                                       gather_.block_table(),
                                       nodes_.position.data(),
                                       nodes_.displacement.data(),
                                       material_,
                                       node,
                                       gather_.slot_stress.data(),
                                       {elements_.stress.data()},
                                       &report_.data()->fault});
  backend_.launch(SharedNodeStress{gather_.first_shared, gather_.capacity(), live(), node, gather_.slot_stress.data()});
}

/// Loads by node, when the arrays are new.
template <class Backend, class Element, class Law>
void Pipeline<Backend, Element, Law>::gather_loads() {
  for (int l = 0; l < gather_.loads; ++l) {
    backend_.launch(Fill<Vec2>{gather_.load_of(l), nodes_.count, Vec2{}});
    push(loads_[l], 1, gather_.load_of(l));
  }
}

/// The kernel that splits the nodes of a pass of that many facets, behind the cohesive elements there are.
template <class Backend, class Element, class Law>
SplitNodes<Element> Pipeline<Backend, Element, Law>::split_nodes(Index facets) {
  const SplitPass<Element> pass{
      elements_.table(),   gather_.incidence(),        gather_.constants.data(),   facets,
      cohesive_.count,     gather_.most_elements,      gather_.touching,           gather_.claimed.data(),
      gather_.fans.data(), gather_.split_count.data(), gather_.split_first.data(), gather_.origin.data()};
  const NodeWriter<Element> writer{elements_.table(), gather_.constants.data(), gather_.load_force.data(),
                                   gather_.loads,     gather_.capacity(),       &report_.data()->counters.split_loaded};
  return {pass, live(), writer};
}

/// The insertion of what the last check found, if it is short and there is room for it.
template <class Backend, class Element, class Law>
InsertHere<Element, Law> Pipeline<Backend, Element, Law>::insert_here(const Index* held) {
  Counters& counters = report_.data()->counters;
  const InsertionRoom room{gather_.capacity(), cohesive_.capacity(), gather_.slot_room()};
  return {&counters.fractured_facets,
          &counters.fractured_elements,
          held,
          scratch_.found.data(),
          elements_.fractured.data(),
          scratch_.elements.data(),
          scratch_.first_facet.data(),
          live(),
          room,
          start_cohesive(0),
          split_nodes(0),
          numbers_by_counter(),
          node_copier(),
          elements_.touches_cohesive.data(),
          load_facets_.data()};
}

/// Inserts what a check has found and could not insert itself.
template <class Backend, class Element, class Law>
void Pipeline<Backend, Element, Law>::gather_insert_found(const Counters& found) {
  if (found.fractured_facets <= InsertHere<Element, Law>::most_facets) {
    const bool grown = make_room_for(found.fractured_facets);
    backend_.launch(insert_here(nullptr));
    after_insertion(grown);
    if (seen_.counters.fractured_facets != 0) throw std::logic_error("an insertion that there is room for did not fit");
  } else {
    insert(found.fractured_elements, found.fractured_facets);
  }
  backend_.launch(ClearCounters{report_.data()});
}

/// Cuts the listed facets and splits nodes: how the nodes of cut facets share out their elements is found node by node.
template <class Backend, class Element, class Law>
void Pipeline<Backend, Element, Law>::cut_node_by_node(Index facets) {
  const SplitNodes<Element> split = split_nodes(facets);
  const SplitPass<Element>& pass = split.pass;
  backend_.launch(CutFacets<Element, StartCohesive<Element, Law>>{
      start_cohesive(facets), elements_.touches_cohesive.data(), pass, live(), split.nodes, node_copier()});
  backend_.launch(GroupElements<Element>{pass});
  if (numbers_by_counter())
    backend_.launch(NumberByCounter<Element>{pass});
  else
    backend_.exclusive_scan(facets + 1, FacetNeeds<Element>{pass}, pass.first);
  backend_.launch(split);
  backend_.launch(FillCopies<Element>{pass, live(), node_copier()});
  backend_.launch(CountInserted<Element>{pass, live()});
  for (int l = 0; l < gather_.loads; ++l) {
    const Index* guard = &report_.data()->counters.split_loaded;
    backend_.launch(Guarded{guard, ClearFacetNodes<Element>{elements_.table(), loads_[l].facets.data(),
                                                            loads_[l].offsets.back(), gather_.load_of(l)}});
    for_each_group(loads_[l], [&](const Index* group, Index size) {
      backend_.launch(Guarded{
          guard, Pressure<Element>{elements_.table(), group, size, nodes_.position.data(), 1, gather_.load_of(l)}});
    });
  }
}

/// @param grown  arrays by node have moved: the loads lie elsewhere now
template <class Backend, class Element, class Law>
void Pipeline<Backend, Element, Law>::after_insertion(bool grown) {
  read_report();
  if (grown) gather_loads();
}

}  // namespace cleave::inline CLEAVE_PRECISION
