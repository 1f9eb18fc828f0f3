/// Bytes that an elastic step moves: those that no step can avoid, and those of its stages, counted from the data
/// structures.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cleave/core/types.hpp"
#include "cleave/mesh/blocks.hpp"
#include "cleave/mesh/mesh.hpp"
#include "cleave/solver/model.hpp"

namespace cleave {

/// Bytes that a node's step reads and writes besides its force: displacement and velocity both ways, 1/m.
inline constexpr double motion_bytes = 4 * sizeof(Vec2) + sizeof(Real);

/// Bytes per element that no step can avoid, whatever computes it: see BENCHMARKS.md.
inline double floor_bytes(ElementType type) {
  // An element reads its packed nodes, a flag and the position of half a corner once; its share of nodes reads and
  // writes their motion, and reads their slots.
  const double nodes = type == ElementType::t6 ? 2 : 0.5;
  const double element = nodes_per_element(type) / 3.0 * sizeof(std::uint64_t) + 1 + 0.5 * sizeof(Vec2);
  return element + nodes * (motion_bytes + sizeof(std::uint16_t));
}

namespace benchmark {

/// Rows of blocks on their borders, per element (packed_blocks.hpp).
/// @param first_interface  node
inline double border_rows(const Mesh& mesh, const std::vector<BlockRange>& ranges, Index first_interface) {
  const int width = nodes_per_element(mesh.type);
  std::size_t rows = 0;
  std::vector<Index> nodes;
  for (const BlockRange& range : ranges)
    for (Index b = range.first_block; b < range.end_block(); ++b) {
      nodes.clear();
      for (Index e = range.begin_of(b); e < range.end_of(b); ++e)
        for (int k = 0; k < width; ++k)
          if (mesh.node(e, k) >= first_interface) nodes.push_back(mesh.node(e, k));
      std::sort(nodes.begin(), nodes.end());
      rows += static_cast<std::size_t>(std::unique(nodes.begin(), nodes.end()) - nodes.begin());
    }
  return static_cast<double>(rows) / mesh.element_count();
}

/// Bytes of one pass over the mesh, each array that a launch touches being moved once by that launch.
struct StageBytes {
  double per_element = 0;
  bool by_step = false;  ///< a pass is all launches of a step: colours, in parts of a large mesh
};

/// Bytes of the stage with that name in stage_times(); none for stages that only touch counters, for stages not
/// counted, and for stages of `coloured` and `atomic` that a check without a stress near the strength leaves out.
/// @param on_gpu  a GPU reads packed words and positions, a CPU ids and gradients
std::optional<StageBytes> stage_bytes(const Model& model, const std::string& stage, bool on_gpu);

}  // namespace benchmark

}  // namespace cleave
