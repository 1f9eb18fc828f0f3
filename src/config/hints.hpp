/// What a user may have meant who writes what other programs take.
#pragma once

#include <string>
#include <vector>

namespace cleave::config {

/// Of a key that is unknown here: the name it has here, one of `valid` or a path from the root; or nothing.
std::string name_used_here(const std::string& key, const std::vector<std::string>& valid);

/// Of a text where a number is expected: the number in SI units, if the text is one with a unit; or nothing.
std::string without_unit(const std::string& text);

}  // namespace cleave::config
