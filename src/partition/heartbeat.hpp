/// Signs of life between the ranks, so that nobody waits for ever for one that has been stopped.
#pragma once

#include <mpi.h>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

namespace cleave {

/// Rank 0 and every other rank send each other a byte now and then, whatever they do besides: a thread of its own does
/// it, so also a rank that writes a large file, or makes a mesh, is alive. A rank of which nothing comes has been
/// stopped, or its machine hangs: all ranks end.
class Heartbeat {
 public:
  /// Seconds without a sign of life after which all end, if the environment does not say otherwise.
  static constexpr double usual_patience = 45;
  /// A number of seconds; 0: for ever, as a debugger needs that stops one rank.
  static constexpr const char* patience_variable = "CLEAVE_PATIENCE";

  /// Called by all ranks, once MPI has been started for threads that take turns (MPI_THREAD_SERIALIZED).
  /// @param mpi  held by who calls MPI
  explicit Heartbeat(std::mutex& mpi);
  ~Heartbeat();
  Heartbeat(const Heartbeat&) = delete;
  Heartbeat& operator=(const Heartbeat&) = delete;

  /// For who holds `mpi` and waits in there: the thread would have to wait for it.
  void beat_if_due();

 private:
  using Clock = std::chrono::steady_clock;
  struct Other {
    int rank;
    char out = 0, in = 0;
    MPI_Request sent = MPI_REQUEST_NULL, received = MPI_REQUEST_NULL;
    int silent = 0;  ///< beats of this rank since the last one of that rank
  };
  static constexpr int beats_of_patience = 40;

  void run();
  void exchange_with(Other& other);
  [[noreturn]] void give_up(const Other& silent);

  std::mutex& mpi_;
  MPI_Comm channel_ = MPI_COMM_NULL;
  std::vector<Other> others_;  ///< that this rank listens to
  double patience_;            ///< s
  int most_silent_ = beats_of_patience;
  Clock::duration interval_;
  Clock::time_point next_;
  std::mutex end_mutex_;
  std::condition_variable ends_;
  bool ended_ = false;
  std::thread thread_;
};

}  // namespace cleave
