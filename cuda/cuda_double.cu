#include "cuda_backend.cuh"
#include "cuda_pipeline.hpp"
#include "scheme/make_pipeline.hpp"

std::unique_ptr<cleave::Solver> cleave::double_precision::make_cuda_pipeline(const Model& model) {
  return make_pipeline<CudaBackend>(model);
}
