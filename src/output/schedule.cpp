#include "cleave/output/schedule.hpp"

namespace cleave {

Step Period::next(Step step) const {
  Step next = last_;
  if (every_ > 0) next = std::min(next, (step / every_ + 1) * every_);
  return has_interval() ? std::min(next, next_nearest_to_multiple(step)) : next;
}

Step Period::count() const {
  if (last_ == 0) return 1;
  if (every_ > 0 || (has_interval() && steps_between_ <= 1)) {
    const Step every = has_interval() ? 1 : every_;
    return 1 + last_ / every + (last_ % every == 0 ? 0 : 1);
  }
  if (!has_interval()) return 2;
  auto inside = static_cast<Step>(static_cast<double>(last_) / steps_between_) + 1;  // multiples before the end
  while (inside > 0 && nearest_to(static_cast<double>(inside)) >= last_) --inside;
  return inside + 2;
}

bool Period::is_nearest_to_multiple(Step step) const {
  if (!has_interval() || steps_between_ <= 1) return has_interval();
  return nearest_to(std::round(static_cast<double>(step) / steps_between_)) == step;
}

/// The first step after `step` that is nearest to a multiple of the interval.
Step Period::next_nearest_to_multiple(Step step) const {
  if (steps_between_ <= 1) return step + 1;
  double multiple = std::floor(static_cast<double>(step) / steps_between_);
  while (nearest_to(multiple) <= step) ++multiple;
  return nearest_to(multiple);
}

}  // namespace cleave
