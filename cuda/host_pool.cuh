/// Memory of the host that a device copies to while both go on.
#pragma once

#include <algorithm>
#include <cstddef>
#include <mutex>
#include <vector>

#include "check_cuda.cuh"

namespace cleave {

/// Pieces of page-locked host memory, which the device writes without help. Kept for the next copy, as locking pages
/// takes longer than copying to them.
class HostPool {
 public:
  struct Piece {
    std::byte* data = nullptr;
    std::size_t bytes = 0;
  };
  HostPool() = default;
  HostPool(const HostPool&) = delete;
  HostPool& operator=(const HostPool&) = delete;
  ~HostPool() { free_all(); }

  Piece take(std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    const auto fits = [&](const Piece& piece) { return piece.bytes >= bytes; };
    if (const auto found = std::find_if(free_.begin(), free_.end(), fits); found != free_.end()) {
      const Piece piece = *found;
      free_.erase(found);
      return piece;
    }
    free_all();  // the body has grown: they are too small for all copies to come
    Piece piece{nullptr, bytes + bytes / 2};  // to ask for more memory takes longer than a copy
    check_cuda(cudaMallocHost(&piece.data, piece.bytes), "page-locked memory");
    return piece;
  }
  void give_back(Piece piece) {
    const std::lock_guard lock(mutex_);
    free_.push_back(piece);
  }

 private:
  void free_all() {
    for (const Piece& piece : free_) cudaFreeHost(piece.data);
    free_.clear();
  }
  std::mutex mutex_;
  std::vector<Piece> free_;
};

}  // namespace cleave
