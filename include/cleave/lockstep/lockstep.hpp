/// The lockstep programming model: one kernel body for CPU and GPU.
///
/// A kernel runs in blocks of `workers` virtual workers that advance together between barriers. The body computes each
/// index in `ForEachIdx`, keeps per-worker variables in a `CtxArray`, and separates phases with `sync()`. On CUDA every
/// index is a thread; on the CPU one thread runs all indices of a phase before it starts the next.
///
///     ForEachIdx each{worker};
///     auto value = each([&](Idx i) { shared.x[i] = load(i); return i * 2.0; });   // a variable per worker
///     worker.sync();
///     each([&](Idx i) { store(i, shared.x[neighbour(i)] + value[i]); });
///
/// Semantics follow PMacc's lockstep (PIConGPU).
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "cleave/core/types.hpp"
#if defined(__CUDACC__)
#include <cuda_pipeline_primitives.h>
#endif

namespace cleave {

/// Index of a virtual worker in its block, and the slot of its variables.
class Idx {
 public:
  CLEAVE_HD constexpr Idx(int index, int slot) : index_(index), slot_(slot) {}
  CLEAVE_HD constexpr operator int() const { return index_; }
  CLEAVE_HD constexpr int slot() const { return slot_; }

 private:
  int index_;
  int slot_;
};

/// Shared memory: counts the bytes that a GPU's copy engine still has to bring to a block.
struct alignas(8) FetchGate {
  std::uint64_t state;
};
/// The copy engine brings multiples of so many bytes, between addresses that are multiples of it.
inline constexpr int fetch_bytes = 16;

/// One CPU thread that runs all workers of a block.
template <int Workers>
struct CpuWorker {
  static constexpr int slots = Workers;
  static constexpr bool has_teams = false;  ///< one thread runs a whole team
  Index block;
  constexpr int index(int slot) const { return slot; }
  constexpr bool is_master() const { return true; }
  constexpr void sync() const {}
  /// All workers open a gate, once, before they fetch through it.
  constexpr void open(FetchGate& /*gate*/) const {}
  /// Copies a value from memory to shared memory. It is there after sync_fetched, which is also a barrier.
  template <class T>
  constexpr void fetch(T& to, const T& from) const {
    to = from;
  }
  /// The same for values that follow each other; all workers call it. Both addresses are multiples of fetch_bytes, and
  /// as many bytes are copied as fill the last multiple.
  template <class T>
  constexpr void fetch_run(FetchGate& /*gate*/, T* to, const T* from, int count) const {
    for (int k = 0; k < count; ++k) to[k] = from[k];
  }
  constexpr void sync_fetched(FetchGate& /*gate*/) const {}
  /// Brings values that a later block will read into the cache of a GPU.
  template <class T>
  constexpr void prefetch(const T* /*from*/, int /*count*/) const {}
};

#if defined(__CUDACC__)
/// One CUDA thread, which is one worker. (Members are empty in the host pass, which never runs them.)
struct CudaWorker {
  static constexpr int slots = 1;
  static constexpr bool has_teams = true;
  Index block;
  __device__ int index(int) const { return static_cast<int>(threadIdx.x); }
  __device__ bool is_master() const { return threadIdx.x == 0; }
  __device__ void sync() const { __syncthreads(); }
  /// The copy takes no register and is on its way while the worker goes on.
  template <class T>
  __device__ void fetch(T& to, const T& from) const {
    constexpr int word = alignof(T) % 16 == 0 ? 16 : alignof(T) % 8 == 0 ? 8 : 4;
    static_assert(alignof(T) % 4 == 0);
    for (std::size_t byte = 0; byte < sizeof(T); byte += word)
      __pipeline_memcpy_async(reinterpret_cast<char*>(&to) + byte, reinterpret_cast<const char*>(&from) + byte, word);
  }
  template <class T>
  __device__ void prefetch(const T* from, int count) const {
#if __CUDA_ARCH__ >= 900
    if (count == 0) return;
    constexpr std::uintptr_t in_line = fetch_bytes - 1;
    const auto begin = reinterpret_cast<std::uintptr_t>(from) & ~in_line;
    const auto end = (reinterpret_cast<std::uintptr_t>(from + count) + in_line) & ~in_line;
    asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(begin), "r"(static_cast<std::uint32_t>(end - begin))
                 : "memory");
#endif
  }
#if __CUDA_ARCH__ >= 900
  __device__ void open(FetchGate& gate) const {
    if (!is_master()) return;
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(place_of(gate)) : "memory");
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");  // the copy engine sees the gate
  }
  template <class T>
  __device__ void fetch_run(FetchGate& gate, T* to, const T* from, int count) const {
    if (!is_master() || count == 0) return;
    const int bytes = (count * static_cast<int>(sizeof(T)) + fetch_bytes - 1) / fetch_bytes * fetch_bytes;
    asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(place_of(gate)), "r"(bytes)
                 : "memory");
    asm volatile(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(place_of(*to)),
        "l"(from), "r"(bytes), "r"(place_of(gate))
        : "memory");
  }
  __device__ void sync_fetched(FetchGate& gate) const {
    if (is_master()) asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(place_of(gate)) : "memory");
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    asm volatile(
        "{\n.reg .pred arrived;\n"
        "again: mbarrier.try_wait.parity.shared::cta.b64 arrived, [%0], 0;\n"
        "@!arrived bra again;\n}" ::"r"(place_of(gate))
        : "memory");
  }
