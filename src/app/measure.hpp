/// Measuring: the options that all benchmarks and studies have, and the time of steps.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "cleave/core/types.hpp"

namespace CLI {
class App;
class Validator;
}  // namespace CLI

namespace cleave {

struct MeasureOptions {
  std::vector<std::string> meshes;  ///< "ring:20x160", "rectangle:192x48:T3", "sweep", ...; empty: the benchmark's own
  std::string backend = "auto";     ///< auto: CPU and, where there is one, GPU; cpu; cuda
  int threads = 0;                  ///< of the many-thread CPU rows; 0: all
  Index cpu_limit = 1'000'000;      ///< elements of the largest mesh that the CPU runs
  double least_seconds = 0.3;       ///< of one repeat
  std::filesystem::path json;       ///< also writes the rows there
};

/// Adds all of them to a command but `--mesh`.
void add_measure_options(CLI::App& command, MeasureOptions& options);
void add_mesh_option(CLI::App& command, MeasureOptions& options);

/// A number that a measurement can be made with.
CLI::Validator positive_number();

namespace benchmark {

double seconds_of(const std::function<void()>& work);

/// Times of one step, s.
struct Timing {
  double median = 0, fastest = 0, slowest = 0;
  int repeats = 0;
  Step steps = 0;  ///< of a repeat
};
/// Warm-up, then five repeats (three when they are slow) of at least `least` seconds each. `advance` takes steps and
/// waits for them.
Timing time_steps(const std::function<void(Step)>& advance, double least);

}  // namespace benchmark
}  // namespace cleave
