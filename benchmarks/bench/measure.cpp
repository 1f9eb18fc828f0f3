#include "bench/measure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <stdexcept>

#include "app/console.hpp"
#include "cleave/core/error.hpp"
#include "cleave/core/machine.hpp"

namespace cleave::benchmark {

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

std::vector<Machine> machines(const MeasureOptions& options, bool copy) {
  std::vector<Machine> list;
  const int all = options.threads > 0 ? options.threads : processors();
  if (options.backend != "cuda") {
    list.push_back({"CPU, 1 thread", false, 1, 1, 0});
    if (all > 1) list.push_back({fmt::format("CPU, {} threads", all), false, all, all, 0});
  }
  const std::string why = why_no_cuda();
  if (options.backend != "cpu") {
    if (why.empty()) {
      const std::string device = cuda_devices().front();
      list.push_back({device.substr(0, device.find(',')), true, 0, cuda_cores(), 0});
    } else if (options.backend == "cuda") {
      throw InputError("--backend cuda: " + why);
    } else {
      tell("no GPU in this table: {}", why);
    }
  }
  if (copy)
    for (Machine& m : list) m.bandwidth = m.cuda ? cuda_copy_bandwidth() : cpu_copy_bandwidth(m.threads);
  return list;
}

void measure(const std::string& name, const MeasureOptions& options, bool copies,
             const std::function<Json(const std::vector<Machine>&)>& rows_on) {
  if (!options.json.empty() && !std::ofstream(options.json, std::ios::app))
    throw InputError(fmt::format("--json {}: cannot be written", options.json.string()));
  for (const NamedMesh& mesh : parse_meshes(options.meshes, {}))
    check_memory_of_mesh(unbreakable_case(mesh.mesh, Assembly::gather));
  const std::vector<Machine> on = machines(options, copies);
  const Json rows = rows_on(on);
  if (options.json.empty()) return;
  Json of_machines = Json::array();
  for (const Machine& m : on) {
    of_machines.push_back({{"name", m.name}, {"cores", m.cores}});
    if (m.bandwidth > 0) of_machines.back()["copy_bytes_per_second"] = m.bandwidth;
  }
  std::ofstream file(options.json);
  file << Json{{"bench", name}, {"version", CLEAVE_VERSION}, {"machines", of_machines}, {"rows", rows}}.dump(1) << '\n';
  if (!file.flush()) throw std::runtime_error(fmt::format("--json {}: cannot be written", options.json.string()));
}

}  // namespace cleave::benchmark
