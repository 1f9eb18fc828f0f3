/// Rows of a block in the shared memory of a GPU.
#pragma once

#include "body/packed_blocks.hpp"
#include "cleave/lockstep/lockstep.hpp"
#include "step/gather_node.hpp"
#include "terms/bulk/element_force.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Values of the rows of a block, and the slots of its elements.
/// @tparam workers    of the block
/// @tparam all_flags  whether the step of a node looks at more flags than that of a prescribed motion
template <class Element, int workers, bool all_flags>
struct BlockRows {
  /// Interior nodes whose velocities and constants are here. Blocks of a usual mesh have no more; workers read those of
  /// the rest when they step them.
  static constexpr int most_staged = Element::nodes == 3 ? 64 : 256;
  using Packed = PackedBlocks<Element>;

  /// Displacements of rows, then positions of corners, which slots overwrite. A CPU has slots of interior nodes here,
  /// then those of border rows, and a zero.
  Vec2 vector[2 * slots_per_block<Element> + 1];
  Vec2 velocity[most_staged];                          ///< [interior row]
  Real inverse_mass[most_staged];                      ///< [interior row] 1/kg
  NodeAssembly assembly[all_flags ? most_staged : 1];  ///< [interior row]
  RowPair pairs[Packed::pairs_per_block];

  CLEAVE_HD_INLINE Vec2& displacement(int row) { return vector[row]; }
  CLEAVE_HD_INLINE Vec2& position(int row) { return vector[slots_per_block<Element> + row]; }
  CLEAVE_HD_INLINE Vec2& slot(int at) { return vector[slots_per_block<Element> + at]; }

  /// Fetches what only insertion changes.
  /// @param kernel  BlockStep
  template <class Worker, class Kernel>
  CLEAVE_HD_INLINE void fetch_constants(Worker const& worker, const Kernel& kernel, Index block,
                                        const BlockHeader& header, Idx i) {
    for (int row = i; row < header.interior_corners; row += workers)
      worker.fetch(position(row), kernel.position[header.first_node + row]);
    for (int row = i; row < header.interior && row < most_staged; row += workers) {
      worker.fetch(inverse_mass[row], kernel.step.inverse_mass[header.first_node + row]);
      if constexpr (all_flags) worker.fetch(assembly[row], kernel.step.assembly[header.first_node + row]);
    }
    for (int pair = i; 2 * pair < header.rows; pair += workers)
      worker.fetch(pairs[pair], kernel.packed.pairs_of(block)[pair]);
  }
  /// Fetches displacements and velocities, and positions of the border, whose nodes are scattered.
  template <class Worker, class Kernel>
  CLEAVE_HD_INLINE void fetch_motion(Worker const& worker, const Kernel& kernel, const BlockHeader& header,
                                     const BorderRow& first_border, Idx i) {
    const NodeMotion& nodes = kernel.step.nodes;
    for (int j = i; j < header.border(); j += workers) {
      const Index node = j == i ? first_border.node : kernel.packed.border[header.first_border + j].node;
      worker.fetch(displacement(header.interior + j), nodes.displacement[node]);
      if (j < header.border_corners) worker.fetch(position(header.interior + j), kernel.position[node]);
    }
    for (int row = i; row < header.interior; row += workers) {
      const Index n = header.first_node + row;
      worker.fetch(displacement(row), nodes.displacement[n]);
      if (row < most_staged) worker.fetch(velocity[row], nodes.velocity[n]);
    }
  }
  /// An interior node.
  template <class NodeStep>
  CLEAVE_HD_INLINE FetchedNode node(const NodeStep& step, const BlockHeader& header, int row) {
    const Index n = header.first_node + row;
    if (row >= most_staged) return step.fetch(n);
    std::uint16_t flags = 0;
    if constexpr (all_flags)
      flags = assembly[row].flags;
    else if (header.constrained)
      flags = step.assembly[n].flags;
    return {inverse_mass[row], flags, displacement(row), velocity[row], step.nodes.dropped_at(n)};
  }
  /// Gradients of the area coordinates of an element, while positions are here.
  CLEAVE_HD_INLINE AreaGradients gradients(const typename Packed::Nodes& nodes) {
    const Vec2 x0 = position(nodes.row(0));
    return area_gradients(position(nodes.row(1)) - x0, position(nodes.row(2)) - x0);
  }
  CLEAVE_HD_INLINE Vec2 sum_of_slots(int row) {
    const SlotRange range = Packed::slots_of(pairs, row);
    Vec2 f{};
    for (Index s = range.begin; s < range.end; ++s) f += slot(Packed::spread(s));
    return f;
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
