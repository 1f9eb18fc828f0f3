/// Signs of life between the ranks, so that nobody waits for ever for one that has been stopped.
#pragma once

#include <mpi.h>

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace cleave {

/// Rank 0 and every other rank send each other a byte now and then, whatever they do besides: a thread of its own does
/// it, so also a rank that writes a large file, or makes a mesh, is alive. A rank of which nothing comes has been
/// stopped, or its machine hangs: all ranks end.
class Heartbeat {
 public:
  /// Seconds without a sign of life after which all end, unless CLEAVE_PATIENCE says otherwise (0: they never do, as a
  /// debugger needs that stops one rank).
  static constexpr double usual_patience = 45;

  /// Called by all ranks, once MPI has been started for threads that take turns (MPI_THREAD_SERIALIZED).
  /// @param mpi         held by who calls MPI
  /// @param say_why     called on rank 0, with `mpi` held, before it ends all: with the reason
  /// @param wake_first  called where rank 0 is silent: wakes it up if it has been stopped on this machine
  Heartbeat(std::mutex& mpi, std::function<void(const std::string&)> say_why, std::function<void()> wake_first);
  ~Heartbeat();
  Heartbeat(const Heartbeat&) = delete;
  Heartbeat& operator=(const Heartbeat&) = delete;

  /// For who holds `mpi` and waits in there: the thread would have to wait for it.
  void beat_if_due();
  /// For a rank that cannot go on: tells rank 0 why, which ends all, and returns if it does not within some seconds.
  void leave_to_first(const std::string& why);

 private:
  using Clock = std::chrono::steady_clock;
  struct Other {
    int rank;
    char out = 0, in = 0;
    MPI_Request sent = MPI_REQUEST_NULL, received = MPI_REQUEST_NULL;
    int silent = 0;  ///< beats of this rank since the last one of that rank
  };
  static constexpr int beats_of_patience = 40;
  static constexpr std::chrono::seconds time_for_words{6};  ///< that rank 0 has to hear why and to end all
  enum Tag { beat, words };

  void run();
  void exchange_with(Other& other);
  void listen_for_words();
  void tell_first(const std::string& why, std::unique_lock<std::mutex>* held);
  [[noreturn]] void give_up(const Other& silent);
  [[noreturn]] void end_all(const std::string& why);

  std::mutex& mpi_;
  std::function<void(const std::string&)> say_why_;
  std::function<void()> wake_first_;
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
