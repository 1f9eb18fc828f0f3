/// Ranges of the values of a buffer.
#pragma once

#include <cstddef>

namespace cleave {

/// Values [begin, end).
struct ValueRange {
  std::size_t begin, end;
};

}  // namespace cleave
