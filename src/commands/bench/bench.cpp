/// cleave bench: how fast this machine is, CPU against GPU, in one run.
#include "commands/bench/bench.hpp"

#include <fmt/format.h>

#include <fstream>
#include <map>

#include "cleave/core/error.hpp"
#include "commands/bench/machines.hpp"

namespace cleave {

int bench(const BenchOptions& options) {
  using namespace benchmark;
  const std::map<std::string, Json (*)(const BenchOptions&, const std::vector<Machine>&)> benchmarks{
      {"step", step}, {"kernels", kernels}, {"strategies", strategies}, {"insertion", insertion}};
  const std::vector<Machine> on = machines(options);
  const Json rows = benchmarks.at(options.what)(options, on);
  if (options.json.empty()) return 0;
  Json of_machines = Json::array();
  for (const Machine& m : on)
    of_machines.push_back({{"name", m.name}, {"cores", m.cores}, {"copy_bytes_per_second", m.bandwidth}});
  std::ofstream file(options.json);
  file << Json{{"bench", options.what}, {"version", CLEAVE_VERSION}, {"machines", of_machines}, {"rows", rows}}.dump(1)
       << '\n';
  if (!file) throw InputError(fmt::format("--json {}: cannot be written", options.json.string()));
  return 0;
}

}  // namespace cleave
