#include "backend/cpu/cpu_backend.hpp"
#include "strategies/colouring_run.hpp"
#include "strategies/edges_run.hpp"
#include "strategies/ladder_run.hpp"
#include "strategies/states_run.hpp"
#include "strategies/vectors_run.hpp"

namespace cleave {

std::unique_ptr<KernelStudy> make_cpu_colouring_study(const Model& model, int threads) {
  return std::make_unique<ColouringStudy<CpuBackend>>(model, threads);
}
std::unique_ptr<KernelStudy> make_cpu_ladder(const Model& model, int threads) {
  return std::make_unique<LadderStudy<CpuBackend>>(model, threads);
}
std::unique_ptr<KernelStudy> make_cpu_state_study(const Model& model, int threads) {
  return std::make_unique<StateStudy<CpuBackend>>(model, threads);
}
std::unique_ptr<KernelStudy> make_cpu_vector_study(const VectorSizes& sizes, int threads) {
  return std::make_unique<VectorStudy<CpuBackend>>(sizes, threads);
}
std::unique_ptr<KernelStudy> make_cpu_edge_study(const Mesh& mesh, int threads) {
  return std::make_unique<EdgeStudy<CpuBackend>>(mesh, threads);
}

}  // namespace cleave
