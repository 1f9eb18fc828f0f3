/// At which steps a run writes what.
#pragma once

#include <algorithm>
#include <cmath>

#include "cleave/config/case.hpp"

namespace cleave {

/// Steps 0 .. steps of a run. History rows and fields are due at step 0, at multiples of their period and at the end;
/// a period of 0 leaves the first and the last. Fields may have a period in time instead: they are then due at the
/// steps nearest to its multiples. Checkpoints are due at multiples only, and when the clock says so.
class Schedule {
 public:
  /// @param time_step  s
  Schedule(Step steps, double time_step, const OutputCase& output)
      : steps_(steps), steps_between_fields_(output.fields_interval / time_step), output_(output) {}

  Step steps() const { return steps_; }
  bool history_due(Step step) const { return is_end(step) || is_multiple(step, output_.history_every); }
  bool fields_due(Step step) const {
    return is_end(step) || is_multiple(step, output_.fields_every) || is_nearest_to_multiple(step);
  }
  bool checkpoint_due(Step step) const { return step > 0 && is_multiple(step, output_.checkpoint_every); }

  /// Fields, a checkpoint or the end.
  bool state_due(Step step) const { return fields_due(step) || checkpoint_due(step) || step == steps_; }
  /// The first step after `step` at which the state is due, at most the last step.
  Step next_state(Step step) const;
  Step history_every() const { return output_.history_every; }
  /// Wall time after which a checkpoint is due, minutes; 0: never.
  double checkpoint_minutes() const { return output_.checkpoint_minutes; }

  /// Number of rows and of frames of the whole run.
  Step history_rows() const { return occurrences(output_.history_every); }
  Step frames() const;

 private:
  bool is_end(Step step) const { return step == 0 || step == steps_; }
  static bool is_multiple(Step step, Step every) { return every > 0 && step % every == 0; }
  Step occurrences(Step every) const;
  bool has_interval() const { return steps_between_fields_ > 0; }
  /// The step nearest to that multiple of the interval of fields.
  Step nearest_to(double multiple) const {
    return std::llround(std::min(multiple * steps_between_fields_, static_cast<double>(steps_) + 1));
  }
  bool is_nearest_to_multiple(Step step) const;
  Step next_nearest_to_multiple(Step step) const;

  Step steps_;
  double steps_between_fields_;  ///< interval / time step; 0: no interval
  OutputCase output_;
};

}  // namespace cleave
