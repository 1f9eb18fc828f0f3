/// Threads that wait for work: briefly on the processor, then asleep.
///
/// OpenMP's threads keep their processor busy for milliseconds while they wait. Beside other programs that takes the
/// time away from the threads that are waited for: the quick start without frames, on two cores beside four busy
/// neighbours, took 10 to 65 s with them and 4 to 7 s with these; without neighbours 1 s with both.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace cleave {

class WorkerPool {
 public:
  /// @param workers  at least 1, of which one is the thread that calls run()
  /// Throws std::runtime_error when the system does not start so many.
  explicit WorkerPool(int workers) {
    try {
      for (int worker = 1; worker < workers; ++worker) threads_.emplace_back([this, worker] { serve(worker); });
    } catch (const std::system_error& error) {
      stop();
      throw std::runtime_error("only " + std::to_string(this->workers()) + " of " + std::to_string(workers) +
                               " threads can be started (" + error.code().message() +
                               "); ask for fewer with --threads or run.threads");
    }
  }
  ~WorkerPool() { stop(); }
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  int workers() const { return static_cast<int>(threads_.size()) + 1; }

  /// Calls task(worker) once for each worker, at the same time, and returns when all calls have. One thread at a time
  /// may call this; a task must not throw.
  template <class Task>
  void run(const Task& task) {
    if (threads_.empty()) return task(0);
    task_ = &task;
    call_ = [](const void* t, int worker) { (*static_cast<const Task*>(t))(worker); };
    working_.store(static_cast<int>(threads_.size()), std::memory_order_relaxed);
    start();
    task(0);
    wait_until([&] { return working_.load(std::memory_order_acquire) == 0; });
  }

 private:
  void stop() {
    stops_ = true;
    start();
    for (std::thread& thread : threads_) thread.join();
  }

  void serve(int worker) {
    for (std::int64_t round = 1;; ++round) {
      wait_until([&] { return round_.load(std::memory_order_acquire) == round; });
      if (stops_) return;
      call_(task_, worker);
      if (working_.fetch_sub(1, std::memory_order_acq_rel) == 1) wake_sleepers();
    }
  }

  void start() {
    round_.fetch_add(1, std::memory_order_release);
    wake_sleepers();
  }

  template <class Condition>
  void wait_until(const Condition& condition) {
    constexpr int spins = 500;  // some ten microseconds: the next kernel mostly comes sooner
    for (int i = 0; i < spins; ++i) {
      if (condition()) return;
      pause();
    }
    std::unique_lock lock(mutex_);
    changed_.wait(lock, condition);
  }

  /// After a change that somebody may wait for. The lock is for those that have looked and do not sleep yet.
  void wake_sleepers() {
    { const std::lock_guard lock(mutex_); }
    changed_.notify_all();
  }

  static void pause() {
#if defined(__x86_64__)
    _mm_pause();
#endif
  }

  std::vector<std::thread> threads_;
  const void* task_ = nullptr;
  void (*call_)(const void* task, int worker) = nullptr;
  bool stops_ = false;
  alignas(64) std::atomic<std::int64_t> round_{0};  ///< number of the present task, from 1
  alignas(64) std::atomic<int> working_{0};         ///< threads that have not finished it
  std::mutex mutex_;  // std::atomic::wait yields before it sleeps, which gives a busy neighbour milliseconds each time
  std::condition_variable changed_;
};

}  // namespace cleave
