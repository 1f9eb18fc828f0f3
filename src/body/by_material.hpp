/// Values that depend on an element's material.
#pragma once

#include <cstdint>

#include "cleave/core/types.hpp"
#include "cleave/mesh/blocks.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// A value for each material, looked up by element.
template <class Value>
struct ByMaterial {
  const Value* values;      ///< [material]
  const Index* of_element;  ///< [element] material; null: all have the first

  CLEAVE_HD Index material(Index e) const { return of_element == nullptr ? 0 : of_element[e]; }
  CLEAVE_HD const Value& of(Index e) const { return values[material(e)]; }
};

/// The materials of a launch over blocks of elements: one or two ranges of blocks that follow each other, each of one
/// material. They are arguments, so that a block reads its material from constant memory.
template <class Material>
struct BlockMaterials {
  static constexpr int capacity = 2;
  Material material[capacity];
  BlockRange range[capacity];  ///< without blocks if there is only one
  int count = 0;
  const Index* listed = nullptr;  ///< in rising order, the blocks of the launch; null: all of the ranges
  Index listed_count = 0;
  const std::uint8_t* skipped = nullptr;  ///< [block] 1: another launch computes it; null: none

  CLEAVE_HD Index blocks() const { return listed == nullptr ? end_block() - range[0].first_block : listed_count; }
  /// The block of the body that a block of the launch is.
  CLEAVE_HD_INLINE Index block(Index launched) const {
    return listed == nullptr ? range[0].first_block + launched : listed[launched];
  }
  CLEAVE_HD_INLINE bool skips(Index block) const { return skipped != nullptr && skipped[block] != 0; }
  CLEAVE_HD Index end_block() const { return range[count - 1].end_block(); }
  CLEAVE_HD_INLINE const Material& material_of(Index block) const { return material[in_first(block) ? 0 : 1]; }
  CLEAVE_HD_INLINE BlockRange range_of(Index block) const { return in_first(block) ? range[0] : range[1]; }

 private:
  CLEAVE_HD_INLINE bool in_first(Index block) const { return count == 1 || block < range[1].first_block; }
};

}  // namespace cleave::inline CLEAVE_PRECISION
