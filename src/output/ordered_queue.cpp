#include "cleave/output/ordered_queue.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <numeric>
#include <utility>

#include "cleave/core/parallel.hpp"
#include "cleave/core/signals_blocked.hpp"

namespace cleave {
namespace {

/// Lowers the priority of the calling thread, so that threads of a step come first: a step waits for the last of its
/// threads. On Linux each thread has its own priority, which threads that it starts inherit. Failure is ignored.
void lower_priority() {
  constexpr int nicer = 10;
  static_cast<void>(setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), nicer));
}

}  // namespace

OrderedQueue::OrderedQueue(int threads) : most_(static_cast<std::size_t>(threads) + 1) {
  const SignalsBlocked blocked;
  for (int t = 0; t < threads; ++t)
    threads_.emplace_back([this] {
      lower_priority();
      serve();
    });
}

OrderedQueue::~OrderedQueue() {
  const std::lock_guard lock(mutex_);
  closing_ = true;
  changed_.notify_all();
}  // the threads are joined as members

void OrderedQueue::make_room(double weight, double most) {
  std::unique_lock lock(mutex_);
  weight_of_next_ = weight;
  changed_.wait(lock, [&] {
    const double all = std::accumulate(weights_.begin(), weights_.end(), weight);
    return error_ || weights_.empty() || (weights_.size() < most_ && all <= most);
  });
  if (error_) throw_error();
}

bool OrderedQueue::is_idle() {
  const std::lock_guard lock(mutex_);
  return weights_.empty();
}

void OrderedQueue::add(Work work) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return error_ || weights_.size() < most_; });
  if (error_) throw_error();
  waiting_.push_back(std::move(work));
  weights_.push_back(std::exchange(weight_of_next_, 0));
  ++added_;
  changed_.notify_all();
}

void OrderedQueue::wait() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return finished_ == added_; });
  if (error_ && !error_thrown_) throw_error();
}

void OrderedQueue::throw_error() {
  error_thrown_ = true;
  std::rethrow_exception(error_);
}

void OrderedQueue::serve() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return closing_ || !waiting_.empty(); });
    if (waiting_.empty()) return;
    Work work = std::exchange(waiting_.front(), nullptr);
    waiting_.pop_front();
    const std::size_t place = begun_++;
    std::exception_ptr error = error_;
    Finish finish;
    // Calls f without holding the lock, unless an error has occurred before.
    const auto attempt = [&](const auto& f) {
      if (error) return;
      lock.unlock();
      try {
        f();
      } catch (...) {
        error = std::current_exception();
      }
      lock.lock();
    };
    {
      const ThreadsBeside counted(1);
      attempt([&] { finish = work(); });
    }
    work = nullptr;  // its captures may be large
    changed_.wait(lock, [&] { return finished_ == place; });
    if (error_) error = error_;
    attempt([&] {
      if (finish) finish();
    });
    error_ = error;
    ++finished_;
    weights_.pop_front();
    changed_.notify_all();
  }
}

}  // namespace cleave
