#include "backend/cpu/cpu_backend.hpp"
#include "strategies/run.hpp"

namespace cleave {

std::unique_ptr<StrategyRun> make_cpu_strategy(const Model& model, const Strategy& strategy, int threads) {
  if (strategy.sum == Strategy::Sum::blocks)
    return std::make_unique<SolverRun>([model, threads] { return make_cpu_solver(model, threads); });
  return std::make_unique<KernelRun<CpuBackend>>(model, strategy, threads);
}

}  // namespace cleave
