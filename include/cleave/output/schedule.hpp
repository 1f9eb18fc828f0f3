/// Steps at which a run writes its output.
#pragma once

#include <algorithm>
#include <cmath>

#include "cleave/case/case.hpp"

namespace cleave {

/// Recurring steps in 0 .. last: multiples of a number of steps, or the steps nearest to the multiples of a time; none
/// without either.
class Period {
 public:
  /// @param interval, time_step  s
  Period(Step last, Step every, double interval, double time_step)
      : last_(last), every_(every), steps_between_(interval / time_step) {}

  bool due(Step step) const { return (every_ > 0 && step % every_ == 0) || is_nearest_to_multiple(step); }
  /// The first due step after `step`, or the last step of all.
  Step next(Step step) const;
  /// Number of due steps, including the first and the last step.
  Step count() const;

 private:
  bool has_interval() const { return steps_between_ > 0; }
  /// The step nearest to a multiple of the interval.
  Step nearest_to(double multiple) const {
    return std::llround(std::min(multiple * steps_between_, static_cast<double>(last_) + 1));
  }
  bool is_nearest_to_multiple(Step step) const;
  Step next_nearest_to_multiple(Step step) const;

  Step last_;
  Step every_;
  double steps_between_;  ///< interval / time step; 0: no interval
};

/// Steps 0 .. steps of a run. History rows and fields are due at step 0, at their periods and at the end; checkpoints
/// at their period, and by wall time.
class Schedule {
 public:
  /// @param time_step  s
  Schedule(Step steps, double time_step, const OutputCase& output)
      : steps_(steps),
        fields_(steps, output.fields_every, output.fields_interval, time_step),
        history_(steps, output.history_every, 0, time_step),
        checkpoints_(steps, output.checkpoint_every, output.checkpoint_interval, time_step),
        output_(output) {}

  Step steps() const { return steps_; }
  bool history_due(Step step) const { return is_end(step) || history_.due(step); }
  bool fields_due(Step step) const { return is_end(step) || fields_.due(step); }
  bool checkpoint_due(Step step) const { return step > 0 && checkpoints_.due(step); }

  /// Whether fields or a checkpoint are due, or the run ends.
  bool state_due(Step step) const { return fields_due(step) || checkpoint_due(step) || step == steps_; }
  /// The first step after `step` with state output, at most the last step.
  Step next_state(Step step) const { return std::min(fields_.next(step), checkpoints_.next(step)); }
  Step history_every() const { return output_.history_every; }
  /// Wall time between checkpoints, minutes; 0: never.
  double checkpoint_minutes() const { return output_.checkpoint_minutes; }

  /// Number of rows and of frames of the whole run.
  Step history_rows() const { return history_.count(); }
  Step frames() const { return fields_.count(); }

 private:
  bool is_end(Step step) const { return step == 0 || step == steps_; }

  Step steps_;
  Period fields_, history_, checkpoints_;
  OutputCase output_;
};

}  // namespace cleave
