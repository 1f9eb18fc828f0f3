/// A mutex whose threads take turns.
#pragma once

#include <atomic>

namespace cleave {

/// Threads get it in the order in which they ask: one that asks again at once does not keep others waiting.
class FairMutex {
 public:
  void lock() {
    const unsigned own = next_.fetch_add(1, std::memory_order_relaxed);
    for (unsigned now; (now = served_.load(std::memory_order_acquire)) != own;)
      served_.wait(now, std::memory_order_relaxed);
  }
  void unlock() {
    served_.fetch_add(1, std::memory_order_release);
    served_.notify_all();
  }

 private:
  std::atomic<unsigned> next_{0}, served_{0};
};

}  // namespace cleave
