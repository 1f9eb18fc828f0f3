#include "app/measure.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>

#include "cleave/core/environment.hpp"

namespace cleave {

void add_measure_options(CLI::App& command, MeasureOptions& options) {
  command.add_option("--backend", options.backend, "Only the CPU or only the GPU")
      ->check(CLI::IsMember({"auto", "cpu", "cuda"}));
  command.add_option("--threads", options.threads, "CPU threads; 0: all")->check(CLI::Range(0, most_threads));
  command.add_option("--cpu-limit", options.cpu_limit, "Elements of the largest mesh that the CPU runs")
      ->check(CLI::NonNegativeNumber);
  command.add_option("--seconds", options.least_seconds, "Shortest time of one repeat")->check(positive_number());
  command.add_option("--json", options.json, "Also writes the rows to this file");
}

void add_mesh_option(CLI::App& command, MeasureOptions& options) {
  command.add_option("--mesh", options.meshes,
                     "ring:RADIALxAROUND, rectangle:NXxNY, table3.4, table3.6, table3.8, tables (all three) or sweep "
                     "(rings of 1e3 to 1e7 elements); :T3 after it for T3");
}

CLI::Validator positive_number() {
  return CLI::Validator(
      [](const std::string& text) {
        char* end = nullptr;
        const double number = std::strtod(text.c_str(), &end);
        const bool good = end != text.c_str() && *end == '\0' && std::isfinite(number) && number > 0;
        return good ? std::string() : fmt::format("expected a number above 0, found {}", text);
      },
      "");
}

namespace benchmark {

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

}  // namespace benchmark
}  // namespace cleave
