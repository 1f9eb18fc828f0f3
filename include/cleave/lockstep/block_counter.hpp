/// Assignment of consecutive numbers: each entry asks for some numbers and gets the first of them.
#pragma once

#include "cleave/core/atomic.hpp"
#include "cleave/lockstep/sequence.hpp"

namespace cleave {

/// Takes numbers from a counter in memory. A block sums the requests of its entries in shared memory, advances the
/// counter once, and assigns each entry its numbers: memory sees one atomic addition for 512 entries. The order of
/// blocks is arbitrary.
template <class Value, class T>
struct BlockCounter {
  static constexpr KernelTraits traits{.name = "block counter"};
  static constexpr int workers = workers_of_one_block;
  static constexpr Index entries = workers;  ///< of one block
  struct Shared {
    PrefixSums<T, workers> sums;
    T first;  ///< first number that the block has taken
  };
  Index size;
  Value value;  ///< value(i): how many numbers entry i asks for
  T* out;       ///< [entry] the first of its numbers
  T* counter;   ///< the next free number

  CLEAVE_HD Index blocks() const { return (size + entries - 1) / entries; }

  template <class Worker>
  CLEAVE_HD void operator()(Worker const& worker, Shared& shared) const {
    const Index begin = worker.block * entries, left = size - begin;
    const int used = left < entries ? left : entries;
    ForEachIdx each{worker};
    each([&](Idx i) {
      if (i < used) shared.sums.set(i, value(begin + i));
    });
    shared.sums.add_up(worker, used);
    only_master(worker, [&] { shared.first = atomic_add(*counter, shared.sums.before(used)); });
    worker.sync();
    each([&](Idx i) {
      if (i < used) out[begin + i] = shared.first + shared.sums.before(i);
    });
  }
};

/// Numbers the requests of `size` entries from 0 on: out[i] is the first number of entry i, out[size] the total.
/// @param run         Launches or InOneBlock; InOneBlock takes at most BlockCounter::entries entries
/// @param by_counter  true: block by block in any order (BlockCounter); false: in the order of the entries
/// @param value       value(i) is the request of entry i; value(size) must be 0
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
