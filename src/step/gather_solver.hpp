/// The solver of the default assembly.
///
/// Unless the state is output, nodes hold u(n+1) and v(n+1/2), and a step is two launches (three with cohesive
/// elements). Runs of steps are recorded and replayed: what changes from step to step is read from memory.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

#include "step/body_solver.hpp"
#include "step/gather_output.hpp"
#include "step/gather_resident.hpp"
#include "step/resume_step.hpp"

namespace cleave::inline CLEAVE_PRECISION {

template <class Backend, class Element>
class GatherSolver final : public BodySolver<GatherBody<Backend, Element>> {
 public:
  template <class... Args>
  explicit GatherSolver(const Model& model, Args&&... backend)
      : BodySolver<GatherBody<Backend, Element>>(model, std::forward<Args>(backend)...) {
    list_resident_blocks(body_, resident_, model.mesh);
    launch_start(body_);
    if (resident_.active()) resident_.list_slots(body_);
    body_.read_report();
    history();
    fetch_probes();
    keep_own_rows(body_, On::node);
    keep_own_rows(body_, On::element);
  }

  void advance(Step n, Output output, const RowsOnTheWay& rows) override;
  double insert_cohesive(const std::vector<Index>& facets) override;
  void reserve(Index nodes, Index cohesive, Index at_once) override {
    make_scratch(body_, at_once);
    make_room(body_, nodes, cohesive, body_.gather.most_slots(cohesive));
  }
  /// The sums come from the output of this step.
  HistoryRow history() override {
    if (begin_ == Begin::forces) throw std::logic_error("a row is asked for at a step that had no output");
    return present_row(body_);
  }
  PendingSnapshot capture(const SnapshotParts& wanted) override;
  PendingSnapshot capture_failed() override;
  Deformation largest_deformation() override;
  ContactCounts contact_counts() const override { return body_.terms.contact.counts(body_); }
  std::vector<FieldNorms> field_norms() override { return field_norms_of_body(body_); }
  void save(std::ostream& out) override {
    need_state();
    save_state(body_, out);
  }
  void load(std::istream& in) override {
    load_state(body_, in);
    begin_ = Begin::after_state;
  }

 private:
  using BodySolver<GatherBody<Backend, Element>>::body_;
  static constexpr int longest_segment = most_resident_steps;  ///< steps of a recording

  /// First launches when a run goes on: forces of the present step, or those after a row or a state of it.
  enum class Begin { forces, after_row, after_state };
  /// Steps that are recorded together: from..stop-1, then what is due at `stop`.
  struct Segment {
    Begin begin;
    Step from;  ///< whose forces come first
    Step stop;
    bool check;
    Output output;
    int first_sample;  ///< the first of its steps, counted from `from`, that probes are looked at in; a high one: none
    int steps() const { return static_cast<int>(stop - from); }
    bool watched;  ///< a step may stop it: the host looks at its report
    bool reports() const { return watched || check || output != Output::none; }
    Begin leaves() const {
      return output == Output::none ? Begin::forces : output == Output::history ? Begin::after_row : Begin::after_state;
    }
  };

  Segment segment_from(Step step, Begin begin, Step last, Output output, const RowsOnTheWay& rows) const;
  void launch_segment(const Segment& segment);
  void launch_steps(const Segment& segment);
  bool is_sampled(const Segment& segment, int step) const {
    return step >= segment.first_sample && body_.probes.due(segment.from + step);
  }
  bool check_is_due(Step n) const {
    const Step every = check_interval(body_);
    return every > 0 && n % every == 0;
  }
  void insert(const Counters& found, const Segment& at);
  Step search(const Segment& at);
  void take_output(const Segment& at);
  void fetch_probes();
  void need_state() const;

