#include "cpu/cpu_backend.hpp"
#include "scheme/make_pipeline.hpp"

namespace cleave {

std::unique_ptr<Solver> make_cpu_solver(const Model& model, int threads) {
  return make_pipeline<CpuBackend>(model, threads);
}

}  // namespace cleave
