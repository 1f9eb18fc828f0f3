#include "cpu/cpu_backend.hpp"
#include "cpu/cpu_pipeline.hpp"
#include "scheme/make_pipeline.hpp"

std::unique_ptr<cleave::Solver> cleave::double_precision::make_cpu_pipeline(const Model& model, int threads) {
  return make_pipeline<CpuBackend>(model, threads);
}
