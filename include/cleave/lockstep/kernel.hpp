/// Kinds of kernels, and how one block of a kernel runs.
///
/// An item kernel computes one item per index, without cooperation:
///     static constexpr KernelTraits traits{.name = "..."};  Index size() const;  void operator()(Index i) const;
/// A team kernel has several workers per item. They share the turns of its loops and a scratch memory:
///     static constexpr KernelTraits traits{.name = "..."};  static constexpr int team_size;  struct Scratch;
///     Index size() const;  void operator()(Index i, Team team, Scratch&) const;
/// A block kernel cooperates through shared memory and barriers:
///     static constexpr KernelTraits traits{.name = "..."};  static constexpr int workers;  struct Shared;
///     Index blocks() const;  `template <class Worker> void operator()(Worker const&, Shared&) const;`
/// The members of a kernel are its arguments. Backends launch any kernel with `launch(kernel)`. KernelTraits names the
/// optional members.
#pragma once

#include "cleave/lockstep/device_gate.hpp"
#include "cleave/lockstep/lockstep.hpp"

namespace cleave {

/// Properties of a kernel. A kernel that has `early`, `in_use` or `fetch_lines` must say so here, and the other way
/// round.
struct KernelTraits {
  const char* name;  ///< in the list of stages
  /// Blocks (of 128 workers, for item and team kernels) that a GPU's multiprocessor holds at once, which limits the
  /// registers of a worker; 0: the compiler decides.
  int resident_blocks = 0;
  /// Item kernels that do little, mostly find nothing to do, or have room for many more items than are in use: a GPU
  /// starts at most so many blocks and gives their workers several items each, as to start a block takes longer; 0: a
  /// worker has one item.
  Index most_blocks = 0;
  /// Block kernels: on the CPU, loops over lanes (lanes.hpp) take the widest vector instructions that the machine has.
  bool has_lanes = false;
  /// Item and team kernels have `Index in_use() const`: only so many of the `size()` items are to be done, a number in
  /// solver memory.
  bool has_in_use = false;
  /// Item kernels have `early(i)`, block kernels `early(worker, shared)`: it reads what does not depend on launches
  /// that may still be running. CUDA calls it while they run, and its result is one more argument of the body.
  bool reads_early = false;
  /// Item and team kernels that wait for memory have `fetch_lines<n>(i)`, n = 0 .. lines - 1: on the CPU, each asks for
  /// cache lines of an item well before its turn, one n after the other, and may use what earlier ones asked for.
  int lines = 0;
};

template <class Kernel>
concept HasItems = requires(Kernel const& k) {
  k.size();
};
template <class Kernel>
concept ItemKernel = HasItems<Kernel> && requires(Kernel const& k) {
  k(Index{});
};

template <class Kernel>
concept HasBlocks = requires(Kernel const& k) {
  k.blocks();
};
template <class Kernel>
concept HasInUse = requires(Kernel const& k) {
  k.in_use();
};
template <class Kernel>
concept FetchesLines = requires(Kernel const& k) {
  k.template fetch_lines<0>(Index{});
};
template <class Kernel>
concept ReadsEarly = (HasItems<Kernel> && requires(Kernel const& k) { k.early(Index{}); }) ||
                     (HasBlocks<Kernel> && requires(Kernel const& k, CpuWorker<Kernel::workers> worker,
                                                    typename Kernel::Shared& shared) { k.early(worker, shared); });
/// Whether a kernel has exactly the optional members that its traits name. A misspelt member does not compile.
template <class Kernel>
inline constexpr bool matches_traits = Kernel::traits.name != nullptr&& HasItems<Kernel> !=
                                       HasBlocks<Kernel>&& HasInUse<Kernel> ==
                                       Kernel::traits.has_in_use&& ReadsEarly<Kernel> ==
                                       Kernel::traits.reads_early&& FetchesLines<Kernel> == (Kernel::traits.lines > 0);

/// Runs one block of a block kernel. `wait` returns when earlier launches have ended.
template <class Kernel, class Worker, class Wait>
CLEAVE_HD void run_block(const Kernel& kernel, Worker const& worker, typename Kernel::Shared& shared, Wait wait) {
  constexpr bool overlaps = Worker::slots == 1;  // not on the CPU
  if constexpr (overlaps && Kernel::traits.reads_early) {
    const auto early = kernel.early(worker, shared);
    wait();
    kernel(worker, shared, early);
  } else {
    wait();
    kernel(worker, shared);
  }
}

/// A worker's place in its team: it takes the turns first, first + size, ... of a loop. On the CPU, where one thread
/// runs all workers, the team has one member.
struct Team {
  int first;
  int size;  ///< on CUDA a power of two below 32

