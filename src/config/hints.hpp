/// Hints for users who write names or units of other programs.
#pragma once

#include <string>
#include <vector>

namespace cleave::config {

/// The name in a case file of a key that is unknown: one of `valid`, or a path from the root; empty if there is none.
std::string name_used_here(const std::string& key, const std::vector<std::string>& valid);

/// The number in SI units of a text that is a number with a unit; otherwise empty.
std::string without_unit(const std::string& text);

}  // namespace cleave::config
