/// The CPU as a backend: threads over blocks, one thread walking all workers of a block.
///
/// Its memory is separate from the host's and starts out as NaN, as on a device that nobody has written to: a missing
/// upload or an unwritten result fails on the CPU too.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "backend/cpu/instruction_set.hpp"
#include "backend/cpu/worker_pool.hpp"
#include "backend/host_exchange.hpp"
#include "backend/host_messages.hpp"
#include "backend/memory_meter.hpp"
#include "backend/stage_clock.hpp"
#include "backend/value_range.hpp"
#include "cleave/core/machine.hpp"
#include "cleave/core/parallel.hpp"
#include "cleave/lockstep/foreign_kernel.hpp"
#include "cleave/lockstep/kernel.hpp"
#include "cleave/lockstep/resident.hpp"
#include "cleave/partition/ranks.hpp"

namespace cleave {

/// Bytes of all CpuBuffers.
inline MemoryMeter cpu_memory;

/// Solver memory of `size` values.
template <class T>
class CpuBuffer {
 public:
  static constexpr bool is_host_memory = true;
  CpuBuffer() = default;
  CpuBuffer(CpuBuffer&& other) noexcept : data_(std::move(other.data_)), size_(std::exchange(other.size_, 0)) {}
  ~CpuBuffer() { cpu_memory.give_back(size_ * sizeof(T)); }
  T* data() { return data_.get(); }
  const T* data() const { return data_.get(); }
  std::size_t size() const { return size_; }

  /// Makes room for `size` values, keeping those that are there; the rest reads as NaN (all bits set).
  void resize(std::size_t size) {
    if (size <= size_) return;
    std::unique_ptr<T[], Free> grown(static_cast<T*>(std::aligned_alloc(alignment(size), bytes(size))));
    if (!grown) throw std::bad_alloc();
    // What is visited here and there would otherwise wait for the page table as well.
    if (alignment(size) == huge_page) madvise(grown.get(), bytes(size), MADV_HUGEPAGE);
    if (size_ > 0) std::memcpy(static_cast<void*>(grown.get()), data_.get(), size_ * sizeof(T));
    const int threads = alignment(size) == huge_page ? threads_for(0) : 1;
    parallel_fill(threads, static_cast<void*>(grown.get() + size_), bytes(size) - size_ * sizeof(T), 0xFF);
    data_ = std::move(grown);
    cpu_memory.take((size - size_) * sizeof(T));
    size_ = size;
  }
  void upload(const std::vector<T>& host) {
    resize(host.size());
    if (!host.empty()) std::memcpy(static_cast<void*>(data()), host.data(), host.size() * sizeof(T));
  }
  /// Values in these ranges are not needed: the system gets their memory, as far as it is whole pages, until somebody
  /// writes there. What is read there is zero.
  void give_back(const std::vector<ValueRange>& ranges) {
    static const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGE_SIZE));
    for (const ValueRange& range : ranges) {
      const std::size_t end = std::min(range.end, size_);
      if (range.begin >= end) continue;
      const auto first = (reinterpret_cast<std::uintptr_t>(data() + range.begin) + page - 1) / page * page,
                 last = reinterpret_cast<std::uintptr_t>(data() + end) / page * page;
      if (first < last) madvise(reinterpret_cast<void*>(first), last - first, MADV_DONTNEED);
    }
  }
  std::vector<T> download(std::size_t count) const {
    return count == 0 ? std::vector<T>() : std::vector<T>(data(), data() + count);
  }

 private:
  static constexpr std::size_t cache_line = 64, huge_page = 2 << 20;
  static std::size_t alignment(std::size_t size) { return size * sizeof(T) < huge_page ? cache_line : huge_page; }
  static std::size_t bytes(std::size_t size) {
    const std::size_t unit = alignment(size);
    return (size * sizeof(T) + unit - 1) / unit * unit;
  }
  struct Free {
    void operator()(T* p) const { std::free(p); }
  };
  std::unique_ptr<T[], Free> data_;
  std::size_t size_ = 0;
};

class CpuBackend {
 public:
  template <class T>
  using Buffer = CpuBuffer<T>;
  template <class Item, std::size_t most_bytes>
  using Exchange = HostExchange<Item>;
  using Messages = HostMessages;
  static constexpr MemoryMeter& memory = cpu_memory;
  static constexpr bool holds_values = true;  ///< see CountingBackend

  /// @param threads  0: as OMP_NUM_THREADS says, or as many as the machine has
  explicit CpuBackend(int threads = 0, Ranks& ranks = one_rank())
      : pool_(threads_for(threads), processors() / ranks.count()), ranks_(ranks) {}

  Ranks& ranks() const { return ranks_; }

