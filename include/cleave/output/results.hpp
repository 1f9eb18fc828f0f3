/// The result files of a run, except case.resolved.yaml, summary.json and the checkpoints.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "cleave/output/checkpoint.hpp"
#include "cleave/output/csv_file.hpp"
#include "cleave/output/fragments.hpp"
#include "cleave/output/frame_size.hpp"
#include "cleave/output/grid.hpp"
#include "cleave/output/history.hpp"
#include "cleave/output/kept_blocks.hpp"
#include "cleave/output/lines_file.hpp"
#include "cleave/output/ordered_queue.hpp"
#include "cleave/output/probes_file.hpp"
#include "cleave/output/schedule.hpp"
#include "cleave/output/vtk.hpp"
#include "cleave/output/vtkhdf.hpp"
#include "cleave/solver/snapshot.hpp"

namespace cleave {

/// Threads that write frames, and what these are copied from.
struct Writers {
  int frames = 1;   ///< at the same time
  int threads = 1;  ///< that they share
  CopiedFrom from{};
  int in_flight() const { return frames + 1; }  ///< frames whose copies are in memory at the same time, at most
};

/// Several frames at a time keep many threads busy, as parts of a frame are serial; but each takes memory. A frame may
/// take more than its share, as it is often the only one: the first, and the last, which the end of the run waits for.
Writers share_among_frames(int threads, const CopiedFrom& from = {});

/// Writes rows of history.csv and, on threads of its own, frames: bulk_%06d.vtu, cracks_%06d.vtu and their .pvd, or
/// bulk.vtkhdf and cracks.vtkhdf; and rows of fragments.csv. These name a frame only when it is complete, and frames in
/// order; a .pvd, which is written anew, does so a fraction of a second late. What a file holds does not depend on the
/// number of threads.
class Results {
 public:
  /// Touches nothing yet.
  /// @param directory  output.directory, which a run holds
  /// @param mesh  as the run begins with it; it must stay
  /// @param groups  names of those that are held or driven
  /// @param random_strength  probes.csv has a column of factors of strengths for each probe
  /// @param lines  whose points come behind the probes of the case
  Results(const OutputCase& output, OutputDirectory directory, const Mesh& mesh, Writers writers = {},
          const std::vector<std::string>& groups = {}, bool random_strength = false,
          std::vector<SampleLine> lines = {});

  /// Lacking results of a run that goes on from there: files of frames and rows that were written before and are gone,
  /// cut off or others. Empty: nothing.
  std::vector<std::string> missing(const Checkpoint& checkpoint, const Schedule& schedule) const;
  /// Goes on from a checkpoint: what was written after it is removed, and a .pvd does not name frames that are missing.
  /// Throws InputError, and has touched nothing, when a VTKHDF series has fewer frames than the checkpoint names, as
  /// one cannot go on with a gap.
  void resume(const Checkpoint& checkpoint, const Schedule& schedule);

  void add(const HistoryRow& row) { history_.append(row); }
  void add(const ProbeRow& row) {
    probes_.append(row);
    lines_.append(row);
  }
  /// What a frame needs of the solver's state.
  SnapshotParts parts() const { return choice_.parts(); }
  /// Waits until a frame of that many nodes and cohesive elements has room in the memory that is left, beside those
  /// that are being written, or there are none: before its state is copied. Throws std::runtime_error when one of those
  /// could not be written.
  void make_room(Index nodes, Index cohesive);
  /// Hands a frame over, after waiting for one of those before if there are too many. Throws likewise.
  void add(PendingSnapshot state);
  /// Rows reach their files with every frame, a fraction of a second late otherwise, or now.
  void flush() {
    history_.flush();
    probes_.flush();
    lines_.flush();
  }
  /// Waits until all frames are written and listed. Throws std::runtime_error when one could not be.
  void wait();

  /// Throws std::runtime_error, saying what, when the directory or files of this run in it were moved, removed or
  /// replaced meanwhile. Call wait() before.
  void check_all_is_there() const;

  const OutputDirectory& directory() const { return directory_; }
  const History& history() const { return history_; }
  /// The frames that are complete. Call wait() before.
  const std::vector<Frame>& frames() const { return frames_; }
  /// What is written until a step, as a checkpoint of that step says it. Call wait() before.
  Written written(Step step) const;
  /// The fragments of the last frame. Call wait() before.
  const std::vector<Fragment>& fragments() const { return fragments_; }

 private:
  std::array<const CsvFile*, 4> csv_files() const;
  bool has_whole(const std::string& series, const Frame& frame) const;
  int threads_for_one_more();
  OrderedQueue::Finish write(Snapshot snapshot, std::int64_t number, const FrameChoice& choice);
  OrderedQueue::Finish write_grids(const Grid& bulk, const Grid& cracks, Frame& frame, int threads);
  void write_lists();
  void list(Frame frame, std::vector<Fragment> fragments);

  OutputCase output_;
  OutputDirectory directory_;
  const Mesh& mesh_;
  FrameChoice choice_;  ///< but for the threads
  int threads_;         ///< that all frames share
  int in_flight_;       ///< frames at most
  CopiedFrom from_;
  std::atomic<int> under_way_ = 0;
  double room_ = 0;                         ///< bytes that frames may take together
  std::optional<HdfSeries> bulk_, cracks_;  ///< with the format vtkhdf
  KeptBlocks kept_of_bulk_, kept_of_cracks_;
  History history_;
  ProbesFile probes_;
  LinesFile lines_;
  CsvFile fragments_csv_;
  std::int64_t next_number_ = 0;  ///< of the frame that is handed over next
  std::vector<Frame> frames_;
  bool lists_are_late_ = false;                          ///< there are frames that no .pvd names
  std::chrono::steady_clock::time_point lists_written_;  ///< when
  std::vector<Fragment> fragments_;
  OrderedQueue queue_;  ///< last: its threads use the others
};

}  // namespace cleave
