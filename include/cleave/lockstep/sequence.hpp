/// A sequence of kernels, written once and run by launches or by one block:
///
///     template <class Run>
///     CLEAVE_HD void steps(Run const& run) const {
///       run(First{...});
///       run.scan(size, value, out);  // out[i] = sum of value(j) over j < i
///       run(Second{...});            // reads what those before it wrote
///     }
#pragma once

#include <type_traits>

#include "cleave/lockstep/one_block.hpp"

namespace cleave {

/// Runs kernels by launches of a backend.
template <class Backend>
class Launches {
 public:
  explicit Launches(Backend& backend) : backend_(backend) {}
  template <class Kernel>
  void operator()(const Kernel& kernel) const {
    backend_.launch(kernel);
  }
  template <class Value, class T>
  void scan(Index size, Value value, T* out) const {
    backend_.exclusive_scan(size, value, out);
  }

 private:
  Backend& backend_;
};

/// Memory for one object at a time, of one of several types.
template <class First, class... Rest>
union OneOf {
  First first;
  OneOf<Rest...> rest;

  template <class T>
  CLEAVE_HD T& as() {
    if constexpr (std::is_same_v<T, First>)
      return first;
    else
      return rest.template as<T>();
  }
};
template <class Last>
union OneOf<Last> {
  Last last;

  template <class T>
  CLEAVE_HD T& as() {
    static_assert(std::is_same_v<T, Last>, "the kernel is missing in SharedInTurn");
    return last;
  }
};
/// Shared memory of kernels that one block runs one after the other.
template <class... Kernels>
using SharedInTurn = OneOf<typename OneBlock<Kernels>::Shared...>;

/// Runs kernels by the block of `worker`, with a barrier after each.
/// @tparam Shared  SharedInTurn of all kernels but item kernels, which have no shared memory
template <class Worker, class Shared>
class InOneBlock {
 public:
  CLEAVE_HD InOneBlock(Worker const& worker, Shared& shared) : worker_(worker), shared_(shared) {}
  template <class Kernel>
  CLEAVE_HD void operator()(const Kernel& kernel) const {
    using Own = typename OneBlock<Kernel>::Shared;
    if constexpr (std::is_same_v<Own, NoShared>) {
      NoShared none;
      OneBlock<Kernel>{kernel}(worker_, none);
    } else {
      OneBlock<Kernel>{kernel}(worker_, shared_.template as<Own>());
    }
    worker_.sync();
  }
  template <class Value, class T>
  CLEAVE_HD void scan(Index size, Value value, T* out) const {
    (*this)(BlockScan<Value, T>{size, value, out});
  }

 private:
  Worker const& worker_;
  Shared& shared_;
};

}  // namespace cleave
