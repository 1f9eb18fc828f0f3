/// Ranges of the values of a buffer, and what becomes of them.
#pragma once

#include <cstddef>

namespace cleave {

/// Values [begin, end).
struct ValueRange {
  std::size_t begin, end;
};

/// Whether what is written into the values whose memory a buffer gives back is lost, or lies in the host's memory.
enum class GivenBack { lost, to_host };

}  // namespace cleave
