/// Lists of all ids, and their order in the input numbering.
#pragma once

#include <numeric>
#include <vector>

#include "cleave/core/machine.hpp"
#include "cleave/core/parallel.hpp"
#include "cleave/core/types.hpp"
#include "cleave/mesh/mesh.hpp"

namespace cleave {

/// 0, 1, ..., count - 1: all ids of that many nodes or elements.
inline std::vector<Index> all_ids(std::size_t count) {
  auto ids = parallel_vector<Index>(threads_for(0), count);
  parallel_for(threads_for(0), count, 65536, [&](std::size_t begin, std::size_t end) {
    std::iota(ids.data() + begin, ids.data() + end, static_cast<Index>(begin));
  });
  return ids;
}

/// The ids of the input numbering are those of the mesh.
inline void number_as_they_lie(Mesh& mesh) {
  mesh.original_nodes = all_ids(mesh.nodes.size());
  mesh.original_elements = all_ids(static_cast<std::size_t>(mesh.element_count()));
}

/// [id] Its position in an order of all ids.
std::vector<Index> inverse(const std::vector<Index>& order);

/// 0, 1, ... sorted by these original ids, ties by position.
std::vector<Index> order_by_id(const std::vector<Index>& original);

/// Ids in the order of the input numbering, or as they lie where there is none.
inline std::vector<Index> input_order(const std::vector<Index>& original, Index count) {
  return original.empty() ? all_ids(static_cast<std::size_t>(count)) : order_by_id(original);
}

}  // namespace cleave
