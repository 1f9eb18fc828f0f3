/// Loads and prescribed motions of the steps ahead, where launches read them.
#pragma once

#include <array>
#include <vector>

#include "body/live_counts.hpp"
#include "cleave/lockstep/kernel.hpp"
#include "terms/loads/loading.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Loads, motions, body force and damping as functions of time, tabled for the next steps.
template <class Backend>
class StepInputs {
 public:
  explicit StepInputs(const Model& model)
      : motions_(model.motions),
        loads_(model.loads),
        acceleration_(model.body_acceleration),
        curve_(model.body_curve),
        drag_(model.drag),
        dt_(model.step),
        thickness_(static_cast<Real>(model.thickness)) {}

  const std::vector<PrescribedMotion>& motions() const { return motions_; }
  const std::vector<PressureLoad>& loads() const { return loads_; }
  /// @param number  of the step, counted from the one at which the last recording ended
  StepInput at(const LiveCounts* live, int number) const {
    return {table_.data(), &live->row, number, static_cast<int>(motions_.size()) + 1, static_cast<int>(loads_.size())};
  }
  /// The first step that the table does not have.
  Step end() const { return end_; }
  /// Tables the steps from `first` on anew; the run is at step `now`.
  void provide(Backend& backend, LiveCounts* live, Step first, Step now) {
    std::vector<Real> values;
    for (Step n = first; n < first + steps_ahead; ++n) {
      const MotionState motion = motion_at(motions_, n, dt_);
      const std::size_t entries = motions_.size() + 1;
      values.insert(values.end(), motion.velocity, motion.velocity + entries);
      values.insert(values.end(), motion.acceleration, motion.acceleration + entries);
      for (const PressureLoad& load : loads_) values.push_back(line_pressure(load, n));
      const double now_of_curve = curve_.value(time_of(n));
      for (const double along : acceleration_) values.push_back(static_cast<Real>(along * now_of_curve));
      const bool over = drag_.until && time_of(n) > *drag_.until;
      values.push_back(static_cast<Real>(over ? 0 : drag_.rate));
    }
    table_.upload(values);
    end_ = first + steps_ahead;
    backend.launch(Fill<Index>{&live->row, 1, static_cast<Index>(now - first)});
    backend.launch(Fill<Step>{&live->first_input, 1, first});
  }
  /// A table of other steps is there: that of a run before a checkpoint was loaded.
  void forget() { end_ = 0; }

 private:
  static constexpr Step steps_ahead = 4096;
  double time_of(Step n) const { return static_cast<double>(n) * dt_; }
  /// Pressure of a load at a step times thickness, N/m.
  Real line_pressure(const PressureLoad& load, Step n) const {
    return static_cast<Real>(load.pressure * load.curve.value(time_of(n)) * thickness_);
  }

  std::vector<PrescribedMotion> motions_;
  std::vector<PressureLoad> loads_;
  std::array<double, 2> acceleration_;  ///< of the body force, m/s^2, times its curve
  Curve curve_;
  DampingCase drag_;
  double dt_;
  Real thickness_;
  typename Backend::template Buffer<Real> table_;  ///< [row][StepInput::width], see LiveCounts::row
  Step end_ = 0;
};

}  // namespace cleave::inline CLEAVE_PRECISION
