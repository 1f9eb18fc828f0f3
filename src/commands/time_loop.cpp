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

}  // namespace

TimeLoop::TimeLoop(Solver& solver, Results& results, Progress& progress, const Schedule& schedule,
                   std::uint64_t fingerprint)
    : solver_(solver), results_(results), progress_(progress), schedule_(schedule), fingerprint_(fingerprint) {}

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
  if (solver_.step() == schedule_.steps()) return 0;

  if (last_checkpoint_ != solver_.step()) write_checkpoint();
  if (last_row().step != solver_.step()) write_row();
  return stop_signal();
}

HistoryRow TimeLoop::last_row() const { return results_.history().last().value_or(HistoryRow{}); }

void TimeLoop::advance_to_next_event() {
  const Step start = solver_.step();
  const Step chunk = std::min(schedule_.next_event(start) - start, chunk_limit_);
  double seconds = 0;
  try {
    const Stopwatch watch(seconds);
    solver_.advance(chunk);
  } catch (const NumericalError& error) {
    throw NumericalError(fmt::format("the run failed between steps {} and {}: {}", start, start + chunk, error.what()));
  }
  // A signal is obeyed within about a second.
  constexpr Step longest_chunk = 1000;
  constexpr double longest_wait = 1;  // s
  if (chunk == chunk_limit_) {
    const double steps_per_second = static_cast<double>(chunk) / std::max(seconds, 1e-9);
    chunk_limit_ =
        std::clamp(static_cast<Step>(std::min(longest_wait * steps_per_second, 1e9)), Step{1}, longest_chunk);
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
  save_checkpoint(results_.directory(), fingerprint_, results_.frames(), solver_);
  last_checkpoint_ = solver_.step();
}

}  // namespace cleave
