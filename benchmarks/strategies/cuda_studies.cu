#include "cuda_backend.cuh"
#include "strategies/colouring_run.hpp"
#include "strategies/edges_run.hpp"
#include "strategies/ladder_run.hpp"
#include "strategies/states_run.hpp"
#include "strategies/vectors_run.hpp"

namespace cleave {

std::unique_ptr<KernelStudy> make_cuda_colouring_study(const Model& model) {
  return std::make_unique<ColouringStudy<CudaBackend>>(model);
}
std::unique_ptr<KernelStudy> make_cuda_ladder(const Model& model) {
  return std::make_unique<LadderStudy<CudaBackend>>(model);
}
std::unique_ptr<KernelStudy> make_cuda_state_study(const Model& model) {
  return std::make_unique<StateStudy<CudaBackend>>(model);
}
std::unique_ptr<KernelStudy> make_cuda_vector_study(const VectorSizes& sizes) {
  return std::make_unique<VectorStudy<CudaBackend>>(sizes);
}
std::unique_ptr<KernelStudy> make_cuda_edge_study(const Mesh& mesh) {
  return std::make_unique<EdgeStudy<CudaBackend>>(mesh);
}

}  // namespace cleave
