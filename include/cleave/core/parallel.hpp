/// Loops of the host on several threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstring>
#include <exception>
#include <thread>
#include <vector>

namespace cleave {

/// Number of threads that compute beside those of WorkerPool, such as threads that write frames.
inline std::atomic<int> threads_beside = 0;
class ThreadsBeside {
 public:
  explicit ThreadsBeside(int count) : count_(count) { threads_beside += count_; }
  ~ThreadsBeside() { threads_beside -= count_; }
  ThreadsBeside(const ThreadsBeside&) = delete;
  ThreadsBeside& operator=(const ThreadsBeside&) = delete;

 private:
  int count_;
};

/// Calls f(begin, end) on up to `threads` threads and in any order, for pieces of [0, count) that have `grain` indices
/// each (the last may be shorter). Rethrows an exception of f once all threads are done.
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
    const int more = static_cast<int>(std::min(pieces, static_cast<std::size_t>(std::max(threads, 1)))) - 1;
    const ThreadsBeside counted(std::max(more, 0));
    std::vector<std::jthread> others;
    for (int t = 0; t < more; ++t) others.emplace_back(work);
    work();
  }
  if (error) std::rethrow_exception(error);
}

/// The results of f(begin, end) for the same pieces, in the order of the pieces: they do not depend on the number of
/// threads.
template <class F>
auto parallel_results(int threads, std::size_t count, std::size_t grain, const F& f) {
  std::vector<decltype(f(count, count))> results((count + grain - 1) / grain);
  parallel_for(threads, count, grain,
               [&](std::size_t begin, std::size_t end) { results[begin / grain] = f(begin, end); });
  return results;
}

/// Sets the bytes of new memory. All threads write, because the first write to a page makes the system provide it: one
/// thread gets 2.5 GB/s of pages on a machine with 16 cores, all threads 22 GB/s (pin.log in
/// benchmarks/results/h200_2026-11-24b).
inline void parallel_fill(int threads, void* memory, std::size_t bytes, int value) {
  constexpr std::size_t grain = std::size_t{1} << 21;
  auto* const first = static_cast<char*>(memory);
  parallel_for(threads, bytes, grain,
               [&](std::size_t begin, std::size_t end) { std::memset(first + begin, value, end - begin); });
}

/// A vector of `count` T{}, for the arrays of frames. The threads touch its memory before one of them fills it, as in
/// parallel_fill.
template <class T>
std::vector<T> parallel_vector(int threads, std::size_t size) {
  constexpr std::size_t page = 4096, grain = std::size_t{1} << 20;
  std::vector<T> values;
  values.reserve(size);
  auto* const bytes = reinterpret_cast<volatile char*>(values.data());
  parallel_for(threads, size * sizeof(T), grain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; i += page) bytes[i] = 0;
  });
  values.resize(size);
  return values;
}

/// Sorts distinct numbers. The result does not depend on the number of threads, as no two numbers are equal.
template <class T>
void parallel_sort(int threads, std::vector<T>& values) {
  std::size_t pieces = 1;
  while (pieces < static_cast<std::size_t>(std::max(threads, 1)) && values.size() / pieces > 65536) pieces *= 2;
  const auto place = [&](std::size_t piece) {
    return values.begin() + static_cast<std::ptrdiff_t>(values.size() * piece / pieces);
  };
  parallel_for(threads, pieces, 1, [&](std::size_t i, std::size_t) { std::sort(place(i), place(i + 1)); });
  for (std::size_t merged = 2; merged <= pieces; merged *= 2)
    parallel_for(threads, pieces / merged, 1, [&](std::size_t i, std::size_t) {
      std::inplace_merge(place(i * merged), place(i * merged + merged / 2), place((i + 1) * merged));
    });
}

}  // namespace cleave
