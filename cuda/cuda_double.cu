#include "cuda_backend.cuh"
#include "solvers/make_solver.hpp"

namespace cleave::inline double_precision {

std::unique_ptr<Solver> make_on_cuda(const Model& model, Ranks& ranks) {
  return make_solver<CudaBackend>(model, 0, ranks);
}

}  // namespace cleave::inline double_precision
