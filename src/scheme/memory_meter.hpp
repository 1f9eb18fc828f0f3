/// How much solver memory is in use, and was at most.
#pragma once

#include <algorithm>
#include <cstddef>

namespace cleave {

/// Counts the bytes of a backend's buffers. Buffers are made by one thread.
class MemoryMeter {
 public:
  void take(std::size_t bytes) { peak_ = std::max(peak_, used_ += bytes); }
  void give_back(std::size_t bytes) { used_ -= bytes; }
  std::size_t peak() const { return peak_; }
  /// From now on.
  void restart_peak() { peak_ = used_; }

 private:
  std::size_t used_ = 0;
  std::size_t peak_ = 0;
};

}  // namespace cleave
