/// Threads that work while the one that hands them work goes on.
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

/// Pieces of work are done at the same time and finished one after the other, in the order in which they were added.
class OrderedQueue {
 public:
  /// What is left of a piece once all pieces before it are finished; may be empty.
  using Finish = std::function<void()>;
  using Work = std::function<Finish()>;

  /// @param threads  that work; one more piece may wait for them
  explicit OrderedQueue(int threads);
  /// Waits for all pieces. What one has thrown is lost: call wait() before.
  ~OrderedQueue();
  OrderedQueue(const OrderedQueue&) = delete;
  OrderedQueue& operator=(const OrderedQueue&) = delete;

  /// Waits until fewer pieces are under way than may be, and either none is, or their weights and this one add up to
  /// `most` at most. Throws what an earlier piece has thrown: after that one none is finished any more.
  /// @param weight  of the piece that is added next
  void make_room(double weight, double most);
  /// Whether no piece is under way.
  bool is_idle();
  /// Hands a piece over, as soon as fewer are under way than may be. Throws likewise.
  void add(Work work);
  /// Waits until all pieces are finished. Throws what one has thrown, unless that was thrown before.
  void wait();

 private:
  void serve();
  void throw_error();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Work> waiting_;
  std::size_t most_ = 0;  ///< pieces under way
  double weight_of_next_ = 0;
  std::deque<double> weights_;  ///< of the pieces under way, in their order
  std::size_t added_ = 0, begun_ = 0, finished_ = 0;
  std::exception_ptr error_;
  bool told_ = false;  ///< the error was thrown
  bool closing_ = false;
  std::vector<std::jthread> threads_;
};

}  // namespace cleave
