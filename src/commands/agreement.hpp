/// What the ranks of a run must agree on before rank 0 leads them.
#pragma once

#include <functional>
#include <stdexcept>
#include <string>

#include "cleave/partition/ranks.hpp"

namespace cleave {

/// Ends a rank that has nothing to say: rank 0 says it.
struct LetGo {
  int exit_code;
};

/// Every rank does the same, and comes to the same: f returns what has to be equal. What one cannot do, none goes on
/// with: rank 0 throws what it has met itself, or an error with what another rank has, and the others throw LetGo.
void in_agreement(Ranks& ranks, const std::function<std::string()>& f);

/// Rank 0 prepares what is its own matter while the others wait; unless `go` is called, they are let go.
class OthersWait {
 public:
  explicit OthersWait(Ranks& ranks) : ranks_(ranks) {}
  ~OthersWait() {
    if (!told_) tell(false);
  }
  OthersWait(const OthersWait&) = delete;
  OthersWait& operator=(const OthersWait&) = delete;
  void go() { tell(true); }
  /// For the others.
  static bool told_to_go(Ranks& ranks);

 private:
  void tell(bool go);
  Ranks& ranks_;
  bool told_ = false;
};

/// Does what all ranks take part in. What a rank meets in it alone (memory, say) ends the processes of all, as the
/// others wait for it: but for InputError and NumericalError, which all meet alike.
void together(Ranks& ranks, const std::function<void()>& f);

}  // namespace cleave
