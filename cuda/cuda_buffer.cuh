/// Solver memory on a CUDA device.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "backend/memory_meter.hpp"
#include "backend/value_range.hpp"
#include "check_cuda.cuh"
#include "cleave/lockstep/lockstep.hpp"
#include "sparse_memory.cuh"

namespace cleave {

/// Bytes of all CudaBuffers.
inline MemoryMeter cuda_memory;

/// Device memory of `size` values. Copies wait for all earlier kernels.
template <class T>
class CudaBuffer {
 public:
  static constexpr bool is_host_memory = false;
  CudaBuffer() = default;
  CudaBuffer(CudaBuffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)),
        size_(std::exchange(other.size_, 0)),
        bytes_(std::exchange(other.bytes_, 0)),
        sparse_(std::move(other.sparse_)) {}
  ~CudaBuffer() {
    free();
    cuda_memory.give_back(bytes_);
  }

  T* data() { return data_; }
  const T* data() const { return data_; }
  std::size_t size() const { return size_; }

  /// Makes room for `size` values, keeping those that are there; the rest reads as NaN (all bits set).
  void resize(std::size_t size) {
    if (size <= size_) return;
    if (sparse_) return extend(size);
    T* grown = nullptr;
    const std::size_t bytes = (size * sizeof(T) + fetch_bytes - 1) / fetch_bytes * fetch_bytes;  // see fetch_run
    const cudaError_t status = cudaMalloc(&grown, bytes);
    if (status == cudaErrorMemoryAllocation) {
      cudaGetLastError();  // it is reported by the exception
      throw std::bad_alloc();
    }
    check_cuda(status, "device memory");
    check_cuda(cudaMemset(grown, 0xFF, bytes), "clearing memory");
    if (size_ > 0) check_cuda(cudaMemcpy(grown, data_, size_ * sizeof(T), cudaMemcpyDeviceToDevice), "growing memory");
    free();
    data_ = grown;
    size_ = size;
    account(size * sizeof(T));
  }
  void upload(const std::vector<T>& host) {
    resize(host.size());
    if (!host.empty())
      check_cuda(cudaMemcpy(data_, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice), "upload");
    cuda_memory.sent(host.size() * sizeof(T));
  }
  /// Values in these ranges, in order, are not needed on the device: their memory goes back, as far as it is whole
  /// granules. What they are is lost, and so is what is written there later. Where there can be no such holes, nothing
  /// goes back; a buffer with holes gets no others.
  void give_back(const std::vector<ValueRange>& ranges) {
    if (sparse_ || !SparseMemory::possible()) return;
    std::vector<ByteRange> bytes;
    for (const ValueRange& r : ranges) bytes.push_back({r.begin * sizeof(T), std::min(r.end, size_) * sizeof(T)});
    const std::vector<ByteRange> holes = SparseMemory::whole_granules(bytes);
    if (!holes.empty()) move_to(std::make_unique<SparseMemory>(size_ * sizeof(T), holes));
  }
  std::vector<T> download(std::size_t count) const {
    std::vector<T> host(count);
    if (count > 0) check_cuda(cudaMemcpy(host.data(), data_, count * sizeof(T), cudaMemcpyDeviceToHost), "download");
    cuda_memory.fetched(count * sizeof(T));
    return host;
  }

 private:
  /// Copies the values between the holes.
  void move_to(std::unique_ptr<SparseMemory> to) {
    std::byte *const from = reinterpret_cast<std::byte*>(data_), *const there = to->data();
    std::size_t bytes = 0;
    for (const ByteRange& kept : to->kept(size_ * sizeof(T))) {
      if (kept.size() > 0)
        check_cuda(cudaMemcpy(there + kept.begin, from + kept.begin, kept.size(), cudaMemcpyDeviceToDevice),
                   "moving memory");
      bytes += kept.size();
    }
    free();
    sparse_ = std::move(to);
    data_ = reinterpret_cast<T*>(sparse_->data());
    account(bytes);
  }
  /// Makes room behind the values, which stay where they are.
  void extend(std::size_t size) {
    const std::size_t added = (size - size_) * sizeof(T);
    sparse_->extend(size * sizeof(T));
    check_cuda(cudaMemset(data_ + size_, 0xFF, added), "clearing memory");
    size_ = size;
    account(bytes_ + added);
  }
  /// Other memory, of so many bytes.
  void account(std::size_t bytes) {
    cuda_memory.give_back(bytes_);
    cuda_memory.take(bytes_ = bytes);
  }
  void free() {
    if (sparse_) {
      cudaDeviceSynchronize();
      sparse_.reset();
    } else {
      cudaFree(data_);
    }
  }

  T* data_ = nullptr;
  std::size_t size_ = 0, bytes_ = 0;
  std::unique_ptr<SparseMemory> sparse_;  ///< none: memory of cudaMalloc
};

}  // namespace cleave
