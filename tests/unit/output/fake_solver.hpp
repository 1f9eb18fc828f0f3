/// A solver whose state is one number.
#pragma once

#include <istream>
#include <ostream>

#include "cleave/solver/solver.hpp"

namespace cleave::test {

struct FakeSolver : Solver {
  Step state = 0;

  void advance(Step n, Output, const RowsOnTheWay&) override { state += n; }
  double insert_cohesive(const std::vector<Index>&) override { return 0; }
  void reserve(Index, Index, Index) override {}
  Step step() const override { return state; }
  HistoryRow history() override { return {}; }
  std::vector<ProbeRow> take_probe_rows() override { return {}; }
  PendingSnapshot capture(const SnapshotParts&) override {
    return [](int) { return Snapshot{}; };
  }
  PendingSnapshot capture_failed() override { return capture({}); }
  Deformation largest_deformation() override { return {}; }
  std::vector<FieldNorms> field_norms() override { return {}; }
  void save(std::ostream& out) override { out.write(reinterpret_cast<const char*>(&state), sizeof state); }
  void load(std::istream& in) override { in.read(reinterpret_cast<char*>(&state), sizeof state); }
  std::vector<StageTime> stage_times() override { return {}; }
  MemoryUse memory() const override { return {}; }
  std::string device() const override { return "none"; }
};

}  // namespace cleave::test
