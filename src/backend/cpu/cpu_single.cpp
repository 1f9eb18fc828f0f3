#define CLEAVE_SINGLE_PRECISION

#include "backend/cpu/cpu_backend.hpp"
#include "backend/cpu/cpu_solver.hpp"
#include "solvers/make_solver.hpp"

std::unique_ptr<cleave::Solver> cleave::single_precision::make_on_cpu(const Model& model, int threads, Ranks& ranks) {
  return make_solver<CpuBackend>(model, threads, ranks);
}
