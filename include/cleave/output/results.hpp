/// The result files of a run, except case.resolved.yaml, summary.json and the checkpoints.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <functional>
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
#include "cleave/output/ordered_queue.hpp"
#include "cleave/output/sample_files.hpp"
#include "cleave/output/schedule.hpp"
#include "cleave/output/vtk.hpp"
#include "cleave/output/vtkhdf.hpp"
#include "cleave/solver/snapshot.hpp"

namespace cleave {

/// Threads that write frames, and the source of the frames' state.
struct Writers {
  int frames = 1;   ///< number of frames written at the same time
  int threads = 1;  ///< shared by these frames
  CopiedFrom from{};
  int in_flight() const { return frames + 1; }  ///< largest number of frames whose copies are in memory
};

/// Distribution of threads over frames. Parts of a frame are serial, so several frames at a time keep many threads
/// busy; but each takes memory. A frame may use more threads than its share, because it is often the only one: the
/// first, and the last, for which the end of the run waits.
Writers share_among_frames(int threads, const CopiedFrom& from = {});

/// Writes rows of history.csv, and on threads of its own frames and rows of fragments.csv. Frames are bulk_%06d.vtu,
/// cracks_%06d.vtu and their .pvd, or bulk.vtkhdf and cracks.vtkhdf. Lists name frames in order and only when they are
/// complete; a .pvd, which is rewritten as a whole, is updated a fraction of a second late. The content of files does
/// not depend on the number of threads.
class Results {
 public:
  /// Does not touch any file.
  /// @param directory  output.directory, held by the run
  /// @param mesh  the mesh at the start of the run; must outlive this object
  /// @param groups  names of the groups with prescribed motion
  /// @param random_strength  probes.csv has a column of strength factors for each probe
  /// @param lines  lines whose points follow the probes of the case
  /// @param obstacles  with columns and frames
  Results(const OutputCase& output, OutputDirectory directory, const Mesh& mesh, Writers writers = {},
          const std::vector<std::string>& groups = {}, bool random_strength = false, std::vector<SampleLine> lines = {},
          std::vector<ObstacleOutline> obstacles = {}, const std::vector<std::string>& process_columns = {});

  /// Results that a run lacks when it continues from a checkpoint: files of frames, and rows, that had been written and
  /// are missing, truncated or different. Empty: none.
  std::vector<std::string> missing(const Checkpoint& checkpoint, const Schedule& schedule) const;
  /// Continues from a checkpoint: removes what was written after it, and lists no missing frames in a .pvd. Throws
  /// InputError, before touching anything, if a VTKHDF series has fewer frames than the checkpoint, because such a
  /// series cannot have gaps.
  void resume(const Checkpoint& checkpoint, const Schedule& schedule);

  /// Also calls f with the state of each frame, on the threads that write frames, several at a time.
  void look_at_frames(std::function<void(const Snapshot&)> f) { look_ = std::move(f); }

  void add(const HistoryRow& row) { history_.append(row); }
  void add(const ProbeRow& row) {
    probes_.append(row);
    lines_.append(row);
  }
  /// Parts of the solver's state that a frame needs.
  SnapshotParts parts() const { return choice_.parts(); }
  /// Call before copying the state of a frame of that size. Waits until the frame fits into the free memory beside the
  /// frames under way, or none is under way. Throws std::runtime_error if an earlier frame could not be written.
  void make_room(const FrameSize& size);
  /// Passes a frame on for writing; waits while too many are under way. Throws as make_room().
  /// @param obstacles  where they are, as the row of the step tells
  void add(PendingSnapshot state, std::vector<ObstacleValues> obstacles = {});
  /// Writes all rows now; otherwise they are written with each frame, or a fraction of a second late.
  void flush() {
    history_.flush();
    probes_.flush();
    lines_.flush();
  }
  /// Waits until all frames are written and listed. Throws std::runtime_error if a frame could not be written.
  void wait();

  /// Throws std::runtime_error, with their names, if the directory or files of this run were moved, removed or replaced
  /// during the run. Call wait() before.
  void check_all_is_there() const;

  const OutputDirectory& directory() const { return directory_; }
  const History& history() const { return history_; }
  /// The complete frames. Call wait() before.
  const std::vector<Frame>& frames() const { return frames_; }
  /// Frames and rows written until `step`, for a checkpoint of that step. Call wait() before.
  Written written(Step step) const;
  /// The fragments of the last frame. Call wait() before.
  const std::vector<Fragment>& fragments() const { return fragments_; }

 private:
  std::array<const CsvFile*, 4> csv_files() const;
  bool has_whole(const std::string& series, const Frame& frame) const;
  int threads_of_next_frame();
  OrderedQueue::Finish write(Snapshot snapshot, std::int64_t number, const FrameChoice& choice,
                             const std::vector<ObstacleValues>& places);
  OrderedQueue::Finish write_grids(const Grid& bulk, const Grid& cracks, Frame& frame, int threads);
  void write_lists();
  void list(Frame frame, std::vector<Fragment> fragments);

  OutputCase output_;
  OutputDirectory directory_;
  const Mesh& mesh_;
  std::vector<ObstacleOutline> obstacles_;
  FrameChoice choice_;  ///< except the number of threads
  int threads_;         ///< shared by all frames
  int in_flight_;       ///< largest number of frames under way
  CopiedFrom from_;
  std::atomic<int> under_way_ = 0;
  double room_ = 0;                         ///< bytes that frames may take together
  std::optional<HdfSeries> bulk_, cracks_;  ///< with format vtkhdf only
  KeptBlocks kept_of_bulk_, kept_of_cracks_;
  History history_;
  ProbesFile probes_;
  LinesFile lines_;
  CsvFile fragments_csv_;
  std::int64_t next_number_ = 0;  ///< number of the next frame
  std::vector<Frame> frames_;
  bool lists_are_late_ = false;                          ///< some frames are in no .pvd yet
  std::chrono::steady_clock::time_point lists_written_;  ///< time of the last update
  std::vector<Fragment> fragments_;
  std::function<void(const Snapshot&)> look_;  ///< may be empty
  OrderedQueue queue_;                         ///< last member, because its threads use the others
};

}  // namespace cleave
