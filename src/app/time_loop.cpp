#include "app/time_loop.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "app/estimates.hpp"
#include "app/stop_signal.hpp"
#include "cleave/core/error.hpp"

namespace cleave {
namespace {

/// Adds its lifetime to a sum.
class Stopwatch {
 public:
  explicit Stopwatch(double& sum) : sum_(sum) {}
  ~Stopwatch() { sum_ += seconds(); }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

 private:
  double& sum_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// A deformation check is a launch and a wait; with at least this many steps between checks its cost is negligible.
constexpr Step least_steps_between_checks = 200;

/// Number of steps between checks for signals: about a second for slow steps.
Step steps_between_signals(Index elements) {
  constexpr Step element_steps = 20'000'000;
  return std::clamp(element_steps / std::max(elements, Index{1}), Step{10}, Step{1000});
}

/// The first multiple of `unit` after a step.
Step next_multiple(Step step, Step unit) { return (step / unit + 1) * unit; }

}  // namespace

TimeLoop::TimeLoop(Solver& solver, Results& results, Progress& progress, const Schedule& schedule, const Model& model,
                   const RunIdentity& identity, Warnings& warnings, bool on_gpu)
    : solver_(solver),
      results_(results),
      progress_(progress),
      schedule_(schedule),
      model_(model),
      identity_(identity),
      warnings_(warnings),
      deformation_every_(
          next_multiple(least_steps_between_checks - 1, steps_between_signals(model.mesh.element_count()))),
      signals_every_(on_gpu ? deformation_every_ : steps_between_signals(model.mesh.element_count())),
      reached_(solver.step()) {}

int TimeLoop::run() {
  const Stopwatch total(wall_time_);
  if (solver_.step() == 0 && results_.frames().empty()) {
    write_row(solver_.history(), output_time_);
    write_probes();
    write_fields();
    check_deformation();
  } else {
    last_checkpoint_ = solver_.step();
    if (solver_.step() == schedule_.steps()) write_end();
  }

  while (solver_.step() < schedule_.steps() && stop_signal() == 0) {
    advance_to(next_stop(), Output::none);
    write_due_output();
    if (checkpoint_is_late()) {
      reach_state();
      if (last_checkpoint_ != solver_.step()) write_checkpoint();
    }
    progress_.update(solver_.step(), total.seconds(), total.seconds() - output_time_, last_row());
  }
  reach_state();  // where a signal has stopped the run
  const bool done = solver_.step() == schedule_.steps();
  if (!done) {
    if (last_checkpoint_ != solver_.step()) write_checkpoint();
    if (last_row().step != solver_.step()) write_row(solver_.history(), output_time_);
  }
  const Stopwatch watch(output_time_);
  results_.flush();
  results_.wait();
  return done ? 0 : stop_signal();
}

HistoryRow TimeLoop::last_row() const { return results_.history().last().value_or(HistoryRow{}); }

bool TimeLoop::checkpoint_is_late() const {
  const std::chrono::duration<double, std::ratio<60>> minutes = std::chrono::steady_clock::now() - saved_;
  return schedule_.checkpoint_minutes() > 0 && minutes.count() >= schedule_.checkpoint_minutes() &&
         solver_.step() < schedule_.steps();
}

/// Advances one step if the current one has no state, which checkpoints and frames need.
void TimeLoop::reach_state() {
  if (output_ == Output::state) return;
  advance_to(solver_.step() + 1, Output::state);
  write_due_output();
}

/// The next step with state output or a check for signals.
Step TimeLoop::next_stop() const {
  return std::min(schedule_.next_state(solver_.step()), next_multiple(solver_.step(), signals_every_));
}

void TimeLoop::advance_to(Step step, Output at_least) {
  output_ = schedule_.state_due(step)
                ? Output::state
                : std::max(at_least, schedule_.history_due(step) ? Output::history : Output::none);
  // Rows during an advance are written while the solver continues; that time is not counted as output.
  const RowsOnTheWay rows{schedule_.history_every(), [this](const HistoryRow& row) {
                            double while_stepping = 0;
                            write_row(row, while_stepping);
                          }};
  try {
    solver_.advance(step - solver_.step(), output_, rows);
  } catch (const NumericalError&) {
    write_probes();
    throw;
  }
  reached_ = solver_.step();
}

/// Happens at steps that depend on the case alone, so that every run of it gives the same warnings.
void TimeLoop::check_deformation() {
  const Step before = looked_;
  deformation_ = solver_.largest_deformation();
  looked_ = solver_.step();
  if (model_.kinematics == Kinematics::small) return warn_of_deformation(deformation_, model_, looked_, warnings_);
  warn_of_present_step(deformation_, model_, looked_, warnings_);
  if (model_.step > deformation_.unstable_step)
    throw ElementFailure(
        fmt::format("the step of {:.4g} s is unstable: in the present shape it may be {:.4g} s at most", model_.step,
                    deformation_.unstable_step),
        deformation_.unstable_element, looked_, before);
}

void TimeLoop::write_due_output() {
  const Step step = solver_.step();
  if (schedule_.fields_due(step) || step % deformation_every_ == 0) check_deformation();
  write_probes();
  if (schedule_.history_due(step)) write_row(solver_.history(), output_time_);
  if (schedule_.fields_due(step)) write_fields();
  // Written last, so that a resumed run repeats none of the above.
  if (schedule_.checkpoint_due(step)) write_checkpoint();
}

/// Writes what is due at the last step, unless it was written on the way.
void TimeLoop::write_end() {
  if (last_row().step != solver_.step()) write_row(solver_.history(), output_time_);
  if (!results_.frames().empty() && results_.frames().back().step == solver_.step()) return;
  check_deformation();
  write_fields();
}

void TimeLoop::write_row(const HistoryRow& row, double& time) {
  if (const auto column = not_finite(row, process_columns(model_))) {
    throw ElementFailure(fmt::format("{} is not a finite number", *column), ElementFailure::unknown, row.step,
                         last_row().step);
  }
  const Stopwatch watch(time);
  results_.add(row);
  reached_ = row.step;
  warn_of_history(results_.history(), model_, warnings_);
  if (is_hyperelastic(model_) && results_.history().energy_gain() > unstable_gain)
    throw NumericalError(fmt::format(
        "{:.2g} of the largest energy have come from nothing (work_minus_energy): the step of {:.4g} s is unstable "
        "for the shape that the body has taken; take a smaller time.step or time.safety",
        results_.history().energy_gain(), model_.step));
}

void TimeLoop::write_probes() {
  const Stopwatch watch(output_time_);
  for (const ProbeRow& row : solver_.take_probe_rows()) results_.add(row);
}

void TimeLoop::write_fields() {
  const Stopwatch watch(output_time_);
  const HistoryRow now = last_row().step == solver_.step() ? last_row() : solver_.history();
  FrameSize size = intact_frame(model_);
  size.nodes = static_cast<double>(now.nodes);
  size.cohesive = static_cast<double>(now.cohesive_elements);
  results_.make_room(size);
  results_.add(solver_.capture(results_.parts()), now.obstacles);
}

void TimeLoop::write_checkpoint() {
  const Stopwatch watch(output_time_);
  results_.flush();
  results_.wait();  // a checkpoint lists complete frames only
  save_checkpoint(results_.directory(), identity_, results_.written(solver_.step()), solver_);
  last_checkpoint_ = solver_.step();
  saved_ = std::chrono::steady_clock::now();
}

}  // namespace cleave
