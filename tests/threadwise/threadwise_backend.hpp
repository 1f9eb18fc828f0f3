/// A backend that runs block kernels on the host as a GPU does: worker by worker, with the tables of a device. So tests
/// see on any machine what a GPU would compute. What workers copy to shared memory arrives at their barrier, no sooner,
/// and shared memory begins as NaN. Whoever reads too early gets other bits in one of the two orders of workers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "backend/cpu/cpu_backend.hpp"
#include "threadwise/fibers.hpp"

namespace cleave::test {

/// Solver memory that stands for a device's.
template <class T>
class ThreadwiseBuffer : public CpuBuffer<T> {
 public:
  static constexpr bool is_host_memory = false;
};

/// Copies to shared memory that are under way.
class FetchedValues {
 public:
  void add(void* to, const void* from, std::size_t bytes) {
    pieces_.push_back({to, bytes_.size(), bytes});
    const auto* const first = static_cast<const std::byte*>(from);
    bytes_.insert(bytes_.end(), first, first + bytes);
  }
  void arrive() {
    for (const Piece& piece : pieces_) std::memcpy(piece.to, bytes_.data() + piece.at, piece.bytes);
    pieces_.clear();
    bytes_.clear();
  }

 private:
  struct Piece {
    void* to;
    std::size_t at, bytes;
  };
  std::vector<Piece> pieces_;
  std::vector<std::byte> bytes_;
};

/// One worker, as CudaWorker.
struct ThreadwiseWorker {
  static constexpr int slots = 1;
  static constexpr bool has_teams = false;
  Index block;
  int own;
  Fibers* fibers;
  FetchedValues* fetched;  ///< by all workers of the block

  int index(int) const { return own; }
  bool is_master() const { return own == 0; }
  void sync() const { fibers->wait(); }
  template <class T>
  void fetch(T& to, const T& from) const {
    fetched->add(&to, &from, sizeof(T));
  }
  void open(FetchGate& /*gate*/) const {}
  template <class T>
  void prefetch(const T* /*from*/, int /*count*/) const {}
  template <class T>
  void fetch_run(FetchGate& /*gate*/, T* to, const T* from, int count) const {
    const auto is_line = [](const T* at) { return reinterpret_cast<std::uintptr_t>(at) % fetch_bytes == 0; };
    if (!is_line(to) || !is_line(from)) throw std::logic_error("the copy engine takes whole lines");
    if (is_master()) fetched->add(to, from, (sizeof(T) * count + fetch_bytes - 1) / fetch_bytes * fetch_bytes);
  }
  void sync_fetched(FetchGate& /*gate*/) const {
    fibers->wait();
    fetched->arrive();
    fibers->wait();
  }
};

class ThreadwiseBackend : public CpuBackend {
 public:
  template <class T>
  using Buffer = ThreadwiseBuffer<T>;
  static inline bool backwards = false;         ///< the order of workers between barriers
  static inline bool resident = false;          ///< whether to run resident kernels
  static inline std::size_t block_kernels = 0;  ///< launched so far

  explicit ThreadwiseBackend(int /*threads*/ = 1, Ranks& ranks = one_rank()) : CpuBackend(1, ranks) {}

  template <class Kernel>
  void launch(const Kernel& kernel) {
    static_assert(matches_traits<Kernel>, "see KernelTraits");
    if constexpr (HasItems<Kernel>) {
      CpuBackend::launch(kernel);  // workers have nothing to do with each other
    } else {
      ++block_kernels;
      if constexpr (ResidentKernel<Kernel>)
        run_turns(kernel);
      else
        run(kernel);
    }
  }
  template <class Kernel>
  bool holds(Index /*blocks*/) const {
    return resident;
  }

 private:
  /// Calls part(worker) for all workers of a block, which end together.
  template <class Kernel, class Part>
  void for_workers(Index block, const Part& part) {
    fibers_.run(Kernel::workers, backwards, [&](int own) { part(ThreadwiseWorker{block, own, &fibers_, &fetched_}); });
  }
  template <class Kernel>
  void run(const Kernel& kernel) {
    std::vector<typename Kernel::Shared> shared(1);
    for (Index block = 0; block < kernel.blocks(); ++block) {
      std::memset(static_cast<void*>(shared.data()), 0xFF, sizeof shared[0]);
      for_workers<Kernel>(block, [&](const ThreadwiseWorker& worker) { run_block(kernel, worker, shared[0], [] {}); });
    }
  }
  template <class Kernel>
  void run_turns(const Kernel& kernel) {
    using Shared = typename Kernel::Shared;
    using Worker = ThreadwiseWorker;
    using Kept = decltype(kernel.begin(std::declval<Worker>(), std::declval<Shared&>(),
                                       kernel.early(std::declval<Worker>(), std::declval<Shared&>())));
    if (!kernel.is_due()) return;
    const Index blocks = kernel.blocks();
    std::vector<Shared> shared(blocks);
    std::memset(static_cast<void*>(shared.data()), 0xFF, sizeof(Shared) * shared.size());
    std::vector<Kept> kept(static_cast<std::size_t>(blocks) * Kernel::workers);
    const auto for_each_block = [&](const auto& part) {
      for (Index block = 0; block < blocks; ++block)
        for_workers<Kernel>(block, [&](const Worker& worker) {
          part(worker, shared[block], kept[static_cast<std::size_t>(block) * Kernel::workers + worker.own]);
        });
    };
    for_each_block([&](const Worker& worker, Shared& of_block, Kept& keeps) {
      keeps = kernel.begin(worker, of_block, kernel.early(worker, of_block));
    });
    for (int turn = 0; turn < kernel.turns(); ++turn) {
      for_each_block([&](const Worker& worker, Shared& of_block, Kept& keeps) {
        kernel.write(worker, of_block, keeps, turn);
        worker.sync();
        kernel.rest(worker, of_block, keeps, turn);
      });
      for_each_block(
          [&](const Worker& worker, Shared& of_block, Kept& keeps) { kernel.read(worker, of_block, keeps, turn); });
    }
    for_each_block([&](const Worker& worker, Shared& of_block, Kept& keeps) { kernel.end(worker, of_block, keeps); });
  }

  Fibers fibers_;
  FetchedValues fetched_;
};

}  // namespace cleave::test
