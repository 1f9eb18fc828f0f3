/// Which backend a run uses, and why.
#pragma once

#include <memory>
#include <string>

#include "cleave/config/case.hpp"
#include "cleave/solver/model.hpp"
#include "cleave/solver/solver.hpp"

namespace cleave {

struct Backend {
  bool cuda = false;
  std::string reason;

  const char* name() const { return cuda ? "cuda" : "cpu"; }
};

/// Throws InputError when CUDA is asked for and cannot be used.
Backend choose_backend(const RunCase& run);

std::unique_ptr<Solver> make_solver(const Backend& backend, const Model& model, int threads);

}  // namespace cleave
