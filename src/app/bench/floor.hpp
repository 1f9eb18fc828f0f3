/// The bytes that no elastic step can avoid.
#pragma once

#include "cleave/core/types.hpp"
#include "cleave/mesh/mesh.hpp"

namespace cleave {

/// Bytes that a node's step reads and writes besides its force: displacement and velocity both ways, 1/m.
inline constexpr double motion_bytes = 4 * sizeof(Vec2) + sizeof(Real);

/// Bytes per element that no step can avoid, whatever computes it: see BENCHMARKS.md.
inline double floor_bytes(ElementType type) {
  // What an element reads once (node ids, slots, gradients, a flag), and what its share of nodes reads and writes
  // (their motion; slot range and flags).
  const double nodes = type == ElementType::t6 ? 2 : 0.5;
  const double element = nodes_per_element(type) * 2.0 * sizeof(Index) + 4.0 * sizeof(Real) + 1;
  return element + nodes * (motion_bytes + 2 * sizeof(Index));
}

}  // namespace cleave
