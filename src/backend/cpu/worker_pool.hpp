/// Threads that wait for work: briefly on the processor, then asleep. They leave processors to threads that write
/// frames beside them: a thread that stands still in the middle of a task has all others wait for it.
///
/// OpenMP's threads keep their processor busy for milliseconds while they wait. Beside other programs that takes the
/// time away from the threads that are waited for: a ring of 4,608 T6 without frames, on two cores beside four busy
/// neighbours, took 10 to 65 s with them and 4 to 7 s with these; without neighbours 1 s with both.
#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "cleave/core/parallel.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace cleave {

/// Place at which a thread waits for changes by others.
class WaitingPlace {
 public:
  template <class Condition>
  void wait_until(const Condition& condition) {
    constexpr int spins = 500;  // some ten microseconds: the next kernel mostly comes sooner
    for (int i = 0; i < spins; ++i) {
      if (condition()) return;
      pause();
    }
    std::unique_lock lock(mutex_);
    asleep_ = true;
    changed_.wait(lock, condition);
    asleep_ = false;
  }
  /// After a change that its thread may wait for. Both sides write first and look then, in one order for all threads:
  /// so either this one sees that the other sleeps, or that one sees the change.
  void wake() {
    if (!asleep_) return;
    { const std::lock_guard lock(mutex_); }  // it has looked and does not sleep yet
    changed_.notify_one();
  }

 private:
  static void pause() {
#if defined(__x86_64__)
    _mm_pause();
#endif
  }

  std::atomic<bool> asleep_ = false;
  std::mutex mutex_;  // std::atomic::wait yields before it sleeps, which gives a busy neighbour milliseconds each time
  std::condition_variable changed_;
};

class WorkerPool {
 public:
  /// @param workers  at least 1, of which one is the thread that calls run()
  /// @param processors  that they share with threads beside them
  /// Throws std::runtime_error when the system does not start so many.
  explicit WorkerPool(int workers, int processors = 1 << 20)
      : processors_(std::max(processors, workers)), seats_(workers) {
    try {
      for (int worker = 1; worker < workers; ++worker) threads_.emplace_back([this, worker] { serve(worker); });
    } catch (const std::system_error& error) {
      const std::string started = std::to_string(threads_.size() + 1);
      stop();
      throw std::runtime_error("only " + started + " of " + std::to_string(workers) + " threads can be started (" +
                               error.code().message() + "); ask for fewer with --threads or run.threads");
    }
  }
  ~WorkerPool() { stop(); }
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  int workers() const { return static_cast<int>(seats_.size()); }

  /// Calls task(worker, workers) once for each worker, at the same time, and returns when all calls have. Of the
  /// workers as many rest as threads beside them want their processors, so what a task does must not depend on
  /// `workers`. One thread at a time may call this; a task must not throw.
  template <class Task>
  void run(const Task& task) {
    const int active = std::clamp(processors_ - threads_beside.load(std::memory_order_relaxed), 1, workers());
    if (active == 1) return task(0, 1);
    task_ = &task;
    call_ = [](const void* t, int worker, int workers) { (*static_cast<const Task*>(t))(worker, workers); };
    working_.store(active - 1, std::memory_order_relaxed);
    start(active);
    task(0, active);
    seats_[0].wait_until([&] { return working_ == 0; });
  }

 private:
  /// Number of a task and of its workers in one word, so that each task has another word.
  using Round = std::uint64_t;
  static constexpr int bits_of_workers = 16;
  static int workers_of(Round round) { return static_cast<int>(round & ((Round{1} << bits_of_workers) - 1)); }

  void stop() {
    stops_ = true;
    start(workers());
    for (std::thread& thread : threads_) thread.join();
  }

  void serve(int worker) {
    for (Round last = 0;;) {
      // Rounds that are not for this worker pass by without it. None that is ends before it has worked.
      Round round = 0;
      seats_[worker].wait_until([&] {
        round = round_;
        return round != last && worker < workers_of(round);
      });
      last = round;
      if (stops_) return;
      call_(task_, worker, workers_of(round));
      if (working_.fetch_sub(1) == 1) seats_[0].wake();
    }
  }

  void start(int active) {
    ++rounds_;
    round_ = rounds_ << bits_of_workers | static_cast<Round>(active);
    for (int worker = 1; worker < active; ++worker) seats_[worker].wake();
  }

  const int processors_;
  std::vector<std::thread> threads_;
  const void* task_ = nullptr;
  void (*call_)(const void* task, int worker, int workers) = nullptr;
  bool stops_ = false;
  Round rounds_ = 0;
  std::vector<WaitingPlace> seats_;
  alignas(64) std::atomic<Round> round_{0};
  alignas(64) std::atomic<int> working_{0};  ///< threads that have not finished the task
};

}  // namespace cleave
