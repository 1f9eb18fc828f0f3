/// Structured data in solver memory: rows of `Fields` values with a fixed layout.
#pragma once

#include <cstddef>
#include <cstdint>

#include "cleave/core/types.hpp"

namespace cleave {

/// View of rows of `Fields` values. Value f of row i lies at (i / Block) * Fields * Block + f * Block + i % Block:
/// Block 1 stores records, Block 32 stores a warp's rows interleaved, so that each thread reads its own row coalesced.
/// Appending rows never moves earlier ones.
template <class T, int Fields, int Block = 1>
struct Table {
  static constexpr int fields = Fields, block = Block;
  T* data = nullptr;

  CLEAVE_HD T& operator()(Index row, int field) const {
    const auto r = static_cast<std::uint32_t>(row);  // never negative: division is a shift
    return data[static_cast<std::size_t>(r / Block) * Fields * Block + static_cast<std::size_t>(field) * Block +
                r % Block];
  }
  /// Number of values that store `rows` rows.
  static constexpr std::size_t extent(Index rows) {
    return (static_cast<std::size_t>(rows) + Block - 1) / Block * Block * Fields;
  }
  /// Number of values in the leading blocks that hold nothing but the first `rows` rows.
  static constexpr std::size_t whole_blocks(Index rows) {
    return static_cast<std::size_t>(rows) / Block * Block * Fields;
  }
};

}  // namespace cleave
