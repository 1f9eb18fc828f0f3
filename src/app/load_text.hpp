/// The loads of a case in words.
#pragma once

#include <string>
#include <vector>

#include "cleave/case/case.hpp"

namespace cleave {

/// Everything that acts on the body, a short text each: initial states, entries of `boundary`, body force, damping,
/// supports.
std::vector<std::string> texts_of_loads(const Case& c);

}  // namespace cleave
