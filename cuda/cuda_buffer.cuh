/// Solver memory on a CUDA device.
#pragma once

#include <cstddef>
#include <new>
#include <utility>
#include <vector>

#include "check_cuda.cuh"
#include "scheme/memory_meter.hpp"

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
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  ~CudaBuffer() {
    cudaFree(data_);
    cuda_memory.give_back(size_ * sizeof(T));
  }

  T* data() { return data_; }
  const T* data() const { return data_; }
  std::size_t size() const { return size_; }

  /// Makes room for `size` values, keeping those that are there; the rest reads as NaN (all bits set).
  void resize(std::size_t size) {
    if (size <= size_) return;
    T* grown = nullptr;
    const cudaError_t status = cudaMalloc(&grown, size * sizeof(T));
    if (status == cudaErrorMemoryAllocation) {
      cudaGetLastError();  // it is reported by the exception
      throw std::bad_alloc();
    }
    check_cuda(status, "device memory");
    check_cuda(cudaMemset(grown, 0xFF, size * sizeof(T)), "clearing memory");
    if (size_ > 0) check_cuda(cudaMemcpy(grown, data_, size_ * sizeof(T), cudaMemcpyDeviceToDevice), "growing memory");
    cudaFree(data_);
    data_ = grown;
    cuda_memory.take((size - size_) * sizeof(T));
    size_ = size;
  }
  void upload(const std::vector<T>& host) {
    resize(host.size());
    if (!host.empty())
      check_cuda(cudaMemcpy(data_, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice), "upload");
    cuda_memory.sent(host.size() * sizeof(T));
  }
  /// Values [begin, end) are not needed. The memory of a device is in one piece: nothing goes back.
  void give_back(std::size_t, std::size_t) {}
  std::vector<T> download(std::size_t count) const {
    std::vector<T> host(count);
    if (count > 0) check_cuda(cudaMemcpy(host.data(), data_, count * sizeof(T), cudaMemcpyDeviceToHost), "download");
    cuda_memory.fetched(count * sizeof(T));
    return host;
  }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace cleave
