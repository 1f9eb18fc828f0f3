#include "cuda_backend.cuh"
#include "scheme/make_solver.hpp"

namespace cleave::inline double_precision {

std::unique_ptr<Solver> make_on_cuda(const Model& model) { return make_solver<CudaBackend>(model); }

}  // namespace cleave::inline double_precision
