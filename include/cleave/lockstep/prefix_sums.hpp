/// Prefix sums over the workers of a block.
#pragma once

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

}  // namespace cleave
