/// How much solver memory is in use, and was at most, what went there and back, and whether arrays are still where they
/// were.
#pragma once

#include <algorithm>
#include <cstddef>
#include <mutex>

#include "cleave/core/solver_values.hpp"

namespace cleave {

/// Counts the bytes of a backend's buffers. A run makes them by one thread; where threads stand for ranks, as in tests,
/// several do.
class MemoryMeter {
 public:
  /// A buffer has got other memory, with so many more bytes.
  void take(std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    use_.peak = std::max(use_.peak, use_.now += bytes);
    ++epoch_;
  }
  void give_back(std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    use_.now -= bytes;
  }
  void sent(std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    use_.to_device += bytes;
  }
  void fetched(std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    use_.from_device += bytes;
  }
  std::size_t peak() const { return use().peak; }
  MemoryUse use() const {
    const std::lock_guard lock(mutex_);
    return use_;
  }
  /// Changes whenever a buffer moves: addresses of one epoch hold until the next.
  std::size_t epoch() const {
    const std::lock_guard lock(mutex_);
    return epoch_;
  }
  /// From now on.
  void restart_peak() {
    const std::lock_guard lock(mutex_);
    use_.peak = use_.now;
  }

 private:
  mutable std::mutex mutex_;
  MemoryUse use_;
  std::size_t epoch_ = 0;
};

}  // namespace cleave
