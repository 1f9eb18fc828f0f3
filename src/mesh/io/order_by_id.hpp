/// Sorting of nodes and elements by the input numbering.
#pragma once

#include <vector>

#include "cleave/core/types.hpp"

namespace cleave {

/// 0, 1, ... sorted by these original ids, ties by position.
std::vector<Index> order_by_id(const std::vector<Index>& original);

}  // namespace cleave
