#include "commands/bench/machines.hpp"

#include <fmt/format.h>

#include "cleave/core/error.hpp"
#include "cleave/core/machine.hpp"
#include "commands/console.hpp"

namespace cleave::benchmark {

std::vector<Machine> machines(const BenchOptions& options, bool copy) {
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

}  // namespace cleave::benchmark
