/// The energy identity of a run.
#pragma once

#include <algorithm>
#include <cmath>

#include "body/state_stream.hpp"
#include "cleave/solver/snapshot.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Energies that the identity of a row is measured against: those of step 0, and the largest so far.
class EnergyBalance {
 public:
  /// Rows whose step is a multiple are due; 0: all are.
  void set_rows_due(Step every) { rows_every_ = every; }

  /// Completes a row by the quantities that follow from others. The row of step 0 says where it begins. Rows that
  /// are made between those that are due, for a frame or at a stop, leave no trace: neither changes the rows behind
  /// them.
  void complete(HistoryRow& row) {
    row.dissipated_energy = row.cohesive_work - row.recoverable_energy;
    row.balance_error = error_of(row);
    if (row.step == 0) initial_strain_ = row.strain_energy;
    row.work_minus_energy = row.internal_work - (row.strain_energy - initial_strain_) - row.plastic_energy -
                            row.viscous_energy - row.eroded_energy;
  }
  void save(StateWriter& to) const {
    for (const double* value : {&initial_kinetic_, &initial_strain_, &largest_}) to.value(*value);
  }
  void load(StateReader& from) {
    for (double* value : {&initial_kinetic_, &initial_strain_, &largest_}) from.value(*value);
  }

 private:
  /// Relative to the largest energy so far.
  double error_of(const HistoryRow& row) {
    const double corrected = row.kinetic_energy - row.kinetic_correction;
    if (row.step == 0) initial_kinetic_ = corrected;
    double balance = corrected - initial_kinetic_;
    double largest = largest_;
    for (const double energy : {row.kinetic_energy, row.strain_energy}) largest = std::max(largest, std::fabs(energy));
    for_each_quantity(row, [&](Quantity q, auto of_row) {
      const auto value = static_cast<double>(of_row);
      const int sign = info_of(q).identity_sign;
      if (sign == 0) return;
      balance += sign * value;
      largest = std::max(largest, std::fabs(value));
    });
    if (rows_every_ == 0 || row.step % rows_every_ == 0) largest_ = largest;
    return largest > 0 ? balance / largest : 0;
  }

  double initial_kinetic_ = 0;  ///< corrected, J
  double initial_strain_ = 0;   ///< J
  double largest_ = 0;          ///< J, of the rows that were due
  Step rows_every_ = 0;
};

}  // namespace cleave::inline CLEAVE_PRECISION
