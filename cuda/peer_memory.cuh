/// Memory of a device that the devices of other processes write, and how their kernels wait for each other.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "check_cuda.cuh"
#include "cleave/partition/mail.hpp"

namespace cleave {

/// A rank whose device has not answered: what the host is told of it. That its process has been stopped, the ranks
/// notice before (Heartbeat in src/partition).
struct SilentRank {
  static constexpr int none = -1;
  static constexpr int patience = 300;  ///< s: rank 0 writes files while others wait
};

/// Until a rank has sent or read the message with this number.
/// @param number       of its last one so far: written by its device, or by a thread of this host
/// @param silent_rank  in the host's memory, see SilentRank
__device__ inline void wait_for_message(const volatile MessageNumber* number, MessageNumber wanted, int rank,
                                        int* silent_rank) {
  const auto nanoseconds = [] {
    unsigned long long now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    return now;
  };
  const unsigned long long start = nanoseconds();
  while (*number < wanted) {
    __nanosleep(100);
    if (nanoseconds() - start < SilentRank::patience * 1'000'000'000ULL) continue;
    *static_cast<volatile int*>(silent_rank) = rank;
    __threadfence_system();
    __trap();
  }
  __threadfence_system();
}

/// Tells that a message is there, behind a fence.
__device__ inline void tell_message(MessagePost& post, MessageNumber number) {
  *static_cast<volatile MessageNumber*>(&post.last) = number;
}

/// Memory of this device that the devices of other processes write, and what is open of theirs.
class PeerMemory {
 public:
  PeerMemory() = default;
  PeerMemory(const PeerMemory&) = delete;
  PeerMemory& operator=(const PeerMemory&) = delete;
  ~PeerMemory() {
    close();
    cudaFree(own_);
  }
  /// Memory that is zero, in pieces of its own of what the driver hands out: a handle is of such a piece. What was made
  /// before is lost: others must have closed it.
  std::byte* make(std::size_t bytes) {
    constexpr std::size_t piece = 2 << 20;
    const std::size_t room = (bytes + piece - 1) / piece * piece;
    if (room > room_) {
      cudaFree(std::exchange(own_, nullptr));
      check_cuda(cudaMalloc(&own_, room), "device memory");
      room_ = room;
    }
    check_cuda(cudaMemset(own_, 0, room_), "clearing memory");
    check_cuda(cudaDeviceSynchronize(), "clearing memory");
    return static_cast<std::byte*>(own_);
  }
  cudaIpcMemHandle_t handle() const {
    cudaIpcMemHandle_t handle;
    check_cuda(cudaIpcGetMemHandle(&handle, own_), "memory for other processes");
    return handle;
  }
  std::byte* open(const cudaIpcMemHandle_t& handle, int rank) {
    void* memory = nullptr;
    check_cuda(cudaIpcOpenMemHandle(&memory, handle, cudaIpcMemLazyEnablePeerAccess),
               ("memory of the device of rank " + std::to_string(rank) + " (run.transport: mpi needs none)").c_str());
    opened_.push_back(memory);
    return static_cast<std::byte*>(memory);
  }
  /// Closes what is open of other processes.
  void close() {
    for (void* memory : opened_) cudaIpcCloseMemHandle(memory);
    opened_.clear();
  }

 private:
  void* own_ = nullptr;
  std::size_t room_ = 0;  ///< bytes
  std::vector<void*> opened_;
};

}  // namespace cleave
