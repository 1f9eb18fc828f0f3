/// The gather assembly: every element writes its force on each of its nodes into a slot, and slots are added up in the
/// order in which elements follow each other around a node. No two elements write to one place, and the order of every
/// sum is fixed.
///
/// Elements come in blocks, with their slots in shared memory (but see ResidentSteps). A node that only one block uses
/// is updated in the same launch. For nodes between blocks, and copies that insertion made, each block leaves the sum
/// of its slots in memory, a partial force (packed_blocks.hpp). A second launch adds up partial forces, in the order in
/// which blocks first appear around the node.
#pragma once

#include "body/element_table.hpp"
#include "body/live_counts.hpp"
#include "cleave/mesh/blocks.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Block slots are numbered through all blocks, so many for each.
template <class Element>
inline constexpr Index slots_per_block = elements_per_block* Element::nodes;
template <class Element>
CLEAVE_HD constexpr Index first_block_slot(Index block) {
  return block * slots_per_block<Element>;
}

/// The slots of a node, first to one past last: interface slots in memory, or, of nodes interior to a block, block
/// slots in shared memory.
struct SlotRange {
  Index begin = 0;
  Index end = 0;
};

/// Flags of a node besides its state. Copies inherit them.
/// outside: see OutsideForces; remote: another rank steps it, and this one needs neither it nor its copies; mixed:
/// in the intact mesh its elements are of several materials. So several blocks have it, and its slots lie in memory;
/// ghost: another rank adds up its works and energies; pushed: terms may have a force on it (Term::nodal_force);
/// process: processes have fields on nodes, which copies take over.
enum NodeFlag : std::uint8_t {
  constrained_node = 1,
  outside_node = 2,
  remote_node = 4,
  mixed_node = 8,
  ghost_node = 16,
  pushed_node = 32,
  process_node = 64
};
/// Flags that differ from rank to rank.
inline constexpr unsigned flags_of_ranks = remote_node | ghost_node;
/// Flags that change the step of a node. Forces of terms are added with or without lanes.
inline constexpr unsigned step_flags = constrained_node | outside_node | remote_node;

/// Slots and partial forces of a node, and its flags. Only insertion and contact change them. The struct has no gaps,
/// as checkpoints compare byte for byte, and no first values, as blocks have arrays of it in shared memory.
/// In a file: its flags alone, see SlotsOfSectors.
struct alignas(8) NodeAssembly {
  Index first_slot;
  std::uint8_t slots;
  std::uint8_t partials;  ///< of a node whose slots lie in memory: partial forces, one for each block
  std::uint16_t flags;    ///< NodeFlag

  CLEAVE_HD SlotRange range() const { return {first_slot, first_slot + slots}; }
  /// Places of its partial forces: the first of those that have the numbers of its slots.
  CLEAVE_HD SlotRange partial_range() const { return {first_slot, first_slot + partials}; }
  CLEAVE_HD void set_range(SlotRange r) {
    first_slot = r.begin;
    slots = static_cast<std::uint8_t>(r.end - r.begin);
  }
  NodeAssembly in_file() const { return {0, 0, 0, static_cast<std::uint16_t>(flags & ~flags_of_ranks)}; }
};

static_assert(sizeof(NodeAssembly) == 8);

/// Element blocks and their interior nodes.
struct BlockTable {
  Index count = 0;                    ///< blocks
  const Index* first_node = nullptr;  ///< [blocks + 1]; from first_node[blocks] on come interface nodes
};

}  // namespace cleave::inline CLEAVE_PRECISION
