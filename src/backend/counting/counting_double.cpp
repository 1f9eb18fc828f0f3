#include "backend/counting/count_memory.hpp"
#include "backend/counting/counting_backend.hpp"
#include "solvers/count_memory.hpp"

cleave::IntactMemory cleave::double_precision::count(const Model& model, bool on_device, Ranks& ranks) {
  return on_device ? count_memory<CountingBackend<true>>(model, ranks)
                   : count_memory<CountingBackend<false>>(model, ranks);
}
