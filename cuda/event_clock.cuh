/// Device time per kernel, when somebody wants to know: between CUDA events.
#pragma once

#include <algorithm>
#include <cstring>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "check_cuda.cuh"
#include "cleave/solver/solver.hpp"

namespace cleave {

/// Launches in a row with one name are measured together, from an event before the first to one behind the last. In a
/// recording the events are part of the graph: so no time of the host's is in between.
class EventClock {
 public:
  /// Events of some launches.
  class Log {
   public:
    Log() = default;
    Log(const Log&) = delete;
    Log& operator=(const Log&) = delete;
    ~Log() { clear(); }
    void clear() {
      for (const Entry& e : entries_) {
        cudaEventDestroy(e.start);
        cudaEventDestroy(e.end);
      }
      entries_.clear();
    }

   private:
    friend class EventClock;
    struct Entry {
      const char* name;
      long long calls;
      cudaEvent_t start, end;
    };
    std::vector<Entry> entries_;
  };

  void enable(bool on) { enabled_ = on; }
  bool enabled() const { return enabled_; }

  /// Launches that are not recorded, before and after this, are not measured together.
  void separate() { together_ = false; }

  /// From here on launches go to a graph that is being recorded, and into its log, until `end_recording`.
  void begin_recording(Log& log) { recorded_ = &log; }
  void end_recording(cudaStream_t stream) {
    if (!recorded_->entries_.empty()) record(recorded_->entries_.back().end, stream);
    recorded_ = nullptr;
  }

  /// Before a launch. False when it is measured together with the one before.
  bool start(const char* name, cudaStream_t stream) {
    if (!enabled_) return false;
    auto& entries = log().entries_;
    const bool together = recorded_ != nullptr || std::exchange(together_, true);
    if (together && !entries.empty() && std::strcmp(entries.back().name, name) == 0) {
      ++entries.back().calls;
      return false;
    }
    if (recorded_ != nullptr && !entries.empty()) record(entries.back().end, stream);
    if (recorded_ == nullptr && entries.size() >= most_entries) collect(direct_, stream);
    Log::Entry entry{name, 1, nullptr, nullptr};
    for (cudaEvent_t* event : {&entry.start, &entry.end}) check_cuda(cudaEventCreate(event), "creating an event");
    record(entry.start, stream);
    entries.push_back(entry);
    return true;
  }
  /// After it.
  void stop(cudaStream_t stream) {
    if (enabled_ && recorded_ == nullptr) record(direct_.entries_.back().end, stream);
  }

  /// Waits for the launches so far, the log's among them, and adds their times.
  void add(const Log& log, cudaStream_t stream) {
    check_cuda(cudaStreamSynchronize(stream), "a kernel failed");
    for (const Log::Entry& e : log.entries_) {
      float milliseconds = 0;
      check_cuda(cudaEventElapsedTime(&milliseconds, e.start, e.end), "reading an event");
      StageTime& stage = stages_.try_emplace(e.name, StageTime{e.name, 0, 0}).first->second;
      stage.seconds += 1e-3 * static_cast<double>(milliseconds);
      stage.calls += e.calls;
    }
  }

  /// Longest first; waits for the launches so far.
  std::vector<StageTime> stages(cudaStream_t stream) {
    collect(direct_, stream);
    std::vector<StageTime> list;
    for (const auto& [name, stage] : stages_) list.push_back(stage);
    std::sort(list.begin(), list.end(), [](const auto& a, const auto& b) { return a.seconds > b.seconds; });
    return list;
  }

 private:
  static constexpr std::size_t most_entries = 4096;  ///< events are not kept for ever

  Log& log() { return recorded_ != nullptr ? *recorded_ : direct_; }
  void collect(Log& log, cudaStream_t stream) {
    add(log, stream);
    log.clear();
  }
  void record(cudaEvent_t event, cudaStream_t stream) {
    check_cuda(cudaEventRecordWithFlags(event, stream, recorded_ ? cudaEventRecordExternal : cudaEventRecordDefault),
               "recording an event");
  }

  bool enabled_ = false;
  Log* recorded_ = nullptr;
  Log direct_;             ///< of launches that are not recorded
  bool together_ = false;  ///< one that has the name of the last one continues it
  std::map<std::string, StageTime, std::less<>> stages_;
};

}  // namespace cleave
