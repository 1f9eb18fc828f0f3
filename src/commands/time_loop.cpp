#include "commands/time_loop.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "cleave/core/error.hpp"
#include "commands/stop_signal.hpp"

namespace cleave {
namespace {

/// Adds the time of its life to a sum.
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

/// A solver may round differently where it is stopped to be looked at. So signals are looked at after a number of steps
/// that does not depend on how fast the machine is, and at the same steps after resuming: runs repeat bit for bit.
Step steps_between_looks(Index elements) {
  constexpr Step element_steps = 5'000'000;  // seconds on a small CPU, milliseconds on a GPU
  return std::clamp(element_steps / std::max(elements, Index{1}), Step{10}, Step{1000});
}

}  // namespace

TimeLoop::TimeLoop(Solver& solver, Results& results, Progress& progress, const Schedule& schedule, Index elements,
                   std::uint64_t fingerprint)
    : solver_(solver),
      results_(results),
      progress_(progress),
      schedule_(schedule),
      fingerprint_(fingerprint),
      look_every_(steps_between_looks(elements)) {}

int TimeLoop::run() {
  const Stopwatch total(wall_time_);
  const bool starts = results_.frames().empty();
  if (starts) {
    write_row();
    write_fields();
  } else {
    last_checkpoint_ = solver_.step();
  }

  while (solver_.step() < schedule_.steps() && stop_signal() == 0) {
    advance_to_next_event();
    write_what_is_due();
    progress_.update(solver_.step(), total.seconds(), last_row());
  }
  const bool done = solver_.step() == schedule_.steps();
  if (!done) {
    if (last_checkpoint_ != solver_.step()) write_checkpoint();
    if (last_row().step != solver_.step()) write_row();
  }
  results_.flush();
  return done ? 0 : stop_signal();
}

HistoryRow TimeLoop::last_row() const { return results_.history().last().value_or(HistoryRow{}); }

void TimeLoop::advance_to_next_event() {
  const Step start = solver_.step();
  const Step next_look = (start / look_every_ + 1) * look_every_;
  const Step chunk = std::min(schedule_.next_event(start), next_look) - start;
  try {
    solver_.advance(chunk);
  } catch (const NumericalError& error) {
    throw NumericalError(fmt::format("the run failed between steps {} and {}: {}", start, start + chunk, error.what()));
  }
}

void TimeLoop::write_what_is_due() {
  const Step step = solver_.step();
  if (schedule_.history_due(step)) write_row();
  if (schedule_.fields_due(step)) write_fields();
  // Last, so that going on from it repeats none of the above.
  if (schedule_.checkpoint_due(step)) write_checkpoint();
}

void TimeLoop::write_row() {
  const HistoryRow row = solver_.history();
  if (const auto column = not_finite(row)) {
    throw NumericalError(
        fmt::format("the run failed at step {}: {} is not a finite number; the state grew without "
                    "bound since the row of step {}. Try a smaller time.step or time.safety",
                    row.step, *column, last_row().step));
  }
  const Stopwatch watch(output_time_);
  results_.add(row);
}

void TimeLoop::write_fields() {
  const Snapshot snapshot = solver_.snapshot();
  const Stopwatch watch(output_time_);
  results_.add(snapshot);
}

void TimeLoop::write_checkpoint() {
  const Stopwatch watch(output_time_);
  results_.flush();
  save_checkpoint(results_.directory(), fingerprint_, results_.frames(), solver_);
  last_checkpoint_ = solver_.step();
}

}  // namespace cleave
