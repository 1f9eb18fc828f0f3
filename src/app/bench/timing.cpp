#include <algorithm>
#include <chrono>

#include "app/bench/measure.hpp"

namespace cleave::benchmark {

double seconds_of(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

Timing time_steps(const std::function<void(Step)>& advance, double least) {
  constexpr Step period = 10;  // steps between fracture checks
  constexpr double slow = 2;   // s
  Timing timing;
  timing.steps = period;
  advance(2 * period);  // touches all memory, records launches
  double t = seconds_of([&] { advance(timing.steps); });
  while (t < least) {
    const double factor = std::clamp(1.1 * least / t, 2.0, 50.0);
    timing.steps = static_cast<Step>(static_cast<double>(timing.steps) * factor) / period * period;
    t = seconds_of([&] { advance(timing.steps); });
  }
  timing.repeats = t > slow ? 3 : 5;
  std::vector<double> times;
  for (int i = 0; i < timing.repeats; ++i)
    times.push_back(seconds_of([&] { advance(timing.steps); }) / static_cast<double>(timing.steps));
  std::sort(times.begin(), times.end());
  timing.median = times[timing.repeats / 2];
  timing.fastest = times.front();
  timing.slowest = times.back();
  return timing;
}

std::vector<StageTime> spent_between(const std::vector<StageTime>& before, const std::vector<StageTime>& after) {
  std::vector<StageTime> spent;
  for (StageTime stage : after) {
    for (const StageTime& b : before)
      if (b.name == stage.name) stage.seconds -= b.seconds, stage.calls -= b.calls;
    if (stage.calls > 0) spent.push_back(stage);
  }
  std::sort(spent.begin(), spent.end(), [](const StageTime& a, const StageTime& b) { return a.seconds > b.seconds; });
  return spent;
}

}  // namespace cleave::benchmark