#else
  __device__ void open(FetchGate& /*gate*/) const {}
  template <class T>
  __device__ void fetch_run(FetchGate& /*gate*/, T* to, const T* from, int count) const {
    const int lines = (count * static_cast<int>(sizeof(T)) + fetch_bytes - 1) / fetch_bytes;
    for (int line = static_cast<int>(threadIdx.x); line < lines; line += static_cast<int>(blockDim.x))
      __pipeline_memcpy_async(reinterpret_cast<char*>(to) + line * fetch_bytes,
                              reinterpret_cast<const char*>(from) + line * fetch_bytes, fetch_bytes);
  }
  __device__ void sync_fetched(FetchGate& /*gate*/) const {
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
  }
#endif

 private:
  template <class T>
  __device__ static std::uint32_t place_of(T& value) {
    return static_cast<std::uint32_t>(__cvta_generic_to_shared(&value));
  }
};
#endif

/// One variable per worker: an array on the CPU, a register on the GPU.
template <class T, int Slots>
class CtxArray {
 public:
  CLEAVE_HD T& operator[](Idx i) { return values_[i.slot()]; }
  CLEAVE_HD T const& operator[](Idx i) const { return values_[i.slot()]; }

 private:
  T values_[Slots];
};

/// Calls f(Idx) for the indices that `walk` visits. If f returns a value, returns a variable per index.
#if defined(__CUDACC__)
#pragma nv_exec_check_disable
#endif
template <template <class> class Variables, class Walk, class F>
CLEAVE_HD_INLINE auto for_indices(Walk&& walk, F&& f) {
  using Result = std::invoke_result_t<F, Idx>;
  if constexpr (std::is_void_v<Result>) {
    walk(f);
  } else {
    Variables<Result> results;
    walk([&](Idx i) { results[i] = f(i); });
    return results;
  }
}

/// Calls a function for every index of the block. If it returns a value, returns a CtxArray of the values.
template <class Worker>
class ForEachIdx {
  template <class T>
  using Ctx = CtxArray<T, Worker::slots>;

 public:
  CLEAVE_HD explicit ForEachIdx(Worker const& worker) : worker_(worker) {}

#if defined(__CUDACC__)
#pragma nv_exec_check_disable
#endif
  template <class F>
  CLEAVE_HD auto operator()(F&& f) const {
    return for_indices<Ctx>(
        [this](auto&& visit) {
          for (int slot = 0; slot < Worker::slots; ++slot) visit(Idx{worker_.index(slot), slot});
        },
        f);
  }

 private:
  Worker const& worker_;
};

template <class Worker>
ForEachIdx(Worker const&) -> ForEachIdx<Worker>;

/// Runs a function once per block, on its first worker.
#if defined(__CUDACC__)
#pragma nv_exec_check_disable
#endif
template <class Worker, class F>
CLEAVE_HD void only_master(Worker const& worker, F&& f) {
  if (worker.is_master()) f();
}

/// Sums `Count` quantities over the workers of a block, in the same order on every backend. Each worker writes its
/// column of `value` (double for any Real); `reduce` then adds strided columns into 16, and these one after the other.
template <int Count, int Workers>
struct BlockSum {
  static constexpr int lanes = 16;
  static_assert(Workers % lanes == 0 && Count <= lanes);
  double value[Count][Workers];

#if defined(__CUDACC__)
#pragma nv_exec_check_disable
#endif
  template <class Worker>
  CLEAVE_HD void reduce(Worker const& worker) {
    ForEachIdx each{worker};
    worker.sync();
    each([&](Idx i) {
      if (i >= lanes) return;
      for (int q = 0; q < Count; ++q) {
        double sum = value[q][i];
        for (int j = i + lanes; j < Workers; j += lanes) sum += value[q][j];
        value[q][i] = sum;
      }
    });
    worker.sync();
    each([&](Idx q) {
      if (q >= Count) return;
      double sum = value[q][0];
      for (int j = 1; j < lanes; ++j) sum += value[q][j];
      value[q][0] = sum;
    });
    worker.sync();
  }
  CLEAVE_HD double total(int q) const { return value[q][0]; }
};

}  // namespace cleave
