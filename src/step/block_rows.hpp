/// Rows of a block in the shared memory of a GPU.
#pragma once

#include "body/packed_blocks.hpp"
#include "cleave/lockstep/lockstep.hpp"
#include "step/gather_node.hpp"
#include "terms/bulk/element_force.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Values of nodes that follow each other, in shared memory.
template <class T, int most>
struct NodeRun {
  static constexpr int of_line = sizeof(T) < fetch_bytes ? fetch_bytes / static_cast<int>(sizeof(T)) : 1;
  alignas(fetch_bytes) T value[(most + 2 * of_line - 2) / of_line * of_line];

  /// Number of values before the first node that come with it.
  CLEAVE_HD_INLINE static int before(Index first_node) { return first_node % of_line; }
  CLEAVE_HD_INLINE const T& at(Index first_node, int row) const { return value[before(first_node) + row]; }
  /// @param from  [node]
  template <class Worker>
  CLEAVE_HD_INLINE void fetch(Worker const& worker, FetchGate& gate, const T* from, Index first_node, int count) {
    const int more = before(first_node);
    worker.fetch_run(gate, value, from + (first_node - more), count + more);
  }
};

/// Values of the rows of a block, and the slots of its elements.
/// @tparam workers      of the block
/// @tparam all_flags    whether the step of a node looks at more flags than that of a prescribed motion
/// @tparam most_staged  interior nodes whose velocities and constants are here, and whose displacements stay; the step
///                      reads those of the others from memory
template <class Element, int workers, bool all_flags, int most_staged>
struct BlockRows {
  using Packed = PackedBlocks<Element>;
  static constexpr int vectors = most_staged + Packed::slot_room;
  static_assert(most_staged % shared_banks == 0 && slots_per_block<Element> <= vectors);  // no block has more rows

  /// Displacements of rows, then positions of corners. Slots overwrite both, but for displacements of staged nodes.
  alignas(fetch_bytes) Vec2 vector[vectors];
  NodeRun<Vec2, most_staged> velocity;                          ///< [interior row]
  NodeRun<Real, most_staged> inverse_mass;                      ///< [interior row] 1/kg
  NodeRun<NodeAssembly, all_flags ? most_staged : 1> assembly;  ///< [interior row]
  alignas(fetch_bytes) RowPair pairs[Packed::pairs_per_block];
  FetchGate gate;

  CLEAVE_HD_INLINE Vec2& displacement(int row) { return vector[row]; }
  CLEAVE_HD_INLINE Vec2* positions(const BlockHeader& header) { return vector + header.rows; }
  CLEAVE_HD_INLINE Vec2* slots() { return vector + most_staged; }
  /// Whether there is no room for positions: the block has many rows, as after many cracks.
  CLEAVE_HD_INLINE static bool lacks_positions(const BlockHeader& header) {
    return header.rows + header.interior + header.border_corners > vectors;
  }

  /// Copies vectors of the interior nodes.
  template <class Worker>
  CLEAVE_HD_INLINE void fetch_interior(Worker const& worker, Vec2* to, const Vec2* from, int rows, Idx i) {
    if constexpr (sizeof(Vec2) == fetch_bytes)
      worker.fetch_run(gate, to, from, rows);
    else
      for (int row = i; row < rows; row += workers) worker.fetch(to[row], from[row]);
  }
  CLEAVE_HD_INLINE static int staged(const BlockHeader& header) {
    return header.interior < most_staged ? header.interior : most_staged;
  }
  /// Fetches what only insertion changes.
  /// @param kernel  BlockStep
  template <class Worker, class Kernel>
  CLEAVE_HD_INLINE void fetch_constants(Worker const& worker, const Kernel& kernel, Index block,
                                        const BlockHeader& header, Idx i) {
    worker.open(gate);
    if (!lacks_positions(header))
      fetch_interior(worker, positions(header), kernel.position + header.first_node, header.interior_corners, i);
    inverse_mass.fetch(worker, gate, kernel.step.inverse_mass, header.first_node, staged(header));
    if constexpr (all_flags) assembly.fetch(worker, gate, kernel.step.assembly, header.first_node, staged(header));
    worker.fetch_run(gate, pairs, kernel.packed.pairs_of(block), (header.rows + 1) / 2);
  }
  /// Fetches displacements and velocities, and positions of the border, whose nodes are scattered.
  template <class Worker, class Kernel>
  CLEAVE_HD_INLINE void fetch_motion(Worker const& worker, const Kernel& kernel, const BlockHeader& header,
                                     const BorderRow& first_border, Idx i) {
    const NodeMotion& nodes = kernel.step.nodes;
    fetch_interior(worker, vector, nodes.displacement + header.first_node, header.interior, i);
    velocity.fetch(worker, gate, nodes.velocity, header.first_node, staged(header));
    Vec2* const position = positions(header);
    for (int j = kernel.first_border_of(i); j < header.border(); j += workers) {
      const Index node = j < workers ? first_border.node : kernel.packed.border[header.first_border + j].node;
      worker.fetch(displacement(header.interior + j), nodes.displacement[node]);
      if (j < header.border_corners && !lacks_positions(header))
        worker.fetch(position[header.interior + j], kernel.position[node]);
    }
  }
  /// An interior node.
  template <class NodeStep>
  CLEAVE_HD_INLINE FetchedNode node(const NodeStep& step, const BlockHeader& header, int row) {
    const Index n = header.first_node + row;
    if (row >= most_staged) return step.fetch(n);
    std::uint16_t flags = 0;
    if constexpr (all_flags)
      flags = assembly.at(header.first_node, row).flags;
    else if (header.constrained)
      flags = step.assembly[n].flags;
    return {inverse_mass.at(header.first_node, row), flags, displacement(row), velocity.at(header.first_node, row),
            step.nodes.dropped_at(n)};
  }
  /// Gradients of the area coordinates of element `e`, while positions are here.
  CLEAVE_HD_INLINE AreaGradients gradients(const BlockHeader& header, const typename Packed::Nodes& nodes,
                                           const GeometryTable& geometry, Index e) {
    if (lacks_positions(header)) return geometry.gradients_of(e);
    const Vec2* const position = positions(header);
    const Vec2 x0 = position[nodes.row(0)];
    return area_gradients(position[nodes.row(1)] - x0, position[nodes.row(2)] - x0);
  }
  CLEAVE_HD_INLINE Vec2 sum_of_slots(const BlockHeader& header, int row) {
    constexpr int together = Element::nodes == 3 ? 4 : 2;  // read before the first is added; zeros change no sum
    const auto [begin, count] = Packed::slots_of(pairs, row);
    const Vec2* slot = slots() + begin;
    const int stride = header.stride();
    Vec2 f{};
    for (int first = 0; first < count; first += together, slot += together * stride) {
      Vec2 of_element[together];
      CLEAVE_UNROLL
      for (int k = 0; k < together; ++k) of_element[k] = first + k < count ? slot[k * stride] : Vec2{};
      CLEAVE_UNROLL
      for (int k = 0; k < together; ++k) f += of_element[k];
    }
    return f;
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
