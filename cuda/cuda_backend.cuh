/// A CUDA device as a backend.
#pragma once

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstring>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>
#include <cuda/atomic>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "check_cuda.cuh"
#include "cleave/core/machine.hpp"
#include "cleave/lockstep/foreign_kernel.hpp"
#include "cleave/lockstep/kernel.hpp"
#include "cleave/lockstep/resident.hpp"
#include "cleave/partition/ranks.hpp"
#include "cleave/solver/solver.hpp"
#include "cuda_buffer.cuh"
#include "device_exchange.cuh"
#include "device_messages.cuh"
#include "event_clock.cuh"
#include "host_pool.cuh"

namespace cleave {

/// A launch of so few blocks lets the next one start its own at once, to read early and wait. Of a larger one, blocks
/// that wait would take the place of blocks that work (a copy: 3.4 instead of 4.3 TB/s on H200): the next one is made
/// ready and starts as the last blocks end.
inline constexpr unsigned few_blocks = 4096;

/// Waits until the kernel before this one has finished.
struct WaitForLaunches {
  __device__ void operator()() const {
#if __CUDA_ARCH__ >= 900
    cudaGridDependencySynchronize();
#endif
  }
};

template <class Kernel>
__device__ void run_on_device(const Kernel& kernel) {
  __shared__ typename Kernel::Shared shared;
#if __CUDA_ARCH__ >= 900
  if (gridDim.x <= few_blocks) cudaTriggerProgrammaticLaunchCompletion();
#endif
  run_block(kernel, CudaWorker{static_cast<Index>(blockIdx.x)}, shared, WaitForLaunches{});
}

/// The kernel struct is a grid constant: its members are constant memory.
template <class Kernel>
__global__ void __launch_bounds__(Kernel::workers) run_kernel(const __grid_constant__ Kernel kernel) {
  run_on_device(kernel);
}
/// To ask for one resident block is not the same as to ask for none: the compiler then takes all registers it can use.
template <class Kernel>
__global__ void __launch_bounds__(Kernel::workers, Kernel::traits.resident_blocks)
    run_resident_kernel(const __grid_constant__ Kernel kernel) {
  run_on_device(kernel);
}

/// How many turns a block has done: written behind what it has left in memory, read before that.
using TurnsDone = cuda::atomic_ref<std::uint32_t, cuda::thread_scope_device>;

/// Waits until all of these blocks have done so many turns, by the workers of the last warp.
template <int workers>
__device__ void wait_for(const BlockList& blocks, std::uint32_t* turns_done, std::uint32_t turns) {
  constexpr int warp = 32;
  const int lane = static_cast<int>(threadIdx.x) - (workers - warp);
  if (lane < 0) return;
  for (Index k = lane; k < blocks.count; k += warp) {
    const TurnsDone of_block(turns_done[blocks.ids[k]]);
    while (static_cast<std::int32_t>(of_block.load(cuda::memory_order_acquire) - turns) < 0) {
    }
  }
}

/// A block of a resident kernel. The last worker tells the others' blocks: it has the least to do otherwise.
template <class Kernel>
__device__ void run_turns_on_device(const Kernel& kernel) {
  __shared__ typename Kernel::Shared shared;
#if __CUDA_ARCH__ >= 900
  cudaTriggerProgrammaticLaunchCompletion();
#endif
  const CudaWorker worker{static_cast<Index>(blockIdx.x)};
  const auto early = kernel.early(worker, shared);
  const BlockList neighbours = kernel.neighbours(worker.block);
  WaitForLaunches{}();
  if (!kernel.is_due()) return;
  std::uint32_t* const turns_done = kernel.turns_done();
  const std::uint32_t before = turns_done[worker.block];
  auto kept = kernel.begin(worker, shared, early);
  __syncthreads();
  for (int turn = 0; turn < kernel.turns(); ++turn) {
    const std::uint32_t now = before + static_cast<std::uint32_t>(turn) + 1;
    kernel.write(worker, shared, kept, turn);
    __syncthreads();
    if (threadIdx.x == Kernel::workers - 1) TurnsDone(turns_done[worker.block]).store(now, cuda::memory_order_release);
    kernel.rest(worker, shared, kept, turn);
    wait_for<Kernel::workers>(neighbours, turns_done, now);
    __syncthreads();
    kernel.read(worker, shared, kept, turn);
    __syncthreads();
  }
  kernel.end(worker, shared, kept);
}
template <class Kernel>
__global__ void __launch_bounds__(Kernel::workers, Kernel::traits.resident_blocks)
    run_turns_kernel(const __grid_constant__ Kernel kernel) {
  run_turns_on_device(kernel);
}
template <class Kernel>
constexpr auto global_function() {
  if constexpr (ResidentKernel<Kernel>)
    return &run_turns_kernel<Kernel>;
  else if constexpr (Kernel::traits.resident_blocks > 0)
    return &run_resident_kernel<Kernel>;
  else
    return &run_kernel<Kernel>;
}

/// a + b, for scans.
struct Plus {
  template <class T>
  CLEAVE_HD T operator()(T a, T b) const {
    return a + b;
  }
};

/// Copies a few words to the host's memory, behind their number in the row of all such copies, which is written last:
/// the host looks there sooner than it would hear of the end of a stream.
struct Post {
  using Word = unsigned long long;
  static constexpr KernelTraits traits{.name = "report"};
  static constexpr int workers = 32;
  static constexpr int stride = 512;  ///< words, of each of the two places they go to in turn
  struct Shared {};
  const Word* from;
  int words;
  Word* posts;    ///< how many there were, in device memory
  Word* landing;  ///< [2][stride], in the host's memory

