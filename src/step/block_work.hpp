/// Works and energies of a block while its kernel runs.
#pragma once

#include <type_traits>

#include "step/gather_ledger.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Adds the works of a block's workers to its lanes, worker i to lane i % 16, and reports for output. A step
/// that stops at the state books its works when it goes on.
template <int Workers, Output output>
struct BlockWork {
  static constexpr int lanes = LaneLedger::lanes;
  static constexpr bool books = output != Output::state, reports = output != Output::none;
  static_assert(Workers >= LaneLedger::fields && Workers % lanes == 0);
  double step[LaneLedger::kinds][books ? Workers : 1];
  double to_output[LaneLedger::kinds][reports ? Workers : 1];
  struct NoEnergies {};
  std::conditional_t<reports, QuantitySum<BlockEnergies, Workers>, NoEnergies> energy;

  CLEAVE_HD void set(int i, const NodeWork& work) {
    if constexpr (books) set_column(step, i, work.step);
    if constexpr (reports) {
      set_column(to_output, i, work.to_output);
      CLEAVE_UNROLL
      for (int field = 0; field < NodeEnergies::count; ++field) energy.value[field][i] = work.energies.value[field];
      energy[Quantity::strain_energy][i] = energy[Quantity::plastic_energy][i] = 0;
      energy[Quantity::viscous_energy][i] = 0;
    }
  }
  /// Sets the energies that worker i's element has stored and dissipated so far, J.
  template <class States>
  CLEAVE_HD_INLINE void set_material(int i, Real stored, const States& states, Index e) {
    energy[Quantity::strain_energy][i] = stored;
    if constexpr (States::dissipates) energy[States::dissipation][i] = states.dissipated[e];
  }
  /// Work of the step for a lane of a kind: field `i` of LaneLedger, J.
  CLEAVE_HD double step_sum(int i) const { return lane_sum(step[i / lanes], i % lanes); }
  /// The same by one CPU thread, node by node: all workers rest, ...
  CLEAVE_HD_INLINE void clear() {
    if constexpr (books) clear_columns(step);
    if constexpr (reports) {
      clear_columns(to_output);
      for (int field = 0; field < BlockEnergies::count; ++field)
        for (int i = 0; i < Workers; ++i) energy.value[field][i] = 0;
    }
  }
  /// ... and worker `i` steps one more node.
  CLEAVE_HD_INLINE void add(int i, const NodeWork& work) {
    if constexpr (books) add_column(step, i, work.step);
    if constexpr (reports) {
      add_column(to_output, i, work.to_output);
      CLEAVE_UNROLL
      for (int field = 0; field < NodeEnergies::count; ++field) energy.value[field][i] += work.energies.value[field];
    }
  }
  /// Works of the lanes of a row before the step, J: a GPU reads them before they are needed, a CPU only then.
  template <class Worker>
  CLEAVE_HD static auto work_before(LaneLedger ledger, Index row, Worker const& worker) {
    constexpr bool ahead = Worker::slots == 1;
    return ForEachIdx{worker}([&](Idx i) { return ahead && i < LaneLedger::fields ? ledger.sums(row, i) : 0.0; });
  }
  /// @param work_before  see above
  template <class Worker, class WorkBefore>
  CLEAVE_HD void add_to(LaneLedger ledger, const WorkBefore& work_before, BlockReport report, Index row,
                        Worker const& worker) {
    ForEachIdx each{worker};
    worker.sync();
    if constexpr (Worker::slots == 1) {
      each([&](Idx i) {
        if (i >= LaneLedger::fields) return;
        const double before = work_before[i];
        if constexpr (books) ledger.sums(row, i) = before + step_sum(i);
        // Nobody else reads what the first value of this lane was.
        if constexpr (reports) to_output[i / lanes][i % lanes] = before + lane_sum(to_output[i / lanes], i % lanes);
      });
    } else {
      for (int kind = 0; kind < LaneLedger::kinds; ++kind) add_kind(&ledger.sums(row, kind * lanes), kind);
    }
    if constexpr (reports) {
      energy.reduce(worker);
      only_master(worker, [&] {
        for (int kind = 0; kind < LaneLedger::kinds; ++kind) {
          double sum = to_output[kind][0];
          for (int lane = 1; lane < lanes; ++lane) sum += to_output[kind][lane];
          report.rows(row, kind) = sum;
        }
        for (int field = 0; field < BlockEnergies::count; ++field)
          report.rows(row, LaneLedger::kinds + field) = energy.total(field);
      });
    }
  }

 private:
  /// The lanes of a kind of work, by one CPU thread: each is added up as lane_sum does.
  CLEAVE_HD_INLINE void add_kind(double* before, int kind) {
    if constexpr (reports) {
      double sum[lanes];
      sum_lanes(to_output[kind], sum);
      for (int lane = 0; lane < lanes; ++lane) to_output[kind][lane] = before[lane] + sum[lane];
    }
    if constexpr (books) {
      double sum[lanes];
      sum_lanes(step[kind], sum);
      for (int lane = 0; lane < lanes; ++lane) before[lane] += sum[lane];
    }
  }
  CLEAVE_HD_INLINE static void sum_lanes(const double (&column)[Workers], double (&sum)[lanes]) {
    for (int lane = 0; lane < lanes; ++lane) sum[lane] = column[lane];
    for (int i = lanes; i < Workers; i += lanes)
      for (int lane = 0; lane < lanes; ++lane) sum[lane] += column[i + lane];
  }
  CLEAVE_HD_INLINE static void clear_columns(double (&columns)[LaneLedger::kinds][Workers]) {
    for (auto& column : columns)
      for (double& value : column) value = 0;
  }
  CLEAVE_HD_INLINE static void add_column(double (&column)[LaneLedger::kinds][Workers], int i, const Works& works) {
    CLEAVE_UNROLL
    for (int kind = 0; kind < LaneLedger::kinds; ++kind) column[kind][i] += works.value[kind];
  }
  CLEAVE_HD static void set_column(double (&column)[LaneLedger::kinds][Workers], int i, const Works& works) {
    CLEAVE_UNROLL
    for (int kind = 0; kind < LaneLedger::kinds; ++kind) column[kind][i] = works.value[kind];
  }
  CLEAVE_HD static double lane_sum(const double (&column)[Workers], int lane) {
    double sum = column[lane];
    for (int i = lane + lanes; i < Workers; i += lanes) sum += column[i];
    return sum;
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
