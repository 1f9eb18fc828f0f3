/// Memory that a solver takes.
#pragma once

#include <cstddef>

namespace cleave {

/// Bytes of solver memory, and bytes copied between it and the host if the solver runs on a device.
struct MemoryUse {
  std::size_t now = 0, peak = 0;
  std::size_t to_device = 0, from_device = 0;  ///< since the program began
};

}  // namespace cleave
