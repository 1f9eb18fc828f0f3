/// The backend that this compilation of the tests is for. Without a CUDA device the CUDA tests skip, loudly.
#pragma once

#include <algorithm>
#include <catch2/catch.hpp>
#include <iterator>
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

/// What `sums` adds up to. Nothing may be written beyond it.
inline QuantityTotals totals_of(Backend& backend, SumTables sums) {
  QuantityTotals before;
  std::fill(std::begin(before.value), std::end(before.value), -5.0);
  Backend::Buffer<QuantityTotals> totals;
  totals.upload({before, before});
  sums.totals = totals.data();
  backend.launch(sums);
  const auto after = totals.download(2);
  CHECK(std::equal(std::begin(before.value), std::end(before.value), after[1].value));
  return after[0];
}

/// What the first rows of one kernel add up to.
template <class List>
QuantityTotals totals_of(Backend& backend, SumRows<List> rows, Index count) {
  SumTables sums;
  sums.add(rows, count);
  return totals_of(backend, sums);
}

/// Begins every test: returns from it when the backend cannot run here.
#define CLEAVE_NEEDS_BACKEND() \
  if (!cleave::test::available()) return

}  // namespace cleave::test
