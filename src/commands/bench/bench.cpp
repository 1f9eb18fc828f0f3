/// cleave bench: how fast this machine is, CPU against GPU, in one run.
#include "commands/bench/bench.hpp"

#include <fmt/format.h>

#include <fstream>
#include <map>
#include <stdexcept>

#include "cleave/core/error.hpp"
#include "commands/bench/machines.hpp"

namespace cleave {

int bench(const BenchOptions& options) {
  using namespace benchmark;
  struct Benchmark {
    Json (*run)(const BenchOptions&, const std::vector<Machine>&);
    bool compares_with_copy;
  };
  const std::map<std::string, Benchmark> benchmarks {
    {"step", {step, true}}, {"kernels", {kernels, true}},
#if defined(CLEAVE_HAS_STRATEGIES)
        {"strategies", {strategies, true}}, {"ladder", {ladder, false}}, {"colouring", {colouring, false}},
        {"vectors", {vectors, true}}, {"states", {states, false}}, {"edges", {edges, false}},
#endif
        {"cases", {cases, false}}, {"insertion", {insertion, false}}, {"insertion-rate", {insertion_rate, false}},
        {"memory", {memory, false}},
  };
  if (!benchmarks.contains(options.what))
    throw InputError(
        "this program was built without the study of strategies: configure it with -DCLEAVE_STRATEGIES=ON");
  const Benchmark& benchmark = benchmarks.at(options.what);
  // Measuring may take hours: what cannot be written, and a mesh that cannot be made, are said before.
  if (!options.json.empty() && !std::ofstream(options.json, std::ios::app))
    throw InputError(fmt::format("--json {}: cannot be written", options.json.string()));
  for (const NamedMesh& mesh : parse_meshes(options.meshes, {}))
    check_memory_of_mesh(unbreakable_case(mesh.mesh, Assembly::gather));
  const std::vector<Machine> on = machines(options, benchmark.compares_with_copy);
  const Json rows = benchmark.run(options, on);
  if (options.json.empty()) return 0;
  Json of_machines = Json::array();
  for (const Machine& m : on) {
    of_machines.push_back({{"name", m.name}, {"cores", m.cores}});
    if (m.bandwidth > 0) of_machines.back()["copy_bytes_per_second"] = m.bandwidth;
  }
  std::ofstream file(options.json);
  file << Json{{"bench", options.what}, {"version", CLEAVE_VERSION}, {"machines", of_machines}, {"rows", rows}}.dump(1)
       << '\n';
  if (!file.flush()) throw std::runtime_error(fmt::format("--json {}: cannot be written", options.json.string()));
  return 0;
}

}  // namespace cleave
