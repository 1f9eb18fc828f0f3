/// The result files of a run, except case.resolved.yaml, summary.json and the checkpoints.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cleave/output/checkpoint.hpp"
#include "cleave/output/csv_file.hpp"
#include "cleave/output/fragments.hpp"
#include "cleave/output/history.hpp"
#include "cleave/output/schedule.hpp"
#include "cleave/output/vtk.hpp"
#include "cleave/solver/snapshot.hpp"

namespace cleave {

/// Writes rows of history.csv and frames: bulk_%06d.vtu, cracks_%06d.vtu, their .pvd and rows of fragments.csv.
class Results {
 public:
  /// Touches nothing yet. `original_elements` is [bulk element], as in Mesh.
  Results(std::filesystem::path directory, std::vector<Index> original_elements);

  /// What a run that goes on from there would lack: files of frames, rows of history.csv and of fragments.csv that
  /// were written before and are gone. Empty: nothing.
  std::vector<std::string> missing(const Checkpoint& checkpoint) const;
  /// Goes on from a checkpoint: what was written after it is removed.
  void resume(const Checkpoint& checkpoint, const Schedule& schedule);

  void add(const HistoryRow& row) { history_.append(row); }
  void add(const Snapshot& snapshot);
  /// Rows reach their files with every frame, a fraction of a second late otherwise, or now.
  void flush() { history_.flush(); }

  const std::filesystem::path& directory() const { return directory_; }
  const History& history() const { return history_; }
  const std::vector<Frame>& frames() const { return frames_; }
  /// What is written until a step, as a checkpoint of that step says it.
  Written written(Step step) const { return {frames_, history_.rows_before(step)}; }
  /// The fragments of the last frame added.
  const std::vector<Fragment>& fragments() const { return fragments_; }

 private:
  std::filesystem::path directory_;
  std::vector<Index> original_elements_;
  History history_;
  CsvFile fragments_csv_;
  std::vector<Frame> frames_;
  std::vector<Fragment> fragments_;
};

}  // namespace cleave
