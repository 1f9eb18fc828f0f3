#define CLEAVE_SINGLE_PRECISION

#include "cuda_backend.cuh"
#include "cuda_solver.hpp"
#include "scheme/make_solver.hpp"

std::unique_ptr<cleave::Solver> cleave::single_precision::make_on_cuda(const Model& model) {
  return make_solver<CudaBackend>(model);
}