  /// Barrier of the team; afterwards all members see what each has written.
  CLEAVE_HD void sync() const {
#if defined(__CUDA_ARCH__)
    __syncwarp(((1u << size) - 1u) << (static_cast<int>(threadIdx.x % 32) - first));
#endif
  }
};

template <class Kernel>
concept TeamKernel = HasItems<Kernel> && requires(Kernel const& k, typename Kernel::Scratch& scratch) {
  k(Index{}, Team{}, scratch);
};

/// Shared memory of an item kernel: none.
struct NoShared {};
/// Shared memory of the teams among `Workers` workers: one scratch per team. If the scratches would exceed `Bytes`,
/// fewer teams work.
template <class Kernel, int Workers, int Bytes>
struct TeamShared {
  static constexpr int most = Bytes / static_cast<int>(sizeof(typename Kernel::Scratch));
  static constexpr int teams = Workers / Kernel::team_size < most ? Workers / Kernel::team_size : most;
  typename Kernel::Scratch of_team[teams];
};
/// Shared memory of a block of `Workers` workers, at most 48 KiB. Teams use a third of that by default, as several
/// blocks share a multiprocessor.
template <class Kernel, int Workers, int Bytes = 16384>
struct SharedOf {
  using type = typename Kernel::Shared;
};
template <HasItems Kernel, int Workers, int Bytes>
struct SharedOf<Kernel, Workers, Bytes> {
  using type = NoShared;
};
template <TeamKernel Kernel, int Workers, int Bytes>
struct SharedOf<Kernel, Workers, Bytes> {
  using type = TeamShared<Kernel, Workers, Bytes>;
};

/// Number of items to compute.
template <HasItems Kernel>
CLEAVE_HD Index items_in_use(const Kernel& kernel) {
  if constexpr (Kernel::traits.has_in_use)
    return kernel.in_use();
  else
    return kernel.size();
}

/// Number of workers per item; on the CPU one thread runs a whole team.
template <class Kernel, class Worker>
CLEAVE_HD constexpr int workers_of_item() {
  if constexpr (TeamKernel<Kernel>)
    return Worker::has_teams ? Kernel::team_size : 1;
  else
    return 1;
}

/// Whether kernels prefetch cache lines. Prefetching reads ids that another thread may be writing. That changes no
/// result, but a thread sanitizer reports it.
#if defined(__SANITIZE_THREAD__)
inline constexpr bool fetches_ahead = false;
#else
inline constexpr bool fetches_ahead = true;
#endif

/// Prefetches cache lines of the items that follow `item`.
template <int n, class Kernel>
CLEAVE_HD void fetch_lines_after(const Kernel& kernel, Index item, Index size) {
  if constexpr (n < Kernel::traits.lines && fetches_ahead) {
    constexpr Index distance = 8;  // items: more than a miss takes, less than fills the nearest cache
    const Index later = item + distance * (Kernel::traits.lines - n);
    if (later < size) kernel.template fetch_lines<n>(later);
    fetch_lines_after<n + 1>(kernel, item, size);
  }
}

/// Runs the items first, first + stride, ... for worker `i` of a block.
template <class Worker, class Kernel, class Shared>
CLEAVE_HD void run_items(const Kernel& kernel, Index first, Index stride, Index size, int i, Shared& shared) {
  constexpr int width = workers_of_item<Kernel, Worker>();
  if constexpr (TeamKernel<Kernel>)
    if (width > 1 && i / width >= Shared::teams) return;
  for (Index item = first + i / width; item < size; item += stride) {
    if constexpr (TeamKernel<Kernel>) {
      const Team team{i % width, width};
      kernel(item, team, shared.of_team[width == 1 ? 0 : i / width]);
      team.sync();  // the scratch may be reused from here on
    } else {
      kernel(item);
    }
  }
}

/// An item or team kernel as a block kernel.
template <class Kernel>
struct Itemwise {
  static constexpr KernelTraits traits{.name = Kernel::traits.name,
                                       .resident_blocks = Kernel::traits.resident_blocks,
                                       .reads_early = Kernel::traits.reads_early};
  static constexpr int workers = 128;
  using Shared = typename SharedOf<Kernel, workers>::type;
  Kernel kernel;

