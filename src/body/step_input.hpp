/// Loads and prescribed motions of a step.
#pragma once

#include <cstddef>

#include "cleave/core/types.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Loads and motions of one step, in solver memory, so that a recorded launch finds new values at its next replay:
/// velocities (m/s) of all prescribed motions, entry 0 unused, then their accelerations (m/s^2), then the line pressure
/// (N/m) of each load: pressure times thickness, then the acceleration (m/s^2) of the body force along x and y, then
/// the rate (1/s) of the damping of all nodes.
struct StepInput {
  const Real* table;  ///< [row][width]
  const Index* row;   ///< of the first step of the recording
  int step;           ///< counted from that row
  int motions;        ///< entries of the velocities, and of the accelerations
  int loads;

  static constexpr int width(int motions, int loads) { return 2 * motions + loads + 3; }
  /// Input of the step before.
  CLEAVE_HD StepInput before() const { return {table, row, step - 1, motions, loads}; }
  CLEAVE_HD const Real* values() const {
    return table + static_cast<std::ptrdiff_t>(*row + step) * width(motions, loads);
  }
  CLEAVE_HD Real velocity(int m) const { return values()[m]; }
  CLEAVE_HD Real acceleration(int m) const { return values()[motions + m]; }
  /// Increment of a motion in the step from here, m.
  CLEAVE_HD Real increment(int m, Real dt) const { return dt * velocity(m) + Real(0.5) * dt * dt * acceleration(m); }
  CLEAVE_HD Real line_pressure(Index load) const { return values()[2 * motions + load]; }
  CLEAVE_HD Vec2 body_force() const {
    const Real* at = values() + 2 * motions + loads;
    return {at[0], at[1]};
  }
  CLEAVE_HD Real drag_rate() const { return values()[2 * motions + loads + 2]; }
};

}  // namespace cleave::inline CLEAVE_PRECISION
