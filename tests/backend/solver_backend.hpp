/// The solver that this compilation of the tests is for.
#pragma once

#include <memory>
#include <sstream>
#include <string>

#include "cleave/solver/model.hpp"
#include "cleave/solver/solver.hpp"

namespace cleave::test {

#if defined(CLEAVE_TEST_CUDA)
inline std::unique_ptr<Solver> make_solver(const Model& model, int /*threads*/ = 0) { return make_cuda_solver(model); }
#else
inline std::unique_ptr<Solver> make_solver(const Model& model, int threads = 0) {
  return make_cpu_solver(model, threads);
}
#endif

/// What the solver saves.
inline std::string state_of(Solver& solver) {
  std::stringstream file;
  solver.save(file);
  return file.str();
}

}  // namespace cleave::test
