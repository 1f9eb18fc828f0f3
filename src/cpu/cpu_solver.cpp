#include "cpu/cpu_backend.hpp"
#include "scheme/bandwidth.hpp"
#include "scheme/make_pipeline.hpp"

namespace cleave {

std::unique_ptr<Solver> make_cpu_solver(const Model& model, int threads) {
  return make_pipeline<CpuBackend>(model, threads);
}

double cpu_copy_bandwidth(int threads) {
  CpuBackend backend(threads);
  return copy_bandwidth(backend, 16'000'000);
}

}  // namespace cleave
