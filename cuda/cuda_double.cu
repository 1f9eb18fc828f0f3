#include "cuda_backend.cuh"
#include "cuda_solver.hpp"
#include "scheme/make_solver.hpp"

std::unique_ptr<cleave::Solver> cleave::double_precision::make_on_cuda(const Model& model) {
  return make_solver<CudaBackend>(model);
}
