/// Loops of the host on several threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <thread>
#include <vector>

namespace cleave {

/// Calls f(begin, end) for pieces of [0, count), of `grain` each but the last, on up to that many threads; in any
/// order. Throws what f throws, once all threads are done.
template <class F>
void parallel_for(int threads, std::size_t count, std::size_t grain, const F& f) {
  const std::size_t pieces = (count + grain - 1) / grain;
  std::atomic<std::size_t> next = 0;
  std::atomic<bool> failed = false;
  std::exception_ptr error;
  const auto work = [&] {
    try {
      for (std::size_t piece; !failed && (piece = next++) < pieces;)
        f(piece * grain, std::min(count, (piece + 1) * grain));
    } catch (...) {
      if (!failed.exchange(true)) error = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> others;
    for (std::size_t t = 1; t < std::min(pieces, static_cast<std::size_t>(std::max(threads, 1))); ++t)
      others.emplace_back(work);
    work();
  }
  if (error) std::rethrow_exception(error);
}

}  // namespace cleave
