/// How much solver memory is in use, and was at most, and whether arrays are still where they were.
#pragma once

#include <algorithm>
#include <cstddef>

namespace cleave {

/// Counts the bytes of a backend's buffers. Buffers are made by one thread.
class MemoryMeter {
 public:
  /// A buffer has got other memory, with so many more bytes.
  void take(std::size_t bytes) {
    peak_ = std::max(peak_, used_ += bytes);
    ++epoch_;
  }
  void give_back(std::size_t bytes) { used_ -= bytes; }
  std::size_t peak() const { return peak_; }
  /// Changes whenever a buffer moves: addresses of one epoch hold until the next.
  std::size_t epoch() const { return epoch_; }
  /// From now on.
  void restart_peak() { peak_ = used_; }

 private:
  std::size_t used_ = 0;
  std::size_t peak_ = 0;
  std::size_t epoch_ = 0;
};

}  // namespace cleave
