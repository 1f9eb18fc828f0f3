/// Parts of a mesh in the order of the input numbering.
#pragma once

#include <vector>

#include "cleave/core/types.hpp"

namespace cleave {

/// 0, 1, ... in the order of these original ids, ties by position.
std::vector<Index> order_by_id(const std::vector<Index>& original);

}  // namespace cleave
