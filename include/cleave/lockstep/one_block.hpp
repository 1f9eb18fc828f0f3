/// Short kernels run by one block, for sequences of kernels whose launches would cost more than the work, and prefix
/// sums over its workers.
#pragma once

#include "cleave/lockstep/kernel.hpp"
#include "cleave/lockstep/lockstep.hpp"

namespace cleave {

/// Exclusive prefix sum over the workers of a block, in shared memory. Each worker calls `set`, all call `add_up`; then
/// `before(i)` is the sum of the values of workers 0 .. i - 1.
template <class T, int Workers>
class PrefixSums {
  static constexpr int group = 16, groups = Workers / group;  ///< workers that are summed together first
  static_assert(Workers % group == 0);

 public:
  CLEAVE_HD void set(int worker, T value) { sum_[worker] = value; }

  /// Must be called by all workers; begins and ends with a barrier.
  /// @param used  number of leading workers that have called `set`
  template <class Worker>
  CLEAVE_HD void add_up(Worker const& worker, int used) {
    worker.sync();
    ForEachIdx each{worker};
    each([&](Idx g) {
      if (g >= groups) return;
      for (int i = g * group + 1; i < (g + 1) * group && i < used; ++i) sum_[i] = sum_[i] + sum_[i - 1];
    });
    worker.sync();
  }

  /// @param worker  at most `used`; `used` gives the total
  CLEAVE_HD T before(int worker) const {
    T sum{};
    for (int end = group; end <= worker; end += group) sum = sum + sum_[end - 1];
    if (worker % group > 0) sum = sum + sum_[worker - 1];
    return sum;
  }

 private:
  T sum_[Workers];  ///< value of a worker; after add_up(), the sum of those before it in its group
};

/// 512 workers use all registers of a multiprocessor at about a hundred registers each; the block runs alone and waits
/// for memory.
inline constexpr int workers_of_one_block = 512;

/// A kernel run by one block. The items of an item or team kernel are spread over the workers; a block kernel must have
/// `workers` workers and one block.
template <class Kernel>
struct OneBlock {
  static_assert(matches_traits<Kernel>, "see KernelTraits");
  static constexpr KernelTraits traits{.name = Kernel::traits.name};
  static constexpr int workers = workers_of_one_block;
  static constexpr int most_shared = 40960;  ///< bytes, for the scratches of all teams
  using Shared = typename SharedOf<Kernel, workers, most_shared>::type;
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
  /// Number of items that are computed at the same time.
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

/// The values of an array as the `value` of a scan.
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
  static constexpr KernelTraits traits{.name = "scan"};
  static constexpr int workers = workers_of_one_block;
  struct Shared {
    PrefixSums<T, workers> sums;
  };
  Index size;
  Value value;
  T* out;

  CLEAVE_HD Index blocks() const { return 1; }

  template <class Worker>
  CLEAVE_HD void operator()(Worker const& worker, Shared& shared) const {
    if (size == 0) return;
    const Index part = (size + workers - 1) / workers;
    const auto for_own = [&](int i, auto f) {
      for (Index j = i * part; j < (i + 1) * part && j < size; ++j) f(j, value(j));
    };
    ForEachIdx each{worker};
    each([&](Idx i) {
      T sum{};
      for_own(i, [&](Index, T here) { sum = sum + here; });
      shared.sums.set(i, sum);
    });
    shared.sums.add_up(worker, (size + part - 1) / part);
    each([&](Idx i) {
      if (i * part >= size) return;
      T sum = shared.sums.before(i);
      for_own(i, [&](Index j, T here) {
        out[j] = sum;
        sum = sum + here;
      });
    });
  }
};

}  // namespace cleave
