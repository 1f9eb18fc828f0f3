/// Runs of several ranks that are ended before rank 0 can end them itself: what its summary says then.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>

#include "cleave/output/summary.hpp"
#include "cleave/partition/ranks.hpp"

namespace cleave {

/// summary.json of a run. Whoever learns that the run is ended from outside may say so, on any thread.
class SummaryFile {
 public:
  explicit SummaryFile(OutputDirectory directory) : directory_(std::move(directory)) {}
  void write(const RunSummary& summary);
  /// What the last summary lacks, unless it says already how the run has ended.
  void interrupted(const std::string& reason, Step reached);

 private:
  OutputDirectory directory_;
  std::mutex mutex_;
  RunSummary last_;
};

/// Listens, on rank 0 and while it lives, for what ends a run of several ranks. When a rank dies, mpirun sends SIGTERM
/// to the others, which cannot reach the next look at signals as they wait for it, and soon kills them.
class EndedFromOutside {
 public:
  /// @param say  called with the reason, by any thread; more than once when the run goes on after all
  EndedFromOutside(Ranks& ranks, std::function<void(const std::string& reason)> say);
  ~EndedFromOutside();
  EndedFromOutside(const EndedFromOutside&) = delete;
  EndedFromOutside& operator=(const EndedFromOutside&) = delete;

 private:
  void look_for_signal(const std::stop_token& stop);

  Ranks& ranks_;
  std::function<void(const std::string&)> say_;
  std::mutex mutex_;
  std::condition_variable_any ends_;
  std::jthread thread_;
};

}  // namespace cleave
