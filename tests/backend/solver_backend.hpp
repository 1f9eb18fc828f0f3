/// The solver that this compilation of the tests is for. Without a CUDA device the CUDA tests skip, loudly.
#pragma once

#include <catch2/catch.hpp>
#include <memory>
#include <string>

#include "cleave/solver/model.hpp"
#include "cleave/solver/solver.hpp"

namespace cleave::test {

#if defined(CLEAVE_TEST_CUDA)
inline std::unique_ptr<Solver> make_solver(const Model& model, int /*threads*/ = 0) { return make_cuda_solver(model); }
inline bool available() {
  const std::string why = why_no_cuda();
  if (!why.empty()) WARN("SKIPPED: no CUDA device (" << why << ")");
  return why.empty();
}
#else
inline std::unique_ptr<Solver> make_solver(const Model& model, int threads = 0) {
  return make_cpu_solver(model, threads);
}
inline bool available() { return true; }
#endif

/// Begins every test: returns from it when the backend cannot run here.
#define CLEAVE_NEEDS_BACKEND() \
  if (!cleave::test::available()) return

}  // namespace cleave::test
