/// The loop over time steps: advances the solver from state to state, takes rows on the way and writes what is due.
#pragma once

#include <atomic>
#include <chrono>

#include "cleave/output/progress.hpp"
#include "cleave/output/results.hpp"
#include "cleave/output/schedule.hpp"
#include "cleave/solver/solver.hpp"
#include "commands/warnings.hpp"

namespace cleave {

class TimeLoop {
 public:
  /// `model` is that of the solver, `identity` goes into the checkpoints. All is kept by reference.
  /// @param on_gpu  the solver stands still while the host looks for signals, so that it looks less often
  TimeLoop(Solver& solver, Results& results, Progress& progress, const Schedule& schedule, const Model& model,
           const RunIdentity& identity, Warnings& warnings, bool on_gpu);

  /// Steps to the end of the schedule, or until a signal asks to stop: then the state is in a checkpoint.
  /// Returns that signal, 0 at the end. Throws NumericalError when the solver does, ElementFailure also when an energy
  /// is not a finite number; what was written stays.
  int run();

  /// The latest row of history.csv, zeros when there is none yet.
  HistoryRow last_row() const;
  /// How far it has come; for any thread.
  Step step_reached() const { return reached_; }
  /// The last look at the deformation, and its step.
  const Deformation& deformation() const { return deformation_; }
  Step step_of_deformation() const { return looked_; }
  double wall_time() const { return wall_time_; }      ///< of run() until now, s
  double output_time() const { return output_time_; }  ///< part of it in which steps waited for output, s

 private:
  Step next_stop() const;
  void advance_to(Step step, Output at_least);
  void write_what_is_due();
  void write_end();
  void look_at_deformation();
  void write_row(const HistoryRow& row, double& time);  ///< adds to the time it took
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
  Step look_every_;     ///< steps between looks at the deformation, besides those of frames: the same wherever it runs
  Step signals_every_;  ///< steps after which a signal is noticed; look_every_ is a multiple
  std::atomic<Step> reached_;
  Deformation deformation_;
  Step looked_ = 0;
  Output output_ = Output::state;  ///< what may be asked of the present step

  Step last_checkpoint_ = -1;
  std::chrono::steady_clock::time_point saved_ = std::chrono::steady_clock::now();  ///< the last one, or the start
  double wall_time_ = 0;
  double output_time_ = 0;
};

}  // namespace cleave
