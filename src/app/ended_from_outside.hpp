/// Summaries of runs on several ranks that are ended by another process than rank 0.
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

/// summary.json of a run. Thread-safe.
class SummaryFile {
 public:
  explicit SummaryFile(OutputDirectory directory) : directory_(std::move(directory)) {}
  void write(const RunSummary& summary);
  /// Sets status, reason and step in the last summary, unless the run has already ended.
  void interrupted(const std::string& reason, Step reached);

 private:
  OutputDirectory directory_;
  std::mutex mutex_;
  RunSummary last_;
};

/// While it exists, watches on rank 0 for the end of a run on several ranks. When a rank dies, mpirun sends SIGTERM to
/// the others and soon kills them. They cannot handle the signal at a step, because they wait for the dead rank.
class EndedFromOutside {
 public:
  /// @param say  called with the reason, on any thread; may be called again if the run continues
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
