#include "bench/run_time.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace cleave::benchmark {
namespace {

/// Rows of a run in the order of their steps.
class Rows {
 public:
  void add(const HistoryRow& row) { rows_.push_back(row); }
  /// Whether this run has a row at that step, and it says the same.
  bool agree_with(const HistoryRow& row) const {
    const auto at = std::lower_bound(rows_.begin(), rows_.end(), row.step,
                                     [](const HistoryRow& r, Step step) { return r.step < step; });
    if (at == rows_.end() || at->step != row.step) return false;
    return at->cohesive_elements == row.cohesive_elements && at->strain_energy == row.strain_energy &&
           at->kinetic_energy == row.kinetic_energy;
  }
  const HistoryRow& last() const { return rows_.back(); }

 private:
  std::vector<HistoryRow> rows_;
};

/// Steps with rows at multiples of `every` and at the end, in stretches as long as a run's between looks for signals.
void advance(Solver& solver, Step to, Step every, const std::function<void(const HistoryRow&)>& take) {
  constexpr Step stretch = 1000;
  while (solver.step() < to) {
    const Step next = std::min(to, (solver.step() / stretch + 1) * stretch);
    const bool due = next % every == 0 || next == to;
    solver.advance(next - solver.step(), due ? Output::history : Output::none, {every, take});
    if (due) take(solver.history());
  }
}

/// In full, three times if that takes no longer than a few seconds.
RunTime time_in_full(const WholeRun& run, const Machine& m, Rows& rows) {
  constexpr int most = 3;
  constexpr double enough = 4;  // s
  RunTime time;
  for (double all = 0; time.repeats == 0 || (time.repeats < most && all < enough); ++time.repeats) {
    rows = {};
    const auto solver = m.solver(run.model);
    const double seconds =
        seconds_of([&] { advance(*solver, run.steps, run.history_every, [&](const auto& row) { rows.add(row); }); });
    time.seconds = time.repeats == 0 ? seconds : std::min(time.seconds, seconds);
    time.slowest = std::max(time.slowest, seconds);
    all += seconds;
  }
  time.end = rows.last();
  return time;
}

/// Places of the windows of a run.
struct Windows {
  static constexpr int most = 20;
  int count;
  Step length;  ///< whole checks
  WholeRun run;

  /// @param step_seconds  roughly, of one step
  Windows(const WholeRun& whole, double step_seconds, double budget)
      : count(static_cast<int>(std::min<Step>(most, whole.steps / (3 * whole.check_every)))), length(0), run(whole) {
    if (count == 0) return;
    const double checks = budget / (count * step_seconds * static_cast<double>(run.check_every));
    const Step room = run.steps / count / run.check_every - 2;
    length = run.check_every * std::clamp(static_cast<Step>(checks), Step{1}, std::max(room, Step{1}));
  }
  Step part_begin(int i) const { return run.steps * i / count; }
  /// The first timed step comes after this one.
  Step begin(int i) const {
    const Step middle = (part_begin(i) + part_begin(i + 1) - length) / 2;
    return std::max(middle / run.check_every, Step{1}) * run.check_every;
  }
};

/// A machine that takes windows of a run.
class WindowTimer {
 public:
  WindowTimer(const WholeRun& run, const Machine& m, const Windows& windows)
      : run_(run), windows_(windows), solver_(m.solver(run.model)) {
    time_.windows = windows.count;
    time_.window_steps = windows.length;
  }
  /// From the state one step before the window: this step is not timed, as it brings the state into the caches.
  void take(int window, const std::string& state, const Rows& rows) {
    std::istringstream in(state);
    solver_->load(in);
    solver_->advance(1, Output::none);
    const Step end = solver_->step() + windows_.length;
    HistoryRow last;
    const double t = seconds_of([&] { advance(*solver_, end, run_.history_every, [&](const auto& r) { last = r; }); });
    const Step part = windows_.part_begin(window + 1) - windows_.part_begin(window);
    time_.timed_seconds += t;
    time_.seconds += t / static_cast<double>(windows_.length) * static_cast<double>(part);
    time_.same_run = time_.same_run && rows.agree_with(last);
  }
  const Windows& windows() const { return windows_; }
  const RunTime& time() const { return time_; }

 private:
  WholeRun run_;
  Windows windows_;
  std::unique_ptr<Solver> solver_;
  RunTime time_;
};

/// Seconds a step near the start of a run: the fastest of a few checks.
double pilot(const WholeRun& run, const Machine& m) {
  const auto solver = m.solver(run.model);
  const auto take_one = [&] { solver->advance(run.check_every, Output::none); };
  take_one();
  double fastest = seconds_of(take_one);
  for (int i = 0; i < 2; ++i) fastest = std::min(fastest, seconds_of(take_one));
  return fastest / static_cast<double>(run.check_every);
}

/// Takes the windows of all timers in the order of their steps, each from the state that `leader` has there.
void take_windows(Solver& leader, std::vector<std::unique_ptr<WindowTimer>>& timers, const Rows& rows) {
  struct Stop {
    Step step;
    WindowTimer* timer;
    int window;
  };
  std::vector<Stop> stops;
  for (const auto& timer : timers)
    for (int w = 0; timer && w < timer->windows().count; ++w)
      stops.push_back({timer->windows().begin(w) - 1, timer.get(), w});
  std::stable_sort(stops.begin(), stops.end(), [](const Stop& a, const Stop& b) { return a.step < b.step; });
  std::string state;
  for (const Stop& stop : stops) {
    if (stop.step > leader.step() || state.empty()) {
      leader.advance(stop.step - leader.step());
      std::ostringstream out;
      leader.save(out);
      state = out.str();
    }
    stop.timer->take(stop.window, state, rows);
  }
}

}  // namespace

std::vector<RunTime> time_whole_run(const WholeRun& run, const std::vector<Machine>& on, double budget) {
  const std::size_t leader = on.size() - 1;
  std::vector<RunTime> times(on.size());
  Rows rows;
  times[leader] = time_in_full(run, on[leader], rows);
  std::vector<std::unique_ptr<WindowTimer>> timers(on.size());
  for (std::size_t i = 0; i < leader; ++i) {
    const double step_seconds = pilot(run, on[i]);
    const Windows windows(run, step_seconds, budget);
    if (windows.count > 0 && step_seconds * static_cast<double>(run.steps) > budget) {
      timers[i] = std::make_unique<WindowTimer>(run, on[i], windows);
    } else {
      Rows own;
      times[i] = time_in_full(run, on[i], own);
      times[i].same_run = rows.agree_with(own.last());
    }
  }
  const bool any = std::any_of(timers.begin(), timers.end(), [](const auto& timer) { return timer != nullptr; });
  if (any) take_windows(*on[leader].solver(run.model), timers, rows);
  for (std::size_t i = 0; i < leader; ++i)
    if (timers[i]) times[i] = timers[i]->time();
  return times;
}

}  // namespace cleave::benchmark
