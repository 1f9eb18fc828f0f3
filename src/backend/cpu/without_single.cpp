/// Single precision in a program for sanitizers, which are shown it once: in double precision.
#include "backend/counting/count_memory.hpp"
#include "backend/cpu/cpu_solver.hpp"
#include "cleave/core/error.hpp"
#include "cleave/solver/solver.hpp"

namespace cleave::inline single_precision {

std::unique_ptr<Solver> make_on_cpu(const Model&, int, Ranks&) {
  throw InputError("run.precision: this program was built for a sanitizer, in double precision only");
}
IntactMemory count(const Model& model, bool, Ranks& ranks) {
  single_precision::make_on_cpu(model, 1, ranks);
  return {};
}

}  // namespace cleave::inline single_precision
