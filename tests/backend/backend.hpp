/// The backend that this compilation of the tests is for, for tests that launch kernels themselves.
#pragma once

#include <catch2/catch.hpp>
#include <vector>

#include "backend/solver_backend.hpp"
#include "body/sums.hpp"

#if defined(__CUDACC__)
#include "cuda_backend.cuh"
#elif defined(CLEAVE_TEST_CUDA)
#error "Kernels of a CUDA test need nvcc: see `launches` in tests/CMakeLists.txt"
#else
#include "backend/cpu/cpu_backend.hpp"
#endif

namespace cleave::test {

#if defined(__CUDACC__)
using Backend = CudaBackend;
#else
using Backend = CpuBackend;
#endif

/// What `launch(sums)` adds to the sums of quantities. Nothing may be written beyond them.
template <class Launch>
QuantityTotals totals_after(Backend& backend, const Launch& launch) {
  Backend::Buffer<FixedSum> sums;
  Backend::Buffer<QuantityTotals> totals;
  Backend::Buffer<double> columns;
  sums.upload(std::vector<FixedSum>(TakeTotals::before_groups + 1));
  totals.resize(1);
  columns.resize(most_process_columns);
  launch(sums.data());
  const auto all = sums.download(sums.size());
  for (std::size_t s = quantity_count; s < all.size(); ++s) CHECK(all[s].value() == 0);
  backend.launch(TakeTotals{
      .sums = sums.data(), .totals = totals.data(), .columns = columns.data(), .groups = nullptr, .group_count = 0});
  return totals.download(1).front();
}

inline QuantityTotals totals_of(Backend& backend, SumTables tables) {
  return totals_after(backend, [&](FixedSum* sums) {
    tables.sums = sums;
    backend.launch(tables);
  });
}

/// What the first rows of one kernel add up to.
template <class List>
QuantityTotals totals_of(Backend& backend, SumRows<List> rows, Index count) {
  SumTables tables;
  tables.add(rows, count);
  return totals_of(backend, tables);
}

}  // namespace cleave::test