  template <class Kernel>
  void launch(const Kernel& kernel) {
    static_assert(matches_traits<Kernel>, "see KernelTraits");
    if constexpr (HasItems<Kernel>)
      run(Itemwise<Kernel>{kernel});
    else if constexpr (ResidentKernel<Kernel>)
      run_turns(kernel);
    else
      run(kernel);
  }
  void launch_foreign(const ForeignKernel& foreign) {
    const auto timed = clock_.measure(foreign.name);
    pool_.run([&](int worker, int workers) {
      const auto begin_of = [&](std::int64_t w) { return static_cast<Index>(w * foreign.blocks / workers); };
      for (Index block = begin_of(worker); block < begin_of(worker + 1); ++block)
        foreign.run_block(foreign.kernel, block);
    });
  }
  /// Whether to run a resident kernel. A CPU would, but has nothing from it: steps in lanes are faster.
  template <class Kernel>
  bool holds(Index /*blocks*/) const {
    return resident_;
  }

  /// Launches to be repeated. Nothing is gained by recording them here.
  struct Recording {};
  template <class Launches>
  void replay(Recording&, Launches launches) {
    launches();
  }

  /// Launches of which no part needs, or changes, what another one changes.
  template <class... Parts>
  void side_by_side(Parts... parts) {
    (parts(), ...);
  }
  /// The same of two parts, of which the first matters more.
  template <class First, class Other>
  void first_beside(First first, Other other) {
    first();
    other();
  }

  /// Copies the ids that `keep` accepts to `out` [size], in order; `count` receives their number.
  template <class Ids, class Keep>
  void select(Ids ids, Index size, Index* out, Index* count, Keep keep) {
    Index kept = 0;
    for (Index i = 0; i < size; ++i) {
      const Index id = ids[i];
      out[kept] = id;  // to be written over unless it is kept: a branch here would be guessed wrong too often
      kept += keep(id) ? 1 : 0;
    }
    *count = kept;
  }

  /// Sorts pairs by their keys; of equal keys by their values, if these ascend now. Returns where they lie. What is
  /// aside is for a GPU, as are the bits of a key that count.
  template <class Key, class Value>
  std::pair<Key*, Value*> sort_pairs(Index size, Buffer<Key>& keys, Buffer<Value>& values, Buffer<Key>&, Buffer<Value>&,
                                     int) {
    std::vector<std::pair<Key, Value>> pairs(static_cast<std::size_t>(size));
    for (Index i = 0; i < size; ++i) pairs[i] = {keys.data()[i], values.data()[i]};
    parallel_sort(pool_.workers(), pairs);
    for (Index i = 0; i < size; ++i) std::tie(keys.data()[i], values.data()[i]) = pairs[i];
    return {keys.data(), values.data()};
  }

  /// out[i] = sum of value(j) over j < i.
  template <class Value, class T>
  void exclusive_scan(Index size, Value value, T* out) {
    T sum{};
    for (Index i = 0; i < size; ++i) {
      const T v = value(i);
      out[i] = sum;
      sum = sum + v;
    }
  }

  /// value(0) + value(1) + ... of `size` values, in an order that does not depend on the number of threads.
  template <class Value, class T>
  T reduce(Index size, Value value, T zero) {
    constexpr Index part = 4096;
    const Index parts = (size + part - 1) / part;
    std::vector<T> sums(parts, zero);
    pool_.run([&](int worker, int workers) {
      for (Index p = worker; p < parts; p += workers)
        for (Index i = p * part; i < std::min(size, (p + 1) * part); ++i) sums[p] = sums[p] + value(i);
    });
    T all = zero;
    for (const T& sum : sums) all = all + sum;
    return all;
  }

  /// Copies the first value, or as many of its bytes, once the launches so far are done, for `collect`, which returns
  /// the copies in turn. At most two may be under way.
  template <class T>
  void post(const Buffer<T>& buffer, std::size_t size = sizeof(T)) {
    const auto* bytes = reinterpret_cast<const std::byte*>(buffer.data());
    posted_[posts_++ % 2].assign(bytes, bytes + size);
  }
  template <class T>
  T collect(const Buffer<T>&) {
    T value{};
    const std::vector<std::byte>& bytes = posted_[collected_++ % 2];
    std::memcpy(static_cast<void*>(&value), bytes.data(), bytes.size());
    return value;
  }

  /// A piece of the host's memory that solver memory is copied into.
  class HostMemory {
   public:
    std::byte* data() { return data_.get(); }
    void mark(CpuBackend&) {}  ///< the copies so far are those to wait for
    void wait() {}

