#include "commands/backend.hpp"

#include <fmt/format.h>

#include "cleave/core/error.hpp"
#include "cleave/mesh/blocks.hpp"
#include "cleave/output/text.hpp"
#include "commands/case_text.hpp"

namespace cleave {

Backend choose_backend(const RunCase& run, int ranks) {
  if (run.backend == BackendChoice::cpu) return {false, "asked for"};
  if (ranks > 1 && run.backend == BackendChoice::cuda)
    throw InputError(fmt::format("the cuda backend works on one rank, and this run has {}: take --backend cpu, or start "
                                 "without mpirun", ranks));
  if (ranks > 1) return {false, "auto: several ranks share the work of CPUs"};
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

void check_ranks(const Case& c, const Model& model, int ranks) {
  if (ranks == 1) return;
  const Index blocks = cut_blocks(model.material_ranges).back().end_block();
  if (blocks < ranks)
    throw InputError(fmt::format("{} ranks for a mesh of {} triangles, which are {} blocks of {}: start at most {} ranks",
                                 ranks, with_thousands(model.mesh.element_count()), blocks, elements_per_block, blocks));
  if (c.run.assembly != Assembly::gather)
    throw InputError(fmt::format("run.assembly: {} works on one rank: take gather, or start without mpirun",
                                 assembly_name(c.run.assembly)));
}

std::unique_ptr<Solver> make_solver(const Backend& backend, const Model& model, int threads, Ranks& ranks) {
  return backend.cuda ? make_cuda_solver(model) : make_cpu_solver(model, threads, ranks);
}

}  // namespace cleave
