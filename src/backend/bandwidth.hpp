/// How fast a backend copies memory.
#pragma once

#include <chrono>

#include "cleave/lockstep/kernel.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Copies pairs of values, several per worker: what memory can do, not how fast blocks start.
struct Copy {
  static constexpr KernelTraits traits{.name = "copy"};
  static constexpr int workers = 256;
  static constexpr Index per_block = 8 * workers;
  struct Shared {};
  const Vec2* from;
  Vec2* to;
  Index count;

  CLEAVE_HD Index blocks() const { return (count + per_block - 1) / per_block; }
  template <class Worker>
  CLEAVE_HD void operator()(Worker const& worker, Shared&) const {
    const Index first = worker.block * per_block, end = first + per_block < count ? first + per_block : count;
    ForEachIdx each{worker};
    each([&](Idx i) {
      for (Index j = first + i; j < end; j += workers) to[j] = from[j];
    });
  }
};

/// Bytes per second, read plus written; the best of ten copies of `count` pairs of values, far more than any cache.
template <class Backend>
double copy_bandwidth(Backend& backend, Index count) {
  typename Backend::template Buffer<Vec2> from, to;
  from.resize(count);
  to.resize(count);
  double best = 0;
  for (int repeat = 0; repeat < 10; ++repeat) {
    backend.synchronise();
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < 4; ++i) backend.launch(Copy{from.data(), to.data(), count});
    backend.synchronise();
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    best = std::max(best, 4 * 2.0 * sizeof(Vec2) * count / seconds);
  }
  return best;
}

}  // namespace cleave::inline CLEAVE_PRECISION