   private:
    friend class CpuBackend;
    struct Free {
      void operator()(std::byte* p) const { std::free(p); }
    };
    std::unique_ptr<std::byte[], Free> data_;
  };
  /// @param bytes  a multiple of 64, to which the memory is aligned
  HostMemory host_memory(std::size_t bytes) {
    HostMemory piece;
    piece.data_.reset(static_cast<std::byte*>(std::aligned_alloc(64, bytes)));
    if (!piece.data_) throw std::bad_alloc();
    return piece;
  }
  void copy_to_host(void* to, const void* from, std::size_t bytes) {
    // The memory is new: see parallel_fill.
    constexpr std::size_t page = 4096;
    const std::size_t pages = (bytes + page - 1) / page;
    const auto copy = [&](std::size_t first, std::size_t last) {
      const std::size_t begin = first * page, end = std::min(bytes, last * page);
      if (begin < end) std::memcpy(static_cast<char*>(to) + begin, static_cast<const char*>(from) + begin, end - begin);
    };
    if (pages < 64) return copy(0, pages);
    pool_.run([&](std::size_t worker, std::size_t workers) {
      copy(worker * pages / workers, (worker + 1) * pages / workers);
    });
  }

  void synchronise() {}
  void time_stages(bool on) { clock_.enable(on); }
  std::vector<StageTime> stages() const { return clock_.stages(); }
  std::string device() const {
    return "CPU, " + std::to_string(pool_.workers()) + (pool_.workers() == 1 ? " thread" : " threads");
  }

 private:
  template <class Kernel>
  void run(const Kernel& kernel) {
    const Index blocks = kernel.blocks();
    if (blocks <= 0) return;
    const auto timed = clock_.measure(Kernel::traits.name);
    if (blocks == 1) return run_blocks(kernel, 0, 1);
    pool_.run([&](int worker, int workers) {
      const auto begin_of = [&](std::int64_t w) { return static_cast<Index>(w * blocks / workers); };
      run_blocks(kernel, begin_of(worker), begin_of(worker + 1));
    });
  }
  /// A resident kernel: in each turn all blocks write, then all blocks read.
  template <class Kernel>
  void run_turns(const Kernel& kernel) {
    using Worker = CpuWorker<Kernel::workers>;
    using Shared = typename Kernel::Shared;
    using Kept =
        decltype(kernel.begin(Worker{}, std::declval<Shared&>(), kernel.early(Worker{}, std::declval<Shared&>())));
    if (!kernel.is_due()) return;
    const auto timed = clock_.measure(Kernel::traits.name);
    const Index blocks = kernel.blocks();
    std::vector<Shared> shared(blocks);
    std::vector<Kept> kept(blocks);
    const auto for_each_block = [&](auto part) {
      pool_.run([&](int worker, int workers) {
        for (Index block = worker; block < blocks; block += workers) part(Worker{block}, shared[block], kept[block]);
      });
    };
    for_each_block([&](const Worker& worker, Shared& of_block, Kept& keeps) {
      keeps = kernel.begin(worker, of_block, kernel.early(worker, of_block));
    });
    for (int turn = 0; turn < kernel.turns(); ++turn) {
      for_each_block([&](const Worker& worker, Shared& of_block, Kept& keeps) {
        kernel.write(worker, of_block, keeps, turn);
        kernel.rest(worker, of_block, keeps, turn);
      });
      for_each_block(
          [&](const Worker& worker, Shared& of_block, Kept& keeps) { kernel.read(worker, of_block, keeps, turn); });
    }
    for_each_block([&](const Worker& worker, Shared& of_block, Kept& keeps) { kernel.end(worker, of_block, keeps); });
  }
  template <class Kernel>
  void run_blocks(const Kernel& kernel, Index begin, Index end) const {
#if defined(CLEAVE_AVX512_BESIDE)
    if constexpr (Kernel::traits.has_lanes)
      if (instructions_ == InstructionSet::avx512) return run_blocks_with_avx512(kernel, begin, end);
#endif
    for (Index block = begin; block < end; ++block) {
      typename Kernel::Shared shared;
      run_block(kernel, CpuWorker<Kernel::workers>{block}, shared, [] {});
    }
  }
#if defined(CLEAVE_AVX512_BESIDE)
  template <class Kernel>
  CLEAVE_AVX512 static void run_blocks_with_avx512(const Kernel& kernel, Index begin, Index end) {
    for (Index block = begin; block < end; ++block) {
      typename Kernel::Shared shared;
      kernel(CpuWorker<Kernel::workers>{block}, shared);
    }
  }
#endif

  WorkerPool pool_;
  Ranks& ranks_;
  InstructionSet instructions_ = chosen_instructions();
  bool resident_ = environment::resident().value_or(false);
  std::vector<std::byte> posted_[2];
  int posts_ = 0, collected_ = 0;
  StageClock clock_;
};

}  // namespace cleave
