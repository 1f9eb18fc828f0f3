/// How much solver memory is in use, and was at most, what went there and back, and whether arrays are still where they
/// were.
#pragma once

#include <algorithm>
#include <cstddef>

#include "cleave/core/memory_use.hpp"

namespace cleave {

/// Counts the bytes of a backend's buffers. Buffers are made by one thread.
class MemoryMeter {
 public:
  /// A buffer has got other memory, with so many more bytes.
  void take(std::size_t bytes) {
    use_.peak = std::max(use_.peak, use_.now += bytes);
    ++epoch_;
  }
  void give_back(std::size_t bytes) { use_.now -= bytes; }
  void sent(std::size_t bytes) { use_.to_device += bytes; }
  void fetched(std::size_t bytes) { use_.from_device += bytes; }
  std::size_t peak() const { return use_.peak; }
  const MemoryUse& use() const { return use_; }
  /// Changes whenever a buffer moves: addresses of one epoch hold until the next.
  std::size_t epoch() const { return epoch_; }
  /// From now on.
  void restart_peak() { use_.peak = use_.now; }

 private:
  MemoryUse use_;
  std::size_t epoch_ = 0;
};

}  // namespace cleave
