#include "cleave/output/schedule.hpp"

#include <algorithm>

namespace cleave {

Step Schedule::next_state(Step step) const {
  Step next = steps_;
  for (const Step every : {output_.fields_every, output_.checkpoint_every}) {
    if (every > 0) next = std::min(next, (step / every + 1) * every);
  }
  return next;
}

Step Schedule::occurrences(Step every) const {
  if (steps_ == 0) return 1;
  if (every <= 0) return 2;
  return 1 + steps_ / every + (steps_ % every == 0 ? 0 : 1);
}

}  // namespace cleave
