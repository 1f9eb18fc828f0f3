/// Short kernels by one block, which can run several of them where launches would cost more than the work.
#pragma once

#include "cleave/lockstep/kernel.hpp"

namespace cleave {

/// A kernel run by one block. The items of an item or team kernel are spread over its workers; a block kernel must have
/// as many workers, and one block.
template <class Kernel>
struct OneBlock {
  static constexpr const char* name = Kernel::name;
  static constexpr int workers = 256;
  using Shared = typename SharedOf<Kernel, workers>::type;
  Kernel kernel;

  CLEAVE_HD Index blocks() const { return 1; }

  template <class Worker>
  CLEAVE_HD void operator()(Worker const& worker, Shared& shared) const {
    if constexpr (HasItems<Kernel>) {
      const Index size = items_in_use(kernel);
      ForEachIdx each{worker};
      each([&](Idx i) { run_items<Worker>(kernel, 0, at_once<Worker>(), size, i, shared); });
    } else {
      static_assert(Kernel::workers == workers);
      kernel(worker, shared);
    }
  }

 private:
  /// How many items are worked on at once.
  template <class Worker>
  CLEAVE_HD static constexpr Index at_once() {
    if constexpr (workers_of_item<Kernel, Worker>() > 1)
      return Shared::teams;
    else
      return workers;
  }
};
template <class Kernel>
OneBlock(Kernel) -> OneBlock<Kernel>;

/// The values of an array, for scans.
template <class T>
struct Entry {
  const T* values;
  CLEAVE_HD T operator()(Index i) const { return values[i]; }
};
template <class T>
Entry(const T*) -> Entry<T>;

/// out[i] = sum of value(j) over j < i, by one block.
template <class Value, class T>
struct BlockScan {
  static constexpr const char* name = "scan";
  static constexpr int workers = 256;
  struct Shared {
    T sum[workers];
  };
  Index size;
  Value value;
  T* out;

  CLEAVE_HD Index blocks() const { return 1; }

  template <class Worker>
  CLEAVE_HD void operator()(Worker const& worker, Shared& shared) const {
    const Index part = (size + workers - 1) / workers;
    ForEachIdx each{worker};
    each([&](Idx i) {
      T sum{};
      for (Index j = i * part; j < (i + 1) * part && j < size; ++j) sum = sum + value(j);
      shared.sum[i] = sum;
    });
    worker.sync();
    each([&](Idx i) {
      if (i * part >= size) return;
      T sum{};
      for (int before = 0; before < i; ++before) sum = sum + shared.sum[before];
      for (Index j = i * part; j < (i + 1) * part && j < size; ++j) {
        const T here = value(j);
        out[j] = sum;
        sum = sum + here;
      }
    });
  }
};

}  // namespace cleave