  static constexpr int items() {
    if constexpr (TeamKernel<Kernel>)
      return Shared::teams;
    else
      return workers;
  }
  CLEAVE_HD Index blocks() const {
    const Index blocks = (kernel.size() + items() - 1) / items();
    if constexpr (Kernel::traits.most_blocks > 0)
      return blocks < Kernel::traits.most_blocks ? blocks : Kernel::traits.most_blocks;
    return blocks;
  }
  /// Number of items that each worker computes one after the other.
  /// @param size  items in use
  CLEAVE_HD Index turns(Index size) const {
    if constexpr (Kernel::traits.most_blocks == 0) return 1;
    const Index all = blocks() * items();
    return size <= all ? 1 : (size - 1) / all + 1;
  }

  template <class Worker>
  CLEAVE_HD void operator()(Worker const& worker, Shared& shared) const {
    const Index size = items_in_use(kernel), items_of_block = items() * turns(size);
    const Index first = worker.block * items_of_block, end = first + items_of_block;
    if constexpr (Worker::slots == 1) {
      run_items<Worker>(kernel, first, items(), end < size ? end : size, worker.index(0), shared);
    } else {
      for (Index item = first; item < (end < size ? end : size); ++item) {
        fetch_lines_after<0>(kernel, item, size);
        run_items<Worker>(kernel, item, 1, item + 1, 0, shared);
      }
    }
  }

  template <class Early>
  struct Kept {
    Index in_use;
    Early early;
  };
  template <class Worker>
  CLEAVE_HD auto early(Worker const& worker, Shared&) const requires(traits.reads_early) {
    using Early = decltype(kernel.early(0));
    const Index first = worker.block * workers, size = kernel.size();
    return ForEachIdx{worker}([&](Idx i) {
      return Kept<Early>{items_in_use(kernel), first + i < size ? kernel.early(first + i) : Early{}};
    });
  }
  template <class Worker, class Early>
  CLEAVE_HD void operator()(Worker const& worker, Shared&, const Early& early) const {
    const Index first = worker.block * workers;
    ForEachIdx each{worker};
    each([&](Idx i) {
      if (first + i < early[i].in_use) kernel(first + i, early[i].early);
    });
  }
};

/// An item or block kernel that runs only if its gate is open.
template <class Kernel>
struct Guarded {
  static constexpr KernelTraits traits{.name = Kernel::traits.name};
  static constexpr int workers = Kernel::workers;
  using Shared = typename Kernel::Shared;
  DeviceGate gate;
  Kernel kernel;

  CLEAVE_HD Index blocks() const { return kernel.blocks(); }
  template <class Worker>
  CLEAVE_HD void operator()(Worker const& worker, Shared& shared) const {
    if (gate.is_open()) kernel(worker, shared);
  }
};
template <ItemKernel Kernel>
struct Guarded<Kernel> {
  static constexpr KernelTraits traits{.name = Kernel::traits.name};
  DeviceGate gate;
  Kernel kernel;

  CLEAVE_HD Index size() const { return kernel.size(); }
  CLEAVE_HD void operator()(Index i) const {
    if (gate.is_open()) kernel(i);
  }
};
template <class Kernel>
Guarded(DeviceGate, Kernel) -> Guarded<Kernel>;

/// Sets `count` values to `value`.
template <class T>
struct Fill {
  static constexpr KernelTraits traits{.name = "fill", .most_blocks = 4096};
  T* data;
  Index count;
  T value;

  CLEAVE_HD Index size() const { return count; }
  CLEAVE_HD void operator()(Index i) const { data[i] = value; }
};

}  // namespace cleave
