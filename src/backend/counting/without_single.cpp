/// Stands in for single precision in programs for sanitizers, which have no solver of it.
#include "backend/counting/count_memory.hpp"
#include "cleave/core/error.hpp"

cleave::IntactMemory cleave::single_precision::count(const Model&, bool, Ranks&) {
  throw InputError("run.precision: this program was built for a sanitizer, in double precision only");
}
