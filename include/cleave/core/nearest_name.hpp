/// Suggestions for a misspelt name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cleave {

/// The candidate that differs from `name` by the fewest typing errors (a letter added, lost or replaced, or two
/// neighbours swapped); the first one among equals. Empty when every candidate differs by more than a third of its
/// letters.
std::string nearest_name(std::string_view name, const std::vector<std::string>& candidates);

/// End of a message about an unknown name: `did you mean "inner"?`, or the list of valid names when none is near.
std::string suggest_name(std::string_view name, const std::vector<std::string>& candidates);

}  // namespace cleave
