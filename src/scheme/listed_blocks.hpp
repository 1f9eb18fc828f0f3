/// Blocks of elements that launches are restricted to.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "kernels/by_material.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// A list of blocks in rising order, on the host and in solver memory.
template <class Backend>
class ListedBlocks {
 public:
  void start(std::vector<Index> ids) {
    ids_ = std::move(ids);
    in_memory_.upload(ids_);
  }
  Index count() const { return static_cast<Index>(ids_.size()); }
  /// Of the blocks that follow each other in a launch, those of the list; false: there are none.
  template <class Material>
  bool restrict(BlockMaterials<Material>& materials) const {
    const auto begin = std::lower_bound(ids_.begin(), ids_.end(), materials.range[0].first_block),
               end = std::lower_bound(begin, ids_.end(), materials.end_block());
    materials.listed = in_memory_.data() + (begin - ids_.begin());
    materials.listed_count = static_cast<Index>(end - begin);
    return begin != end;
  }

 private:
  std::vector<Index> ids_;
  typename Backend::template Buffer<Index> in_memory_;
};

}  // namespace cleave::inline CLEAVE_PRECISION
