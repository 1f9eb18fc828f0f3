/// Blocks of elements that launches compute before the others.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "body/by_material.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// A list of blocks in rising order, on the host and in solver memory.
template <class Backend>
class ListedBlocks {
 public:
  /// @param all  blocks of the body
  void start(std::vector<Index> ids, Index all) {
    ids_ = std::move(ids);
    in_memory_.upload(ids_);
    std::vector<std::uint8_t> is_listed(all, 0);
    for (const Index block : ids_) is_listed[block] = 1;
    is_listed_.upload(is_listed);
  }
  /// Leaves of the blocks of a launch those of the list; false: there are none.
  template <class Material>
  bool restrict_to_listed(BlockMaterials<Material>& launch) const {
    const auto begin = std::lower_bound(ids_.begin(), ids_.end(), launch.range[0].first_block),
               end = std::lower_bound(begin, ids_.end(), launch.end_block());
    launch.listed = in_memory_.data() + (begin - ids_.begin());
    launch.listed_count = static_cast<Index>(end - begin);
    return begin != end;
  }
  /// Leaves the others. It launches all: to look up which block it is would cost a block more time than it costs to
  /// find out that there is nothing to do.
  template <class Material>
  void restrict_to_others(BlockMaterials<Material>& launch) const {
    launch.skipped = is_listed_.data();
  }

 private:
  std::vector<Index> ids_;
  typename Backend::template Buffer<Index> in_memory_;
  typename Backend::template Buffer<std::uint8_t> is_listed_;  ///< [block]
};

}  // namespace cleave::inline CLEAVE_PRECISION
