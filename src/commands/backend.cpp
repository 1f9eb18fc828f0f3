#include "commands/backend.hpp"

#include <fmt/format.h>

#include "cleave/core/error.hpp"

namespace cleave {

Backend choose_backend(const RunCase& run) {
  if (run.backend == BackendChoice::cpu) return {false, "asked for"};
  const std::string obstacle = why_no_cuda();
  const bool asked_for = run.backend == BackendChoice::cuda;
  if (!obstacle.empty() && asked_for)
    throw InputError(fmt::format("the cuda backend cannot be used: {}; take --backend cpu or auto", obstacle));
  if (!obstacle.empty()) return {false, "auto: " + obstacle};
  const auto devices = static_cast<int>(cuda_devices().size());
  if (run.device >= devices)
    throw InputError(fmt::format("run.device: there is no CUDA device {}: expected {}; `cleave info` lists them",
                                 run.device, devices == 1 ? "0" : fmt::format("0 to {}", devices - 1)));
  use_cuda_device(run.device);
  return {true, asked_for ? "asked for" : "auto: a CUDA device is there"};
}

std::unique_ptr<Solver> make_solver(const Backend& backend, const Model& model, int threads) {
  return backend.cuda ? make_cuda_solver(model) : make_cpu_solver(model, threads);
}

}  // namespace cleave
