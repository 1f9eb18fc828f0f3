#include "backend/cpu/cpu_solver.hpp"

#include "backend/bandwidth.hpp"
#include "backend/cpu/cpu_backend.hpp"
#include "cleave/solver/model.hpp"
#include "cleave/solver/solver.hpp"

namespace cleave {

std::unique_ptr<Solver> make_cpu_solver(const Model& model, int threads) {
  return make_cpu_solver(model, threads, one_rank());
}

std::unique_ptr<Solver> make_cpu_solver(const Model& model, int threads, Ranks& ranks) {
  return model.precision == Precision::single_precision ? single_precision::make_on_cpu(model, threads, ranks)
                                                        : double_precision::make_on_cpu(model, threads, ranks);
}

std::string cpu_instructions() { return name_of(chosen_instructions()); }

double cpu_copy_bandwidth(int threads) {
  CpuBackend backend(threads);
  return copy_bandwidth(backend, 16'000'000);
}

}  // namespace cleave
