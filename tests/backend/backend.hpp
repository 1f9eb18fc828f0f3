/// The backend that this compilation of the tests is for, for tests that launch kernels themselves.
#pragma once

#include <algorithm>
#include <catch2/catch.hpp>
#include <iterator>

#include "backend/solver_backend.hpp"
#include "body/sums.hpp"

#if defined(__CUDACC__)
#include "cuda_backend.cuh"
#else
#include "backend/cpu/cpu_backend.hpp"
#endif

namespace cleave::test {

#if defined(__CUDACC__)
using Backend = CudaBackend;
#else
using Backend = CpuBackend;
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

}  // namespace cleave::test
