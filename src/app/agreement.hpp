/// A run on several ranks: they agree before it, then rank 0 decides and writes, and followers make the same calls with
/// their solvers.
#pragma once

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>

#include "cleave/partition/ranks.hpp"
#include "cleave/solver/solver.hpp"

namespace cleave {

/// Ends a rank without a message, because rank 0 reports the error.
struct FollowerExit {
  int exit_code;
};

/// Runs f on all ranks and compares the texts that it returns. If any rank throws, or its text differs from that of
/// rank 0, all ranks throw: rank 0 its own exception or an error with the other rank's message, the others
/// FollowerExit.
/// @param if_other  message of a rank with another text
void run_in_agreement(Ranks& ranks, const std::function<std::string()>& f, const std::string& if_other);

/// Rank 0 prepares the run while the other ranks wait. They start at release(); otherwise the destructor ends them.
class StartBarrier {
 public:
  explicit StartBarrier(Ranks& ranks) : ranks_(ranks) {}
  ~StartBarrier() {
    if (!announced_) announce(false);
  }
  StartBarrier(const StartBarrier&) = delete;
  StartBarrier& operator=(const StartBarrier&) = delete;
  void release() { announce(true); }
  /// On other ranks: waits until rank 0 decides; returns whether the run starts.
  static bool wait(Ranks& ranks);

 private:
  void announce(bool start);
  Ranks& ranks_;
  bool announced_ = false;
};

/// Runs f, which all ranks take part in. An exception on a single rank, such as a lack of memory, ends the processes of
/// all ranks, because the others wait for it. InputError and NumericalError occur on all ranks alike and are passed on.
void run_collectively(Ranks& ranks, const std::function<void()>& f);

/// The solver of rank 0. Each of its calls is made by the solvers of all ranks; its destructor ends the followers.
/// Exceptions that do not occur on all ranks end the processes of all.
/// @param strength_scale  Model::element_strength_scale of the whole body, for frames
std::unique_ptr<Solver> lead(Ranks& ranks, std::unique_ptr<Solver> own, const std::vector<double>& strength_scale);

/// Executes the calls of rank 0 on another rank until its solver is destroyed.
void follow(Ranks& ranks, Solver& own);

}  // namespace cleave
