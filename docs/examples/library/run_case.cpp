/// A program of one's own with Cleave's libraries: runs a case and prints its energies as it goes.
///
///     run_case CASE.yaml
#include <algorithm>
#include <cstdio>
#include <exception>
#include <memory>

#include "cleave/case/case.hpp"
#include "cleave/solver/model.hpp"
#include "cleave/solver/solver.hpp"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: run_case CASE.yaml\n");
    return 2;
  }
  try {
    const cleave::Case c = cleave::read_case(argv[1]);
    const cleave::Model model = cleave::make_model(c);  // the mesh, with names resolved and the step chosen
    const bool on_gpu = c.run.backend == cleave::BackendChoice::cuda ||
                        (c.run.backend == cleave::BackendChoice::automatic && cleave::why_no_cuda().empty());
    const std::unique_ptr<cleave::Solver> solver =
        on_gpu ? cleave::make_cuda_solver(model) : cleave::make_cpu_solver(model, c.run.threads);
    std::printf("on %s\n", solver->device().c_str());
    const cleave::Step steps = cleave::step_count(c.time, model.step);

    std::printf("%10s %12s %14s %14s %10s\n", "step", "time", "kinetic", "dissipated", "fragments");
    while (solver->step() < steps) {
      const cleave::Step next = std::min<cleave::Step>(500, steps - solver->step());
      solver->advance(next, cleave::Output::history);
      const cleave::HistoryRow row = solver->history();
      std::printf("%10lld %10.4e s %12.6e J %12.6e J %8d\n", static_cast<long long>(row.step), row.time,
                  row.kinetic_energy, row.dissipated_energy, row.fragments);
    }
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "run_case: %s\n", error.what());
    return 1;
  }
}
