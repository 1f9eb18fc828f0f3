#include "cuda_backend.cuh"
#include "strategies/run.hpp"

namespace cleave {

std::unique_ptr<StrategyRun> make_cuda_strategy(const Model& model, const Strategy& strategy) {
  if (strategy.sum == Strategy::Sum::blocks)
    return std::make_unique<SolverRun>([model] { return make_cuda_solver(model); });
  return std::make_unique<KernelRun<CudaBackend>>(model, strategy);
}

}  // namespace cleave
