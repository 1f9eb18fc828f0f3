/// Options that all benchmarks and studies have.
#pragma once

#include <filesystem>
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

}  // namespace cleave
