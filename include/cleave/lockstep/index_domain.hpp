/// Loops of a block over a domain of indices whose size does not depend on the number of workers.
///
///     using Entries = IdxConfig<36, workers>;      // 36 indices, whether there are 8, 36 or 192 workers
///     ForEachIdxOf<Entries, Worker> each{worker};
///     auto value = each([&](Idx i) { return shared.entry[i]; });  // a variable per index, where its worker keeps it
///     worker.sync();                                // nothing waits by itself
///     each([&](Idx i) { shared.entry[i] = 2 * value[i]; });
///     ForEachIdxOf<IdxConfig<1, workers>, Worker>{worker}([&](Idx) { ... });  // the master
///
/// Worker w takes the indices from w * simd on, `simd` at a time, then those `workers * simd` further on, and so on. So
/// neighbouring CUDA threads take neighbouring indices when simd is 1. On the CPU, where one thread stands for all
/// workers, indices come in ascending order, and the inner loop has `simd` turns, as many as a vector has lanes. A
/// function must not depend on the order. Semantics follow PMacc's lockstep::Config and ForEach (PIConGPU).
#pragma once

#include "cleave/lockstep/lockstep.hpp"

namespace cleave {

/// A domain of `Domain` indices 0 .. Domain - 1 and the workers of the block.
template <int Domain, int Workers, int Simd = 1>
struct IdxConfig {
  static_assert(Domain >= 0 && Workers > 0 && Simd > 0);
  static constexpr int domain = Domain;
  static constexpr int workers = Workers;
  static constexpr int simd = Simd;
  static constexpr int turn = Workers * Simd;               ///< indices of all workers in one turn
  static constexpr int turns = (Domain + turn - 1) / turn;  ///< of every worker
};

template <class Config, class Worker>
class ForEachIdxOf {
  static constexpr bool stands_for_all = Worker::slots > 1;  ///< on the CPU
  static_assert(!stands_for_all || Worker::slots == Config::workers, "the kernel has another number of workers");

 public:
  /// Variables that a worker keeps: of every index that its turns could bring.
  static constexpr int slots = (stands_for_all ? Config::turn : Config::simd) * Config::turns;
  /// A variable per index of the domain.
  template <class T>
  using Ctx = CtxArray<T, slots == 0 ? 1 : slots>;

  CLEAVE_HD explicit ForEachIdxOf(Worker const& worker) : worker_(worker) {}

  /// Runs f(Idx) for every index of the domain. A function that returns a value makes a variable per index of it.
#if defined(__CUDACC__)
#pragma nv_exec_check_disable
#endif
  template <class F>
  CLEAVE_HD auto operator()(F&& f) const {
    return for_indices<Ctx>(
        [this](auto&& visit) {
          this->walk([&](Idx i, bool inside) {
            if (inside) visit(i);
          });
        },
        f);
  }

  /// Runs f(Idx, inside) in every turn of every worker, also where a turn has no index of the domain for it: `inside`
  /// is false then, and the variable of the index is there nevertheless. For what all workers must do together.
#if defined(__CUDACC__)
#pragma nv_exec_check_disable
#endif
  template <class F>
  CLEAVE_HD void collective(F&& f) const {
    walk(f);
  }

  /// A variable per index that starts with this value.
  template <class T>
  CLEAVE_HD Ctx<T> make(const T& value) const {
    Ctx<T> results;
    walk([&](Idx i, bool) { results[i] = value; });
    return results;
  }

 private:
#if defined(__CUDACC__)
#pragma nv_exec_check_disable
#endif
  template <class F>
  CLEAVE_HD void walk(F&& f) const {
    if constexpr (stands_for_all) {
      for (int group = 0; group < slots / Config::simd; ++group)
        for (int lane = 0; lane < Config::simd; ++lane) {
          const int index = group * Config::simd + lane;
          f(Idx{index, index}, index < Config::domain);
        }
    } else {
      for (int turn = 0; turn < Config::turns; ++turn)
        for (int lane = 0; lane < Config::simd; ++lane) {
          const int index = turn * Config::turn + worker_.index(0) * Config::simd + lane;
          f(Idx{index, turn * Config::simd + lane}, index < Config::domain);
        }
    }
  }

  Worker const& worker_;
};

}  // namespace cleave
