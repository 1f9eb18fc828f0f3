/// How much memory a solver takes.
#pragma once

#include <cstddef>

namespace cleave {

/// Bytes of solver memory, and between it and the host's memory where that is another one.
struct MemoryUse {
  std::size_t now = 0, peak = 0;
  std::size_t to_device = 0, from_device = 0;  ///< since the program began
};

}  // namespace cleave
