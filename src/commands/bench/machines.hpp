/// Which machines a benchmark compares.
#pragma once

#include "commands/bench/bench.hpp"

namespace cleave::benchmark {

/// One thread and all threads of the CPU, and the GPU, as far as the options want them; each with its copy bandwidth.
std::vector<Machine> machines(const BenchOptions& options);

}  // namespace cleave::benchmark
