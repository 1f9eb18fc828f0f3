/// Values that depend on an element's material.
#pragma once

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

/// The materials of a launch over blocks of elements: a few ranges of blocks, each of one material. They are arguments,
/// so that a block reads its material from constant memory.
template <class Material>
struct BlockMaterials {
  static constexpr int capacity = 4;
  Material material[capacity];
  BlockRange range[capacity];
  int count = 0;

  /// Blocks of the launch; the first is range[0].first_block.
  CLEAVE_HD Index blocks() const { return range[count - 1].end_block() - range[0].first_block; }
  /// Which range a block of the body is in.
  CLEAVE_HD_INLINE int index_of(Index block) const {
    int r = 0;
    while (r + 1 < count && block >= range[r + 1].first_block) ++r;
    return r;
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
