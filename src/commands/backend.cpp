#include "commands/backend.hpp"

#include <fmt/format.h>

#include "cleave/core/error.hpp"

namespace cleave {

Backend choose_backend(BackendChoice choice) {
  if (choice == BackendChoice::cpu) return {false, "asked for"};
  const std::string obstacle = why_no_cuda();
  if (choice == BackendChoice::cuda) {
    if (obstacle.empty()) return {true, "asked for"};
    throw InputError(fmt::format("the cuda backend cannot be used: {}; take --backend cpu or auto", obstacle));
  }
  if (obstacle.empty()) return {true, "auto: a CUDA device is there"};
  return {false, "auto: " + obstacle};
}

std::unique_ptr<Solver> make_solver(const Backend& backend, const Model& model, int threads) {
  return backend.cuda ? make_cuda_solver(model) : make_cpu_solver(model, threads);
}

}  // namespace cleave
