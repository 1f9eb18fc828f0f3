/// Prefix sums over the workers of a block.
#pragma once

#include "cleave/lockstep/lockstep.hpp"

namespace cleave {

/// The exclusive prefix sum over the workers of a block, in memory that they share. Each calls `set`, all call
/// `add_up`; then `before(i)` is the sum of what workers 0 .. i - 1 have set.
template <class T, int Workers>
class PrefixSums {
  static constexpr int group = 16, groups = Workers / group;  ///< workers that are added up together first
  static_assert(Workers % group == 0);

 public:
  CLEAVE_HD void set(int worker, T value) { sum_[worker] = value; }

  /// To be called by all workers: it begins and ends with a barrier.
  /// @param used  the first workers, that many, have set something that counts
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

  /// @param worker  at most `used`, which gives the sum of all
  CLEAVE_HD T before(int worker) const {
    T sum{};
    for (int end = group; end <= worker; end += group) sum = sum + sum_[end - 1];
    if (worker % group > 0) sum = sum + sum_[worker - 1];
    return sum;
  }

 private:
  T sum_[Workers];  ///< of a worker and, once added up, those before it in its group
};

}  // namespace cleave
