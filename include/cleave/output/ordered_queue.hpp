/// A queue of work for threads that run beside the caller.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace cleave {

/// Runs pieces of work at the same time and finishes them one after the other, in the order in which they were added.
class OrderedQueue {
 public:
  /// Last part of a piece, which runs when all earlier pieces are finished; may be empty.
  using Finish = std::function<void()>;
  using Work = std::function<Finish()>;

  /// @param threads  number of worker threads; one more piece may wait for them
  explicit OrderedQueue(int threads);
  /// Waits for all pieces. Ignores their exceptions: call wait() before to get them.
  ~OrderedQueue();
  OrderedQueue(const OrderedQueue&) = delete;
  OrderedQueue& operator=(const OrderedQueue&) = delete;

  /// Waits until a further piece fits: fewer pieces are under way than allowed, and either none is under way or their
  /// weights and that of the next piece add up to at most `most`. Throws the exception of an earlier piece; after an
  /// exception no piece is finished any more.
  /// @param weight  of the piece that is added next
  void make_room(double weight, double most);
  /// Whether no piece is under way.
  bool is_idle();
  /// Adds a piece; waits while too many are under way. Throws as make_room().
  void add(Work work);
  /// Waits until all pieces are finished. Throws the exception of a piece unless it was thrown before.
  void wait();

 private:
  void serve();
  void throw_error();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Work> waiting_;
  std::size_t most_ = 0;  ///< largest number of pieces under way
  double weight_of_next_ = 0;
  std::deque<double> weights_;  ///< of the pieces under way, in order
  std::size_t added_ = 0, begun_ = 0, finished_ = 0;
  std::exception_ptr error_;
  bool error_thrown_ = false;
  bool closing_ = false;
  std::vector<std::jthread> threads_;
};

}  // namespace cleave
