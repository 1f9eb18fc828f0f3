/// Which machines a benchmark compares.
#pragma once

#include "commands/bench/bench.hpp"

namespace cleave::benchmark {

/// One thread and all threads of the CPU, and the GPU, as far as the options want them; with their copy bandwidths when
/// they are asked for.
std::vector<Machine> machines(const BenchOptions& options, bool copy);

}  // namespace cleave::benchmark
