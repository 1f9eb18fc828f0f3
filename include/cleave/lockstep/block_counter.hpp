/// Numbers for what workers make: each entry asks for some, and gets so many in a row.
#pragma once

#include "cleave/core/atomic.hpp"
#include "cleave/lockstep/sequence.hpp"

namespace cleave {

/// Takes them from a counter in memory: a block adds up in shared memory what its entries ask for, takes all of it at
/// once, and gives each entry its share in turn. So memory sees one atomic addition for 512 entries. Blocks come in any
/// order.
template <class Value, class T>
struct BlockCounter {
  static constexpr const char* name = "block counter";
  static constexpr int workers = 256, entries_of_worker = 2;
  static constexpr Index entries = workers * entries_of_worker;  ///< of a block
  static constexpr int group = 16, groups = workers / group;     ///< workers that are added up together
  struct Shared {
    T sum[workers];  ///< of a worker and those before it in its group
    T first_of_group[groups];
  };
  Index size;
  Value value;  ///< value(i): how many numbers entry i asks for
  T* out;       ///< [entry] the first of its numbers
  T* counter;   ///< numbers that are taken

  CLEAVE_HD Index blocks() const { return (size + entries - 1) / entries; }

  template <class Worker>
  CLEAVE_HD void operator()(Worker const& worker, Shared& shared) const {
    const auto for_own = [&](int i, auto f) {
      const Index begin = worker.block * entries + i * entries_of_worker;
      for (Index entry = begin; entry < begin + entries_of_worker && entry < size; ++entry) f(entry, value(entry));
    };
    ForEachIdx each{worker};
    each([&](Idx i) {
      T sum{};
      for_own(i, [&](Index, T asked) { sum = sum + asked; });
      shared.sum[i] = sum;
    });
    worker.sync();
    each([&](Idx g) {
      if (g >= groups) return;
      for (int i = g * group + 1; i < (g + 1) * group; ++i) shared.sum[i] = shared.sum[i] + shared.sum[i - 1];
    });
    worker.sync();
    only_master(worker, [&] { take(shared); });
    worker.sync();
    each([&](Idx i) {
      T next = shared.first_of_group[i / group];
      if (i % group > 0) next = next + shared.sum[i - 1];
      for_own(i, [&](Index entry, T asked) {
        out[entry] = next;
        next = next + asked;
      });
    });
  }

 private:
  /// What all groups ask for, and where the numbers of each begin.
  CLEAVE_HD void take(Shared& shared) const {
    const auto asked = [&](int g) { return shared.sum[(g + 1) * group - 1]; };
    T all{};
    for (int g = 0; g < groups; ++g) all = all + asked(g);
    T next = atomic_add(*counter, all);
    for (int g = 0; g < groups; ++g) {
      shared.first_of_group[g] = next;
      next = next + asked(g);
    }
  }
};

/// Numbers what `size` entries ask for from 0 on: out[i] is the first number of entry i, out[size] how many there are.
/// @param run         Launches or InOneBlock, which takes BlockCounter::entries entries at most
/// @param by_counter  block by block in any order (BlockCounter), else in the order of the entries
/// @param value       value(size) is 0
#if defined(__CUDACC__)
#pragma nv_exec_check_disable
#endif
template <class Run, class Value, class T>
CLEAVE_HD void number_requests(Run const& run, bool by_counter, Index size, const Value& value, T* out) {
  if (!by_counter) {
    run.scan(size + 1, value, out);
    return;
  }
  run(Fill<T>{out + size, 1, T{}});
  run(BlockCounter<Value, T>{size, value, out, out + size});
}

}  // namespace cleave
