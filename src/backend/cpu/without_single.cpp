/// Stands in for single precision in programs for sanitizers, which find the same in double precision.
#include "backend/cpu/cpu_solver.hpp"
#include "cleave/core/error.hpp"
#include "cleave/solver/solver.hpp"

std::unique_ptr<cleave::Solver> cleave::single_precision::make_on_cpu(const Model&, int, Ranks&) {
  throw InputError("run.precision: this program was built for a sanitizer, in double precision only");
}
