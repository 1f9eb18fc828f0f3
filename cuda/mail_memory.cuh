/// Page-locked memory of the host: its device writes and reads messages there, and a thread carries them (Mail).
#pragma once

#include <cstddef>
#include <cstring>
#include <utility>

#include "check_cuda.cuh"

namespace cleave {

/// Memory of this rank's host for its mail.
class MailMemory {
 public:
  MailMemory() = default;
  MailMemory(const MailMemory&) = delete;
  MailMemory& operator=(const MailMemory&) = delete;
  ~MailMemory() { cudaFreeHost(own_); }
  /// Memory that is zero. What was made before is lost.
  std::byte* make(std::size_t bytes) {
    if (bytes > room_) {
      cudaFreeHost(std::exchange(own_, nullptr));
      room_ = 0;
      check_cuda(cudaMallocHost(&own_, bytes), "page-locked memory");
      room_ = bytes;
    }
    if (bytes > 0) std::memset(own_, 0, bytes);
    return static_cast<std::byte*>(own_);
  }

 private:
  void* own_ = nullptr;
  std::size_t room_ = 0;  ///< bytes
};

}  // namespace cleave
