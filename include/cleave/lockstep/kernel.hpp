/// What a kernel is, and how a block of one runs.
///
/// An item kernel does one thing per index, without cooperation:
///     static constexpr const char* name;  Index size() const;  void operator()(Index i) const;
/// A team kernel has several workers for an item, which share the turns of its loops:
///     static constexpr const char* name;  static constexpr int team_size;  Index size() const;
///     void operator()(Index i, Team team) const;
/// A block kernel cooperates through shared memory and barriers:
///     static constexpr const char* name;  static constexpr int workers;  struct Shared;  Index blocks() const;
///     template <class Worker> void operator()(Worker const&, Shared&) const;
/// An item or block kernel may also have `early(i)` or `early(worker)`, which read what does not depend on the launches
/// before that may still be running: on CUDA this is done while they run, and the result is one more argument of the
/// body. In all, the members are the kernel's arguments. Backends launch any of them with `launch(kernel)`.
#pragma once

#include "cleave/lockstep/lockstep.hpp"

namespace cleave {

template <class Kernel>
concept HasItems = requires(Kernel const& k) {
  k.size();
};
template <class Kernel>
concept EarlyItemKernel = HasItems<Kernel> && requires(Kernel const& k) {
  k(Index{}, k.early(Index{}));
};
template <class Kernel>
concept ItemKernel = HasItems<Kernel> && requires(Kernel const& k) {
  k(Index{});
};

/// Runs a block of a block kernel. `wait` comes back when the launches before it have ended.
template <class Kernel, class Worker, class Wait>
CLEAVE_HD void run_block(const Kernel& kernel, Worker const& worker, typename Kernel::Shared& shared, Wait wait) {
  constexpr bool overlaps = Worker::slots == 1;  // not on the CPU
  if constexpr (overlaps && requires { kernel.early(worker); }) {
    const auto early = kernel.early(worker);
    wait();
    kernel(worker, shared, early);
  } else {
    wait();
    kernel(worker, shared);
  }
}

/// Which worker of a team this is: it takes the turns first, first + size, ... of a loop. On the CPU, where one thread
/// stands for all workers, it is the only one.
struct Team {
  int first;
  int size;  ///< on CUDA a power of two below 32

  /// Waits until the whole team is here; what it wrote before can be read by all of it.
  CLEAVE_HD void sync() const {
#if defined(__CUDA_ARCH__)
    __syncwarp(((1u << size) - 1u) << (static_cast<int>(threadIdx.x % 32) - first));
#endif
  }
};

template <class Kernel>
concept TeamKernel = HasItems<Kernel> && requires(Kernel const& k) {
  k(Index{}, Team{});
};

/// Workers that an item has: one thread on the CPU stands for its whole team.
template <class Kernel, class Worker>
CLEAVE_HD constexpr int workers_of_item() {
  if constexpr (TeamKernel<Kernel>)
    return Worker::slots == 1 ? Kernel::team_size : 1;
  else
    return 1;
}

/// Runs the items first, first + stride, ... that worker `i` of a block has a part in.
template <class Worker, class Kernel>
CLEAVE_HD void run_items(const Kernel& kernel, Index first, Index stride, Index size, int i) {
  constexpr int team = workers_of_item<Kernel, Worker>();
  for (Index item = first + i / team; item < size; item += stride) {
    if constexpr (TeamKernel<Kernel>)
      kernel(item, Team{i % team, team});
    else
      kernel(item);
  }
}

/// An item or team kernel as a block kernel.
template <class Kernel>
struct Itemwise {
  static constexpr const char* name = Kernel::name;
  static constexpr int workers = 128;
  struct Shared {};
  Kernel kernel;

  static constexpr int items() {
    if constexpr (TeamKernel<Kernel>)
      return workers / Kernel::team_size;
    else
      return workers;
  }
  Index blocks() const { return (kernel.size() + items() - 1) / items(); }

  template <class Worker>
  CLEAVE_HD void operator()(Worker const& worker, Shared&) const {
    const Index first = worker.block * items(), end = first + items(), size = kernel.size();
    ForEachIdx each{worker};
    each([&](Idx i) { run_items<Worker>(kernel, first, items(), end < size ? end : size, i); });
  }

  template <class Worker>
  CLEAVE_HD auto early(Worker const& worker) const requires EarlyItemKernel<Kernel> {
    const Index first = worker.block * workers, size = kernel.size();
    return ForEachIdx{worker}(
        [&](Idx i) { return first + i < size ? kernel.early(first + i) : decltype(kernel.early(0)){}; });
  }
  template <class Worker, class Early>
  CLEAVE_HD void operator()(Worker const& worker, Shared&, const Early& early) const {
    const Index first = worker.block * workers, size = kernel.size();
    ForEachIdx each{worker};
    each([&](Idx i) {
      if (first + i < size) kernel(first + i, early[i]);
    });
  }
};

/// An item kernel that does nothing unless a value in solver memory is set.
template <ItemKernel Kernel>
struct Guarded {
  static constexpr const char* name = Kernel::name;
  const Index* guard;
  Kernel kernel;

  CLEAVE_HD Index size() const { return kernel.size(); }
  CLEAVE_HD void operator()(Index i) const {
    if (*guard != 0) kernel(i);
  }
};
template <class Kernel>
Guarded(const Index*, Kernel) -> Guarded<Kernel>;

/// Sets `count` values.
template <class T>
struct Fill {
  static constexpr const char* name = "fill";
  T* data;
  Index count;
  T value;

  CLEAVE_HD Index size() const { return count; }
  CLEAVE_HD void operator()(Index i) const { data[i] = value; }
};

}  // namespace cleave
