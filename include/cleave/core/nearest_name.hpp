/// Help for a mistyped name: which of the valid names was meant.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cleave {

/// The candidate that differs from `name` by the fewest typing errors (a letter added, lost or replaced, or two
/// neighbours swapped); empty when even the best one differs by more than a third of its letters.
/// Of equally near candidates the first one wins.
std::string nearest_name(std::string_view name, const std::vector<std::string>& candidates);

/// The end of a message about an unknown name: `did you mean "inner"?`, or the list of valid names when none is near.
std::string suggest_name(std::string_view name, const std::vector<std::string>& candidates);

}  // namespace cleave
