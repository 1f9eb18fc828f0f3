/// Memory of the host that a device copies to while both go on.
#pragma once

#include <sys/mman.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <new>
#include <vector>

#include "check_cuda.cuh"
#include "cleave/core/parallel.hpp"

namespace cleave {

/// Pieces of page-locked host memory, which the device writes without help. Kept for the next copy. Several threads
/// make their pages, large ones, before they are locked: the driver's own cudaMallocHost takes ten times as long
/// (BENCHMARKS.md, Frames).
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

  /// @param threads  that make the pages
  Piece take(std::size_t bytes, int threads) {
    const std::lock_guard lock(mutex_);
    const auto fits = [&](const Piece& piece) { return piece.bytes >= bytes; };
    if (const auto found = std::find_if(free_.begin(), free_.end(), fits); found != free_.end()) {
      const Piece piece = *found;
      free_.erase(found);
      return piece;
    }
    free_all();  // the body has grown: they are too small for all copies to come
    return make(bytes + bytes / 2, threads);
  }
  void give_back(Piece piece) {
    const std::lock_guard lock(mutex_);
    free_.push_back(piece);
  }

 private:
  struct Free {
    void operator()(std::byte* data) const { std::free(data); }
  };
  static Piece make(std::size_t at_least, int threads) {
    constexpr std::size_t page = 4096, large_page = 2 << 20;
    const std::size_t large_pages = at_least / large_page + 1, bytes = large_pages * large_page;
    std::unique_ptr<std::byte, Free> data(static_cast<std::byte*>(std::aligned_alloc(large_page, bytes)));
    if (data == nullptr) throw std::bad_alloc();
    madvise(data.get(), bytes, MADV_HUGEPAGE);  // where there are none, small ones do
    parallel_for(threads, large_pages, 1, [first = data.get()](std::size_t begin, std::size_t end) {
      for (std::size_t at = begin * large_page; at < end * large_page; at += page) first[at] = std::byte{};
    });
    check_cuda(cudaHostRegister(data.get(), bytes, cudaHostRegisterDefault), "page-locked memory");
    return {data.release(), bytes};
  }
  void free_all() {
    for (const Piece& piece : free_) {
      cudaHostUnregister(piece.data);
      std::free(piece.data);
    }
    free_.clear();
  }
  std::mutex mutex_;
  std::vector<Piece> free_;
};

}  // namespace cleave
