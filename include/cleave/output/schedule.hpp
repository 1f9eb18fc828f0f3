/// At which steps a run writes what.
#pragma once

#include "cleave/config/case.hpp"

namespace cleave {

/// Steps 0 .. steps of a run. History rows and fields are due at step 0, at multiples of their period and at the end;
/// a period of 0 leaves the first and the last. Checkpoints are due at multiples only.
class Schedule {
 public:
  Schedule(Step steps, const OutputCase& output) : steps_(steps), output_(output) {}

  Step steps() const { return steps_; }
  bool history_due(Step step) const { return is_end(step) || is_multiple(step, output_.history_every); }
  bool fields_due(Step step) const { return is_end(step) || is_multiple(step, output_.fields_every); }
  bool checkpoint_due(Step step) const { return step > 0 && is_multiple(step, output_.checkpoint_every); }

  /// Fields, a checkpoint or the end.
  bool state_due(Step step) const { return fields_due(step) || checkpoint_due(step) || step == steps_; }
  /// The first step after `step` at which the state is due, at most the last step.
  Step next_state(Step step) const;
  Step history_every() const { return output_.history_every; }

  /// Number of rows and of frames of the whole run.
  Step history_rows() const { return occurrences(output_.history_every); }
  Step frames() const { return occurrences(output_.fields_every); }

 private:
  bool is_end(Step step) const { return step == 0 || step == steps_; }
  static bool is_multiple(Step step, Step every) { return every > 0 && step % every == 0; }
  Step occurrences(Step every) const;

  Step steps_;
  OutputCase output_;
};

}  // namespace cleave
