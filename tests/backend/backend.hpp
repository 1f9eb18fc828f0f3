/// The backend that this compilation of the tests is for. Without a CUDA device the CUDA tests skip, loudly.
#pragma once

#include <catch2/catch.hpp>
#include <memory>

#include "cleave/solver/model.hpp"
#include "cleave/solver/solver.hpp"
#include "kernels/energies.hpp"

#if defined(__CUDACC__)
#include "cuda_backend.cuh"
#else
#include "cpu/cpu_backend.hpp"
#endif

namespace cleave::test {

#if defined(__CUDACC__)
using Backend = CudaBackend;
inline std::unique_ptr<Solver> make_solver(const Model& model, int /*threads*/ = 0) { return make_cuda_solver(model); }
inline bool available() {
  const std::string why = why_no_cuda();
  if (!why.empty()) WARN("SKIPPED: no CUDA device (" << why << ")");
  return why.empty();
}
#else
using Backend = CpuBackend;
inline std::unique_ptr<Solver> make_solver(const Model& model, int threads = 0) {
  return make_cpu_solver(model, threads);
}
inline bool available() { return true; }
#endif

/// The launch that adds up `rows` rows of `fields` sums.
inline SumTables sum_of(const double* sums, Index rows, int fields, double* totals) {
  SumTables sum;
  sum.totals = totals;
  sum.add(sums, rows, fields);
  return sum;
}

/// Begins every test: returns from it when the backend cannot run here.
#define CLEAVE_NEEDS_BACKEND() \
  if (!cleave::test::available()) return

}  // namespace cleave::test
