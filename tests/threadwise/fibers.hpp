/// Workers of a block that take turns on one thread of the host, each with a stack of its own.
#pragma once

#include <ucontext.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

namespace cleave::test {

/// Runs a function for every worker. A worker that waits at a barrier hands over to the next, round and round: none
/// goes on before all have arrived. A worker that has returned is not waited for.
class Fibers {
 public:
  /// @param backwards  the last worker comes first in every round
  void run(int workers, bool backwards, const std::function<void(int worker)>& body) {
    body_ = &body;
    backwards_ = backwards;
    contexts_.resize(workers);
    done_.assign(workers, false);
    while (static_cast<int>(stacks_.size()) < workers)
      stacks_.push_back(std::make_unique_for_overwrite<std::byte[]>(stack_bytes));
    for (int i = 0; i < workers; ++i) {
      getcontext(&contexts_[i]);
      contexts_[i].uc_stack = {.ss_sp = stacks_[i].get(), .ss_flags = 0, .ss_size = stack_bytes};
      contexts_[i].uc_link = nullptr;
      makecontext(&contexts_[i], enter, 0);
    }
    running_ = this;
    left_ = workers;
    now_ = 0;
    swapcontext(&caller_, &contexts_[worker_at(now_)]);
  }
  /// The barrier.
  void wait() {
    ucontext_t& own = contexts_[worker_at(now_)];
    if (move_on()) swapcontext(&own, &contexts_[worker_at(now_)]);
  }

 private:
  static constexpr std::size_t stack_bytes = 256 * 1024;

  int worker_at(int place) const { return backwards_ ? static_cast<int>(contexts_.size()) - 1 - place : place; }
  /// Goes to the next worker that has not returned; false if there is no other.
  bool move_on() {
    const int before = now_;
    do now_ = (now_ + 1) % static_cast<int>(contexts_.size());
    while (done_[worker_at(now_)] && now_ != before);
    return now_ != before;
  }
  static void enter() {
    Fibers& all = *running_;
    const int own = all.worker_at(all.now_);
    (*all.body_)(own);
    all.done_[own] = true;
    if (--all.left_ == 0) setcontext(&all.caller_);
    all.move_on();
    setcontext(&all.contexts_[all.worker_at(all.now_)]);
  }

  static inline Fibers* running_ = nullptr;
  const std::function<void(int)>* body_ = nullptr;
  bool backwards_ = false;
  std::vector<ucontext_t> contexts_;  ///< [worker]
  std::vector<bool> done_;            ///< [worker]
  std::vector<std::unique_ptr<std::byte[]>> stacks_;
  ucontext_t caller_{};
  int now_ = 0, left_ = 0;
};

}  // namespace cleave::test
