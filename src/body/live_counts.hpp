/// Numbers of nodes and cohesive elements in use, as launches read them.
#pragma once

#include "cleave/core/types.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Numbers in use, in solver memory: launches are sized for the capacity, so that they need not be recorded again when
/// insertion adds nodes and cohesive elements.
struct LiveCounts {
  Index nodes = 0;
  Index cohesive = 0;
  Index slots = 0;       ///< in memory
  Index row = 0;         ///< of the step inputs: that of the step at which the last recording ended
  Step first_input = 0;  ///< the step of row 0

  CLEAVE_HD Step step() const { return first_input + row; }
};

}  // namespace cleave::inline CLEAVE_PRECISION
