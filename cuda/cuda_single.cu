#define CLEAVE_SINGLE_PRECISION

#include "cuda_backend.cuh"
#include "solvers/make_solver.hpp"

namespace cleave::inline single_precision {

std::unique_ptr<Solver> make_on_cuda(const Model& model, Ranks& ranks) {
  return make_solver<CudaBackend>(model, 0, ranks);
}

}  // namespace cleave::inline single_precision
