/// Time that stages of a step take.
#pragma once

#include <string>

#include "cleave/core/types.hpp"

namespace cleave {

/// Accumulated time of one stage of the step: on a GPU between events, else wall time.
struct StageTime {
  std::string name;
  double seconds = 0;
  Step calls = 0;
};

}  // namespace cleave
