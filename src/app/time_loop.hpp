/// The loop over time steps: advances the solver from state to state, takes rows during the advance and writes what is
/// due.
#pragma once

#include <atomic>
#include <chrono>

#include "app/warnings.hpp"
#include "cleave/output/progress.hpp"
#include "cleave/output/results.hpp"
#include "cleave/output/schedule.hpp"
#include "cleave/solver/solver.hpp"

namespace cleave {

class TimeLoop {
 public:
  /// All arguments are kept by reference. `model` is that of the solver, `identity` goes into checkpoints.
  /// @param on_gpu  the solver stops while the host checks for signals, so that it checks less often
  TimeLoop(Solver& solver, Results& results, Progress& progress, const Schedule& schedule, const Model& model,
           const RunIdentity& identity, Warnings& warnings, bool on_gpu);

  /// Steps to the end of the schedule, or until a signal asks to stop; the state is then in a checkpoint. Returns that
  /// signal, 0 at the end. Throws NumericalError of the solver, and ElementFailure if an energy is not finite; output
  /// until then stays.
  int run();

  /// The latest row of history.csv; zeros if there is none yet.
  HistoryRow last_row() const;
  /// Last step reached; thread-safe.
  Step step_reached() const { return reached_; }
  /// Result of the last deformation check.
  const Deformation& deformation() const { return deformation_; }
  Step step_of_deformation() const { return looked_; }
  double wall_time() const { return wall_time_; }      ///< of run() so far, s
  double output_time() const { return output_time_; }  ///< part of it in which steps waited for output, s

 private:
  Step next_stop() const;
  void advance_to(Step step, Output at_least);
  void write_due_output();
  void write_end();
  void check_deformation();
  void write_row(const HistoryRow& row, double& time);  ///< adds its duration to `time`
  void write_probes();
  void write_fields();
  void write_checkpoint();
  bool checkpoint_is_late() const;
  void reach_state();

  Solver& solver_;
  Results& results_;
  Progress& progress_;
  const Schedule& schedule_;
  const Model& model_;
  const RunIdentity& identity_;
  Warnings& warnings_;
  Step deformation_every_;  ///< steps between deformation checks, besides those at frames; the same anywhere
  Step signals_every_;      ///< steps between checks for signals; deformation_every_ is a multiple
  std::atomic<Step> reached_;
  Deformation deformation_;
  Step looked_ = 0;
  Output output_ = Output::state;  ///< output of the current step

  Step last_checkpoint_ = -1;
  std::chrono::steady_clock::time_point saved_ = std::chrono::steady_clock::now();  ///< last checkpoint, or the start
  double wall_time_ = 0;
  double output_time_ = 0;
};

}  // namespace cleave
