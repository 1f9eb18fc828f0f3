/// What a kernel is, and how a block of one runs.
///
/// An item kernel does one thing per index, without cooperation:
///     static constexpr const char* name;  Index size() const;  void operator()(Index i) const;
/// A block kernel cooperates through shared memory and barriers:
///     static constexpr const char* name;  static constexpr int workers;  struct Shared;  Index blocks() const;
///     template <class Worker> void operator()(Worker const&, Shared&) const;
/// In both, the members are the kernel's arguments. Backends launch either with `launch(kernel)`.
#pragma once

#include "cleave/lockstep/lockstep.hpp"

namespace cleave {

template <class Kernel>
concept ItemKernel = requires(Kernel const& k) {
  k(Index{});
  k.size();
};

/// An item kernel as a block kernel.
template <class Kernel>
struct Itemwise {
  static constexpr const char* name = Kernel::name;
  static constexpr int workers = 128;
  struct Shared {};
  Kernel kernel;

  Index blocks() const { return (kernel.size() + workers - 1) / workers; }

  template <class Worker>
  CLEAVE_HD void operator()(Worker const& worker, Shared&) const {
    const Index first = worker.block * workers;
    const Index size = kernel.size();
    ForEachIdx each{worker};
    each([&](Idx i) {
      if (first + i < size) kernel(first + i);
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
