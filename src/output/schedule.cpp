#include "cleave/output/schedule.hpp"

#include <algorithm>

namespace cleave {

Step Schedule::next_state(Step step) const {
  Step next = steps_;
  for (const Step every : {output_.fields_every, output_.checkpoint_every}) {
    if (every > 0) next = std::min(next, (step / every + 1) * every);
  }
  return has_interval() ? std::min(next, next_nearest_to_multiple(step)) : next;
}

Step Schedule::frames() const {
  if (!has_interval()) return occurrences(output_.fields_every);
  if (steps_between_fields_ <= 1) return occurrences(1);
  auto inside = static_cast<Step>(static_cast<double>(steps_) / steps_between_fields_) + 1;  // multiples before the end
  while (inside > 0 && nearest_to(static_cast<double>(inside)) >= steps_) --inside;
  return steps_ == 0 ? 1 : inside + 2;
}

bool Schedule::is_nearest_to_multiple(Step step) const {
  if (!has_interval() || steps_between_fields_ <= 1) return has_interval();
  return nearest_to(std::round(static_cast<double>(step) / steps_between_fields_)) == step;
}

/// The first such step after `step`.
Step Schedule::next_nearest_to_multiple(Step step) const {
  if (steps_between_fields_ <= 1) return step + 1;
  double multiple = std::floor(static_cast<double>(step) / steps_between_fields_);
  while (nearest_to(multiple) <= step) ++multiple;
  return nearest_to(multiple);
}

Step Schedule::occurrences(Step every) const {
  if (steps_ == 0) return 1;
  if (every <= 0) return 2;
  return 1 + steps_ / every + (steps_ % every == 0 ? 0 : 1);
}

}  // namespace cleave
