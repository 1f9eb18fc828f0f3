/// cleave bench: how fast this machine is, CPU against GPU, in one run.
#include "bench/bench.hpp"

#include <map>

namespace cleave {

int bench(const BenchOptions& options) {
  using namespace benchmark;
  struct Benchmark {
    Json (*run)(const BenchOptions&, const std::vector<Machine>&);
    bool compares_with_copy;
  };
  const std::map<std::string, Benchmark> benchmarks{
      {"step", {step, true}},
      {"kernels", {kernels, true}},
      {"cases", {cases, false}},
      {"insertion", {insertion, false}},
      {"insertion-rate", {insertion_rate, false}},
      {"memory", {memory, false}},
      {"contact", {contact, false}},
  };
  const Benchmark& benchmark = benchmarks.at(options.what);
  measure(options.what, options, benchmark.compares_with_copy,
          [&](const std::vector<Machine>& on) { return benchmark.run(options, on); });
  return 0;
}

}  // namespace cleave
