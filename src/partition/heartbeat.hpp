/// Signs of life between the ranks, so that nobody waits for ever for one that has been stopped.
#pragma once

#include <mpi.h>

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "cleave/core/fair_mutex.hpp"

namespace cleave {

/// Rank 0 and every other rank send each other an empty message now and then, whatever they do besides: a thread of its
/// own does it, so also a rank that writes a large file, or makes a mesh, is alive. A rank of which nothing comes has
/// been stopped, or its machine hangs: all ranks end. A message with a text says why its sender cannot go on.
class Heartbeat {
 public:
  /// Called by all ranks, once MPI has been started for threads that take turns (MPI_THREAD_SERIALIZED).
  /// @param mpi         held by the thread that calls MPI
  /// @param patience    s without a sign of life after which all end; above 0
  /// @param say_why     called on rank 0, with `mpi` held, before it ends all: with the reason
  /// @param wake_first  called where rank 0 is silent: wakes it up if it has been stopped on this machine
  Heartbeat(FairMutex& mpi, double patience, std::function<void(const std::string&)> say_why,
            std::function<void()> wake_first);
  ~Heartbeat();
  Heartbeat(const Heartbeat&) = delete;
  Heartbeat& operator=(const Heartbeat&) = delete;

  /// For who holds `mpi` and waits in there: the thread would have to wait for it.
  void beat_if_due();
  /// For a rank other than 0 that cannot go on and holds `mpi`: tells rank 0 why, which ends all. Returns if it does
  /// not within some seconds.
  void tell_first(const std::string& why);

 private:
  using Clock = std::chrono::steady_clock;
  struct Other {
    int rank;
    int silent = 0;  ///< beats of this rank since the last one of that rank
    MPI_Request sent = MPI_REQUEST_NULL;
  };

  void run(const std::stop_token& stop);
  void receive();
  [[noreturn]] void give_up(const Other& silent);
  [[noreturn]] void end_all(const std::string& why);

  FairMutex& mpi_;
  double patience_;
  std::function<void(const std::string&)> say_why_;
  std::function<void()> wake_first_;
  MPI_Comm channel_ = MPI_COMM_NULL;
  std::vector<Other> others_;  ///< that this rank listens to, by rank
  int most_silent_;
  Clock::duration interval_;
  Clock::time_point next_ = Clock::now();
  std::mutex sleep_;
  std::condition_variable_any wake_;
  std::jthread thread_;
};

}  // namespace cleave
