/// Atomic operations of kernels, reads through the GPU's read-only (texture) path, and reads ahead on the CPU.
#pragma once

#include <atomic>
#include <type_traits>

#include "cleave/core/types.hpp"

namespace cleave {

/// Adds to a value that other workers add to at the same time; returns what it was before.
template <class T>
CLEAVE_HD T atomic_add(T& target, T value) {
#if defined(__CUDA_ARCH__)
  return atomicAdd(&target, value);
#else
  return std::atomic_ref<T>(target).fetch_add(value, std::memory_order_relaxed);
#endif
}

/// The same of 64 bits with a sign; returns nothing.
CLEAVE_HD inline void atomic_add(std::int64_t& target, std::int64_t value) {
#if defined(__CUDA_ARCH__)
  atomicAdd(reinterpret_cast<unsigned long long*>(&target), static_cast<unsigned long long>(value));
#else
  std::atomic_ref<std::int64_t>(target).fetch_add(value, std::memory_order_relaxed);
#endif
}

/// Counts a worker that is done; returns how many were before. The last one sees what all others have written.
CLEAVE_HD inline Index atomic_arrive(Index& done) {
#if defined(__CUDA_ARCH__)
  __threadfence();
  const Index before = atomicAdd(&done, 1);
  __threadfence();
  return before;
#else
  return std::atomic_ref<Index>(done).fetch_add(1, std::memory_order_acq_rel);
#endif
}

/// Replaces the value by `desired` if it is `expected`; returns what it was before.
CLEAVE_HD inline Index atomic_compare_exchange(Index& target, Index expected, Index desired) {
#if defined(__CUDA_ARCH__)
  return atomicCAS(&target, expected, desired);
#else
  std::atomic_ref<Index>(target).compare_exchange_strong(expected, desired, std::memory_order_relaxed);
  return expected;
#endif
}

/// Makes a value the smaller of itself and `other`.
CLEAVE_HD inline void atomic_min(Index& target, Index other) {
#if defined(__CUDA_ARCH__)
  atomicMin(&target, other);
#else
  std::atomic_ref<Index> value(target);
  Index now = value.load(std::memory_order_relaxed);
  while (other < now && !value.compare_exchange_weak(now, other, std::memory_order_relaxed)) {
  }
#endif
}

/// Makes a value the larger of itself and `other`.
template <class T>
CLEAVE_HD void atomic_max(T& target, std::type_identity_t<T> other) {
#if defined(__CUDA_ARCH__)
  atomicMax(&target, other);
#else
  std::atomic_ref<T> value(target);
  T now = value.load(std::memory_order_relaxed);
  while (now < other && !value.compare_exchange_weak(now, other, std::memory_order_relaxed)) {
  }
#endif
}

/// Reads a value that other workers may replace at the same time.
template <class T>
CLEAVE_HD T atomic_read(T& target) {
#if defined(__CUDA_ARCH__)
  return *const_cast<volatile T*>(&target);
#else
  return std::atomic_ref<T>(target).load(std::memory_order_relaxed);
#endif
}

/// Writes a value that other workers may read, or write too, at the same time.
template <class T>
CLEAVE_HD void atomic_write(T& target, std::type_identity_t<T> value) {
#if defined(__CUDA_ARCH__)
  *const_cast<volatile T*>(&target) = value;
#else
  std::atomic_ref<T>(target).store(value, std::memory_order_relaxed);
#endif
}

/// Reads a value that no running kernel writes and that is not needed again soon. On CUDA the read goes through the
/// texture path, and its cache line is the first to be evicted.
/// @tparam T  double or float
template <class T>
CLEAVE_HD T read_once(const T& source) {
#if defined(__CUDA_ARCH__)
  T value;
  if constexpr (sizeof(T) == sizeof(double))
    asm("ld.global.cs.nc.f64 %0, [%1];" : "=d"(value) : "l"(__cvta_generic_to_global(&source)));
  else
    asm("ld.global.cs.nc.f32 %0, [%1];" : "=f"(value) : "l"(__cvta_generic_to_global(&source)));
  return value;
#else
  return source;
#endif
}

/// Returns `value`; the compiler computes nothing from it before this place. A GPU issues instructions in order, so an
/// instruction that needs a pending read delays the reads after it. The compiler does not account for that.
CLEAVE_HD_INLINE Index from_here_on(Index value) {
#if defined(__CUDA_ARCH__)
  asm volatile("" : "+r"(value));
#endif
  return value;
}

/// Prefetches the cache line of a value that is needed soon. On CUDA this does nothing, because other threads run while
/// one waits.
template <class T>
CLEAVE_HD_INLINE void fetch_line(const T& source) {
#if !defined(__CUDA_ARCH__)
  __builtin_prefetch(static_cast<const void*>(&source));
  asm volatile("");  // without this, GCC drops functions that do nothing else
#endif
}

}  // namespace cleave