  CLEAVE_HD Index blocks() const { return 1; }

  __device__ void operator()(CudaWorker const&, Shared&) const {
    const Word number = *posts + 1;
    Word* const slot = landing + (number % 2) * stride;
    for (int i = static_cast<int>(threadIdx.x); i < words; i += workers) slot[1 + i] = from[i];
    __threadfence_system();
    __syncwarp();
    if (threadIdx.x != 0) return;
    *posts = number;
    *static_cast<volatile Word*>(slot) = number;
  }
};

class CudaBackend {
 public:
  template <class T>
  using Buffer = CudaBuffer<T>;
  template <class Item, std::size_t most_bytes>
  using Exchange = DeviceExchange<Item, most_bytes>;
  using Messages = DeviceMessages;
  static constexpr MemoryMeter& memory = cuda_memory;
  static constexpr bool holds_values = true;  ///< see CountingBackend

  Ranks& ranks() const { return ranks_; }
  Transport transport() const { return transport_; }

  explicit CudaBackend(int /*threads*/ = 0, Ranks& ranks = one_rank()) : ranks_(ranks) {
    int least = 0, greatest = 0;
    check_cuda(cudaDeviceGetStreamPriorityRange(&least, &greatest), "priorities of streams");
    if (ranks_.is_alone()) greatest = least;  // it hides no exchange, and may share the device with others
    check_cuda(cudaStreamCreateWithPriority(&stream_, cudaStreamDefault, greatest), "creating a stream");
    check_cuda(cudaEventCreateWithFlags(&fork_, cudaEventDisableTiming), "creating an event");
    for (Branch& branch : branches_) {
      const int priority = &branch == &branches_.back() ? least : greatest;
      check_cuda(cudaStreamCreateWithPriority(&branch.stream, cudaStreamNonBlocking, priority), "creating a stream");
      check_cuda(cudaEventCreateWithFlags(&branch.end, cudaEventDisableTiming), "creating an event");
    }
    constexpr std::size_t bytes = 2 * Post::stride * sizeof(Word);
    check_cuda(cudaMallocHost(&landing_, bytes), "page-locked memory");
    std::memset(landing_, 0, bytes);
    check_cuda(cudaMallocHost(&silent_rank_, sizeof *silent_rank_), "page-locked memory");
    *silent_rank_ = SilentRank::none;
    posts_.upload({0});
    int id = 0, major = 0;
    check_cuda(cudaGetDevice(&id), "no device");
    check_cuda(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, id), "device properties");
    overlaps_launches_ = major >= 9;
    int cooperates = 0;
    check_cuda(cudaDeviceGetAttribute(&multiprocessors_, cudaDevAttrMultiProcessorCount, id), "device properties");
    check_cuda(cudaDeviceGetAttribute(&cooperates, cudaDevAttrCooperativeLaunch, id), "device properties");
    resident_ = cooperates != 0 && environment::resident().value_or(true);
    if (transport_ == Transport::nccl && !ranks_.is_alone()) nccl_.emplace(ranks_);
  }
  CudaBackend(const CudaBackend&) = delete;
  CudaBackend& operator=(const CudaBackend&) = delete;
  ~CudaBackend() {
    cudaFreeHost(landing_);
    cudaFreeHost(silent_rank_);
    for (const Branch& branch : branches_) {
      cudaEventDestroy(branch.end);
      cudaStreamDestroy(branch.stream);
    }
    cudaEventDestroy(fork_);
    cudaStreamDestroy(stream_);
  }