  ResidentState<Backend, Element> resident_;
  Begin begin_ = Begin::after_state;
  Step launched_to_ = 0;  ///< when the last report was looked at
  std::map<std::tuple<Begin, int, bool, Output, bool, int>, typename Backend::Recording>
      recordings_;                                                          ///< see launch_segment
  std::map<std::pair<Output, bool>, typename Backend::Recording> outputs_;  ///< after insertion
};

/// n steps, cut into segments that end where a fracture check is due or output is due. While the host waits for what a
/// segment reports, the next one is launched already; it does nothing if the host has facets to cut first.
template <class Backend, class Element>
void GatherSolver<Backend, Element>::advance(Step n, Output output, const RowsOnTheWay& rows) {
  if (n <= 0) return;
  body_.balance.set_rows_due(rows.every);
  const Step last = body_.step + n;
  Segment next = segment_from(body_.step, begin_, last, output, rows);
  launch_segment(next);
  while (body_.step < last) {
    const Segment now = next;
    bool launched = false;
    if (now.stop < last) next = segment_from(now.stop, now.leaves(), last, output, rows);
    if (now.reports()) {
      if (now.stop < last && next.stop < body_.inputs.end()) {
        launch_segment(next);
        launched = true;
      }
      body_.collect_report();
    }
    body_.step = now.stop;
    begin_ = now.leaves();
    const Counters found = body_.seen.counters;
    if (now.reports() && found.fractured_facets != 0) {
      if (launched && next.reports()) body_.collect_report();  // of a segment that has done nothing
      launched = false;
      if (found.fractured_facets == Counters::search_due)
        body_.step = search(now);
      else
        insert(found, now);
      if (body_.step < now.stop) begin_ = Begin::forces;
      if (body_.step < now.stop) next = segment_from(body_.step, begin_, last, output, rows);
    }
    if (now.reports()) {
      launched_to_ = launched ? next.stop : body_.step;
      if (body_.seen.fault.code != 0) fetch_probes();  // what led there
      throw_on_fault(body_);
    }
    if (body_.step < last && !launched) launch_segment(next);
    if (body_.step == now.stop && body_.step < last && now.output != Output::none) rows.take(history());
    if (body_.probes.is_full(body_.step + 2 * longest_segment)) fetch_probes();
  }
  fetch_probes();
}

/// Inserts what the check at the end of a segment has found and could not insert itself, and takes the output of its
/// last step.
template <class Backend, class Element>
void GatherSolver<Backend, Element>::insert(const Counters& found, const Segment& at) {
  insert_found(body_, found);
  take_output(at);
}

/// Searches for contact where a step of a segment waits for it, and takes the output of the segment if that is the
/// step. Returns the step that the run has reached: the end of the segment, or that step, whose forces come next.
template <class Backend, class Element>
Step GatherSolver<Backend, Element>::search(const Segment& at) {
  const Step due = body_.seen.counters.search_step;
  body_.terms.contact.search(body_);
  body_.backend.launch(ClearCounters{body_.report.data()});
  if (due == at.stop) take_output(at);
  return due;
}

/// The output of the last step of a segment, where that waited for the host. It may wait for a search once more.
template <class Backend, class Element>
void GatherSolver<Backend, Element>::take_output(const Segment& at) {
  if (at.output == Output::none) return;
  const bool sample = body_.probes.due(at.stop);
  body_.halo.replay(body_.backend, outputs_[{at.output, sample}],
                    [&] { launch_output(body_, at.output, sample, [] {}); });
  body_.read_report();
  if (body_.seen.counters.fractured_facets == Counters::search_due) search(at);
}

/// The segment that begins at `step`; the last step is `last`, with its output.
template <class Backend, class Element>
auto GatherSolver<Backend, Element>::segment_from(Step step, Begin begin, Step last, Output output,
                                                  const RowsOnTheWay& rows) const -> Segment {
  const Step from = begin == Begin::forces ? step : step + 1;
  Step stop = step + 1;
  while (stop < last && !check_is_due(stop) && !rows.due(stop) && stop - from < longest_segment) ++stop;
  const Output here = stop == last ? output : rows.due(stop) ? Output::history : Output::none;
  const int steps = static_cast<int>(stop - from) + (here != Output::none ? 1 : 0);
  return {begin,
          from,
          stop,
          check_is_due(stop),
          here,
          body_.probes.steps_until_due(from, steps),
          body_.terms.contact.may_search()};
}

/// Launches what follows the last output, the steps, a fracture check with a short insertion if it is due, and what is
/// wanted of the last step, which comes to nothing when there are facets left that break.
template <class Backend, class Element>
void GatherSolver<Backend, Element>::launch_segment(const Segment& segment) {
  const int first = segment.begin == Begin::forces ? 0 : 1;  // rows of the inputs
  if (segment.stop >= body_.inputs.end())
    body_.inputs.provide(body_.backend, body_.live(), segment.from - 1, segment.from - first);
  const bool inserts = segment.check && body_.has_broken();
  // A recording of one rank goes on with the output, of which the first launches need no packed blocks.
  const bool packs_beside = inserts && segment.output != Output::none && body_.halo.is_alone();
  const auto pack = [&] { launch_packing(body_, most_facets_of_one_block); };
  auto& recording = recordings_[{segment.begin, segment.steps(), segment.check, segment.output, body_.has_broken(),
                                 segment.first_sample}];
  body_.halo.replay(
      body_.backend, recording,
      [&] {
        launch_steps(segment);
        if (segment.check) launch_fracture_check(body_, resident_.active());
        if (inserts) launch_short_insertion(body_, DeviceGate::closed_if(&body_.report.data()->counters.check_skipped));
        if (inserts && !packs_beside) pack();
      },
      [&] {
        const bool sample = is_sampled(segment, segment.steps());
        if (packs_beside)
          launch_output(body_, segment.output, sample, pack);
        else if (segment.output != Output::none)
          launch_output(body_, segment.output, sample, [] {});
        if (!segment.reports()) return;
        if (segment.output == Output::none && !body_.cohesive_case) share_sums(body_);  // faults of the check
        body_.post_report();
      });
}

/// Steps of an intact body can be one launch, where that has been prepared.
template <class Backend, class Element>
void GatherSolver<Backend, Element>::launch_steps(const Segment& segment) {
  auto& gather = body_.gather;
  if (segment.begin == Begin::after_state)
    body_.backend.launch(ResumeStep{.blocks_of = gather.block_table(),
                                    .interface = gather.interface_nodes(),
                                    .live = body_.live(),
                                    .step = node_step<Output::state, NodeForces::any>(body_, 0, false),
                                    .ledger = gather.block_ledger(),
                                    .copies = gather.copy_ledger()});
  const int steps = segment.steps(), first = segment.begin == Begin::forces ? 0 : 1;
  const BookSteps book{body_.report.data(), first + steps};
  const bool may_be_resident = resident_.active() && !body_.has_broken() && steps > 1;
  if (may_be_resident && segment.first_sample >= steps) {
    launch_resident_steps(body_, resident_, first, steps, book);
  } else {
    for (int i = 0; i < steps; ++i) launch_step(body_, first + i, is_sampled(segment, i));
    body_.backend.launch(book);
  }
}

template <class Backend, class Element>
double GatherSolver<Backend, Element>::insert_cohesive(const std::vector<Index>& facets) {
  if (begin_ != Begin::forces) advance(1, Output::none, {});
  mark_fractured(body_, facets);
  launch_nodal_stress(body_, body_.dt);  // the tractions that the cohesive elements start with
  body_.backend.launch(ClearCounters{body_.report.data()});
  body_.backend.synchronise();
  const auto start = std::chrono::steady_clock::now();
  if (!facets.empty()) insert_many(body_, static_cast<Index>(facets.size()));
  body_.backend.synchronise();
  const auto end = std::chrono::steady_clock::now();
  body_.read_report();
  return std::chrono::duration<double>(end - start).count();
}

template <class Backend, class Element>
PendingSnapshot GatherSolver<Backend, Element>::capture(const SnapshotParts& wanted) {
  need_state();
  launch_nodal_stress(body_, 0);
  history();  // the largest energy so far
  body_.read_report();
  throw_on_fault(body_);
  return copy_fields(body_, body_.step, wanted);
}

template <class Backend, class Element>
PendingSnapshot GatherSolver<Backend, Element>::capture_failed() {
  launch_nodal_stress(body_, 0);
  // Steps behind the failed one may have inserted: their report is on its way.
  body_.take_report(body_.report.download(1).front());
  return copy_fields(body_, std::max(body_.step, launched_to_), {});
}

template <class Backend, class Element>
Deformation GatherSolver<Backend, Element>::largest_deformation() {
  Deformation d = cleave::largest_deformation(body_);
  if (!body_.finite) return d;
  const FastestVibrations fastest = fastest_vibrations(body_);
  const double springs = body_.stiffest_springs;
  d.critical_step = 2 / std::sqrt(fastest.alone + springs);
  d.unstable_step = 2 / std::sqrt(fastest.attached + springs);
  d.critical_element = fastest.alone_element;
  d.unstable_element = fastest.attached_element;
  return d;
}

/// The rows of the steps whose launches are behind those so far.
template <class Backend, class Element>
void GatherSolver<Backend, Element>::fetch_probes() {
  body_.probes.fetch(body_.halo, begin_ == Begin::forces ? body_.step - 1 : body_.step, body_.dt);
}

/// Throws std::logic_error when the state of the present step has not been kept.
template <class Backend, class Element>
void GatherSolver<Backend, Element>::need_state() const {
  if (begin_ != Begin::after_state) throw std::logic_error("the state is asked for at a step that was not stopped at");
}

}  // namespace cleave::inline CLEAVE_PRECISION