  template <class Kernel>
  void launch(const Kernel& kernel) {
    static_assert(matches_traits<Kernel>, "see KernelTraits");
    if constexpr (HasItems<Kernel>)
      run(Itemwise<Kernel>{kernel});
    else
      run(kernel);
  }
  void launch_foreign(const ForeignKernel& foreign) {
    if (foreign.blocks <= 0) return;
    clock_.start(foreign.name, stream_);
    begins_or_ends_branch();
    foreign.launch(foreign.kernel, foreign.blocks, stream_);
    check_cuda(cudaGetLastError(), foreign.name);
    clock_.stop(stream_);
  }
  /// Messages of NCCL that are under way at the same time: f(NcclRanks, stream) sends and receives them.
  template <class F>
  void launch_messages(const F& f) {
    clock_.start("messages", stream_);
    begins_or_ends_branch();
    nccl_->together([&] { f(*nccl_, stream_); });
    joins_here_ = true;  // the next launch does not begin before they have ended
    clock_.stop(stream_);
  }
  /// Whether the device holds so many blocks of a resident kernel at once.
  template <class Kernel>
  bool holds(Index blocks) const {
    int of_multiprocessor = 0;
    check_cuda(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&of_multiprocessor, global_function<Kernel>(),
                                                             Kernel::workers, 0),
               Kernel::traits.name);
    return resident_ && blocks <= of_multiprocessor * multiprocessors_;
  }

  /// Launches that are repeated with the same arguments, as a CUDA graph. Recorded at the first replay, and again when
  /// buffers have moved since: a graph holds their addresses.
  class Recording {
   public:
    Recording() = default;
    Recording(const Recording&) = delete;
    Recording& operator=(const Recording&) = delete;
    ~Recording() { forget(); }

   private:
    friend class CudaBackend;
    void forget() {
      if (graph_ != nullptr) cudaGraphExecDestroy(graph_);
      graph_ = nullptr;
      times_.clear();
    }
    cudaGraphExec_t graph_ = nullptr;
    EventClock::Log times_;
    std::size_t epoch_ = 0;  ///< of `memory`, when it was recorded
  };

  /// Repeats launches. Their arguments must be those of the first time, but for addresses of buffers that have moved.
  template <class Launches>
  void replay(Recording& recording, Launches launches) {
    if (recording.epoch_ != memory.epoch()) recording.forget();
    if (recording.graph_ == nullptr) {
      recording.epoch_ = memory.epoch();
      cudaGraph_t graph = nullptr;
      check_cuda(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal), "recording launches");
      clock_.begin_recording(recording.times_);
      recording_ = true;
      launches();
      recording_ = false;
      clock_.end_recording(stream_);
      check_cuda(cudaStreamEndCapture(stream_, &graph), "recording launches");
      // Without this flag a graph forgets the priorities of its streams, and an exchange waits for blocks that it is to
      // hide behind.
      const cudaError_t status =
          cudaGraphInstantiate(&recording.graph_, graph, cudaGraphInstantiateFlagUseNodePriority);
      cudaGraphDestroy(graph);
      check_cuda(status, "making a graph");
    }
    check_cuda(cudaGraphLaunch(recording.graph_, stream_), "launching a graph");
    if (!clock_.enabled()) return;
    clock_.add(recording.times_, stream_);
    clock_.separate();
  }

  /// Launches of which no part needs, or changes, what another one changes: while recording, each part becomes a branch
  /// of the graph, and the device runs them at the same time. Stages are timed one after the other.
  template <class First, class... Others>
  void side_by_side(First first, Others... others) {
    static_assert(sizeof...(Others) < std::tuple_size_v<Branches>);
    launch_in_branches(0, first, others...);
  }
  /// The same of two parts. Where blocks of both wait for room, those of the first come first.
  template <class First, class Other>
  void first_beside(First first, Other other) {
    launch_in_branches(branches_.size() - 1, first, other);
  }

  /// Copies the ids that `keep` accepts to `out`, in order; `count` (device memory) receives their number.
  template <class Ids, class Keep>
  void select(Ids ids, Index size, Index* out, Index* count, Keep keep) {
    clock_.start("compaction", stream_);
    with_scratch([&](void* scratch, std::size_t& bytes) {
      return cub::DeviceSelect::If(scratch, bytes, ids, out, count, size, keep, stream_);
    });
    clock_.stop(stream_);
  }

  /// Sorts pairs by their keys, of which the lowest `bits` count; of equal keys by their values, if these ascend now.
  /// Returns where they lie: in their buffers or in those aside, whose values are lost.
  template <class Key, class Value>
  std::pair<Key*, Value*> sort_pairs(Index size, Buffer<Key>& keys, Buffer<Value>& values, Buffer<Key>& keys_aside,
                                     Buffer<Value>& values_aside, int bits) {
    cub::DoubleBuffer<Key> of_keys(keys.data(), keys_aside.data());
    cub::DoubleBuffer<Value> of_values(values.data(), values_aside.data());
    clock_.start("sort", stream_);
    with_scratch([&](void* scratch, std::size_t& bytes) {
      return cub::DeviceRadixSort::SortPairs(scratch, bytes, of_keys, of_values, size, 0, bits, stream_);
    });
    clock_.stop(stream_);
    return {of_keys.Current(), of_values.Current()};
  }

  /// out[i] = sum of value(j) over j < i.
  template <class Value, class T>
  void exclusive_scan(Index size, Value value, T* out) {
    clock_.start("scan", stream_);
    const auto values = thrust::make_transform_iterator(thrust::make_counting_iterator<Index>(0), value);
    with_scratch([&](void* scratch, std::size_t& bytes) {
      return cub::DeviceScan::ExclusiveScan(scratch, bytes, values, out, Plus{}, T{}, size, stream_);
    });
    clock_.stop(stream_);
  }

  /// value(0) + value(1) + ... of `size` values, in the same order on every call on a device. Waits for the result.
  template <class Value, class T>
  T reduce(Index size, Value value, T zero) {
    const auto values = thrust::make_transform_iterator(thrust::make_counting_iterator<Index>(0), value);
    reduced_.resize(sizeof(T));
    T* const out = reinterpret_cast<T*>(reduced_.data());
    with_scratch([&](void* scratch, std::size_t& bytes) {
      return cub::DeviceReduce::Reduce(scratch, bytes, values, out, size, Plus{}, zero, stream_);
    });
    T result = zero;
    check_cuda(cudaMemcpyAsync(&result, out, sizeof(T), cudaMemcpyDeviceToHost, stream_), "copying to the host");
    synchronise();
    return result;
  }

  /// Copies the first value, or as many of its bytes, once the launches so far are done, for `collect`, which returns
  /// the copies in turn, the rest of them without meaning. At most two may be under way.
  /// @param size  a multiple of 8
  template <class T>
  void post(const Buffer<T>& buffer, std::size_t size = sizeof(T)) {
    static_assert(sizeof(T) % sizeof(Word) == 0 && sizeof(T) <= small);
    const auto* from = reinterpret_cast<const Word*>(buffer.data());
    run(Post{from, static_cast<int>(size / sizeof(Word)), posts_.data(), landing_});
  }
  template <class T>
  T collect(const Buffer<T>&) {
    const Word number = ++collected_;
    const Word* slot = landing_ + (number % 2) * Post::stride;
    const auto begin = std::chrono::steady_clock::now();
    for (Word spins = 1; *static_cast<const volatile Word*>(slot) != number; ++spins) {
      if (spins % 4096 != 0) continue;
      const cudaError_t status = cudaStreamQuery(stream_);
      if (status != cudaErrorNotReady) check_kernels(status);
      if (nccl_) nccl_->check_waiting(begin);
    }
    std::atomic_thread_fence(std::memory_order_acquire);
    T value;
    std::memcpy(static_cast<void*>(&value), slot + 1, sizeof(T));
    return value;
  }

  /// A piece of the host's memory that device memory is copied into while the device goes on. Any thread may wait for
  /// it and give it back.
  class HostMemory {
   public:
    HostMemory() = default;
    HostMemory(HostMemory&& other) noexcept
        : pool_(std::move(other.pool_)),
          piece_(std::exchange(other.piece_, {})),
          copied_(std::exchange(other.copied_, nullptr)) {}
    HostMemory& operator=(HostMemory&& other) noexcept {
      std::swap(pool_, other.pool_);
      std::swap(piece_, other.piece_);
      std::swap(copied_, other.copied_);
      return *this;
    }
    ~HostMemory() {
      if (copied_ != nullptr) {
        cudaEventSynchronize(copied_);
        cudaEventDestroy(copied_);
      }
      if (pool_) pool_->give_back(piece_);
    }
    std::byte* data() { return piece_.data; }
    /// The copies so far are those to wait for.
    void mark(CudaBackend& backend) {
      check_cuda(cudaEventCreateWithFlags(&copied_, cudaEventDisableTiming | cudaEventBlockingSync),
                 "creating an event");
      check_cuda(cudaEventRecord(copied_, backend.stream_), "recording an event");
    }
    void wait() { check_cuda(cudaEventSynchronize(copied_), "copying to the host"); }

   private:
    friend class CudaBackend;
    std::shared_ptr<HostPool> pool_;
    HostPool::Piece piece_;
    cudaEvent_t copied_ = nullptr;
  };
  HostMemory host_memory(std::size_t bytes) {
    HostMemory memory_of_copy;
    memory_of_copy.piece_ = host_pool_->take(bytes, threads_for(0, ranks_.count()));
    memory_of_copy.pool_ = host_pool_;
    return memory_of_copy;
  }
  /// Starts a copy to such memory, after the launches so far and before those to come.
  void copy_to_host(void* to, const void* from, std::size_t bytes) {
    if (bytes > 0) check_cuda(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, stream_), "copying to the host");
    memory.fetched(bytes);
  }

  void synchronise() { check_kernels(cudaStreamSynchronize(stream_)); }
  /// Place for the rank that a kernel has waited for in vain.
  int* silent_rank() { return silent_rank_; }
  void time_stages(bool on) { clock_.enable(on); }
  std::vector<StageTime> stages() { return clock_.stages(stream_); }
  std::string device() const {
    int id = 0;
    cudaDeviceProp properties{};
    check_cuda(cudaGetDevice(&id), "no device");
    check_cuda(cudaGetDeviceProperties(&properties, id), "device properties");
    return properties.name;
  }

 private:
  /// A stream beside the backend's own, and its end while recording.
  struct Branch {
    cudaStream_t stream = nullptr;
    cudaEvent_t end = nullptr;
  };
  void check_kernels(cudaError_t status) const {
    if (status != cudaSuccess && *static_cast<volatile int*>(silent_rank_) != SilentRank::none)
      throw std::runtime_error("rank " + std::to_string(*silent_rank_) + " has not answered for " +
                               std::to_string(SilentRank::patience) + " s");
    check_cuda(status, "a kernel failed");
  }
  /// @param branch  of the first of the others
  template <class First, class... Others>
  void launch_in_branches(std::size_t branch, First first, Others... others) {
    if (!recording_ || clock_.enabled()) {
      first();
      (others(), ...);
      return;
    }
    check_cuda(cudaEventRecord(fork_, stream_), "a branch of a graph");
    first();
    (launch_beside(branches_[branch++], others), ...);
  }
  /// Records launches on a stream of their own, which begins where the branches part. It comes into being with the
  /// first launch: without one there is nothing to wait for.
  template <class Launches>
  void launch_beside(Branch& branch, Launches launches) {
    std::swap(stream_, branch.stream);
    parts_here_ = true;
    launches();
    const bool launched = !std::exchange(parts_here_, false);
    if (launched) check_cuda(cudaEventRecord(branch.end, stream_), "a branch of a graph");
    std::swap(stream_, branch.stream);
    if (!launched) return;
    check_cuda(cudaStreamWaitEvent(stream_, branch.end), "a branch of a graph");
    joins_here_ = true;
  }
  /// Whether the next launch waits for others than the one before it on its stream.
  bool begins_or_ends_branch() {
    if (std::exchange(parts_here_, false)) {
      check_cuda(cudaStreamWaitEvent(stream_, fork_), "a branch of a graph");
      return true;
    }
    return std::exchange(joins_here_, false);
  }

  template <class Kernel>
  void run(const Kernel& kernel) {
    static_assert(sizeof(Kernel) <= most_argument_bytes, "a kernel has too many arguments");
    const Index blocks = kernel.blocks();
    if (blocks <= 0) return;
    const bool follows_event = clock_.start(Kernel::traits.name, stream_) || begins_or_ends_branch();
    cudaLaunchAttribute how[2]{};
    how[0].id = cudaLaunchAttributeProgrammaticStreamSerialization;
    how[0].val.programmaticStreamSerializationAllowed = overlaps_launches_ && !follows_event;
    how[1].id = cudaLaunchAttributeCooperative;
    how[1].val.cooperative = 1;
    cudaLaunchConfig_t launch{};
    launch.gridDim = dim3(static_cast<unsigned>(blocks));
    launch.blockDim = dim3(Kernel::workers);
    launch.stream = stream_;
    launch.attrs = how;
    launch.numAttrs = ResidentKernel<Kernel> ? 2 : 1;
    check_cuda(cudaLaunchKernelEx(&launch, global_function<Kernel>(), kernel), Kernel::traits.name);
    clock_.stop(stream_);
  }

  /// CUB's two calls: how much scratch, then the work. The scratch grows and stays.
  template <class Call>
  void with_scratch(Call call) {
    std::size_t bytes = 0;
    check_cuda(call(nullptr, bytes), "CUB");
    scratch_.resize(bytes);
    check_cuda(call(scratch_.data(), bytes), "CUB");
  }

  static constexpr std::size_t most_argument_bytes = 4096;  ///< of any device; they lie in constant memory
  using Word = Post::Word;
  static constexpr std::size_t small = (Post::stride - 1) * sizeof(Word);
  Ranks& ranks_;
  Transport transport_ = cleave::transport();
  std::optional<NcclRanks> nccl_;
  int* silent_rank_ = nullptr;  ///< in the host's memory
  cudaStream_t stream_ = nullptr;
  cudaEvent_t fork_ = nullptr;  ///< where branches part
  using Branches = std::array<Branch, 3>;
  Branches branches_;  ///< the last one has less priority than all else
  bool recording_ = false;
  bool parts_here_ = false;  ///< the next launch is the first of a branch
  bool joins_here_ = false;  ///< the next launch waits for a branch
  Word* landing_ = nullptr;  ///< see Post
  CudaBuffer<Word> posts_;
  Word collected_ = 0;
  CudaBuffer<std::uint8_t> scratch_, reduced_;
  std::shared_ptr<HostPool> host_pool_ = std::make_shared<HostPool>();
  int multiprocessors_ = 0;
  bool resident_ = false;           ///< resident kernels may run
  bool overlaps_launches_ = false;  ///< the device can start a kernel's blocks before the one before it has finished
  EventClock clock_;
};

}  // namespace cleave
