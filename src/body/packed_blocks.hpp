/// Packed blocks: a compact copy of the element table for steps, in which nodes and slots have numbers within a block.
///
/// The rows of a block are its nodes: first the interior ones, then those on its border and copies. Elements write
/// their forces into slots of the block. A row has a slot for each of the block's elements at the node, in the order in
/// which these follow each other around it. The sum of the slots of a border row is a partial force.
///
///     row         0             1             2        interior = 2, rows = 3
///     node        14            15            97       first_node = 14; 97 lies on the border
///     slots       0, 8, 16, 24  1, 9, 17, 25  2, 10    packed: (row, slot) of each node of an element
///     sum         step          step          partial force, to the row's place in memory
///
/// On a GPU the slots of a row lie in one bank of shared memory (shared_banks), that of the row: workers that add up
/// neighbouring rows read different banks, and so do elements that write slots of such rows. Where that takes too much
/// memory, the slots of a row follow each other. On a CPU they come in layers (SlotLayers).
#pragma once

#include <cstdint>

#include "body/gather_table.hpp"
#include "cleave/core/atomic.hpp"
#include "cleave/core/table.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Finds the block of an element. Most bodies have one range of blocks, which is an argument of kernels.
struct BlockFinder {
  BlockRange first;
  const BlockRange* all;  ///< in rising order, the first one among them

  CLEAVE_HD_INLINE Index block_of(Index element) const {
    if (element < first.end_element) return first.block_of(element);
    Index r = 1;
    while (element >= all[r].end_element) ++r;
    return all[r].block_of(element);
  }
  CLEAVE_HD_INLINE BlockRange range_of(Index block) const {
    if (block < first.end_block()) return first;
    Index r = 1;
    while (block >= all[r].end_block()) ++r;
    return all[r];
  }
};

/// Blocks whose nodes have split since they were packed, each once, in any order.
struct TouchedBlocks {
  struct Counts {
    Index listed = 0;
    Index packers_done = 0;  ///< blocks of PackBlocks that have packed their share
  };
  Index* list = nullptr;  ///< [listed]
  Counts* counts = nullptr;
  Index* is_listed = nullptr;  ///< [block] 1: yes

  CLEAVE_HD void add(Index block) const {
    if (atomic_compare_exchange(is_listed[block], 0, 1) == 0) list[atomic_add(counts->listed, Index{1})] = block;
  }
};

/// Numbers of a block's rows.
struct alignas(16) BlockHeader {
  Index first_node;    ///< interior nodes follow each other in the body
  Index first_border;  ///< see PackedBlocks
  std::uint16_t interior;
  std::uint16_t rows;
  std::uint16_t interior_corners;     ///< all corners of elements inside are among so many first rows
  std::uint16_t border_corners : 14;  ///< on a GPU those on the border are the first behind the interior rows
  std::uint16_t constrained : 1;      ///< whether an interior node has a prescribed motion
  std::uint16_t in_banks : 1;         ///< whether the slots of a row lie in one bank

  CLEAVE_HD int border() const { return rows - interior; }
  /// From a slot of a row to the next one.
  CLEAVE_HD int stride() const { return in_banks ? shared_banks : 1; }
};

/// A node on the border of a block, or a copy.
struct alignas(8) BorderRow {
  Index node;
  Index place;  ///< of the block's partial force among all of them
};

/// Slots of two rows, as a GPU copies no less than four bytes at once.
struct alignas(4) RowPair {
  std::uint16_t code[2];
};

/// How the slots of a block lie on a CPU: layer k has the slot k of each row that has more than k slots. Rows with more
/// slots come first, so that rows add up their slots side by side:
///
///     row          0         1      2            rows[0] = 3, rows[1] = 3, rows[2] = 1, rows[3] = 0
///     has slots    2         3      2            place 1      0      2
///     layers       row 1  row 0  row 2 | row 1  row 0  row 2 | row 1
///
/// First come the layers of the interior rows, then those of the border rows, which are listed by their places.
struct SlotLayers {
  /// [layer] number of rows, with a zero at the end
  using Rows = std::uint16_t[most_elements_at_node + 1];
  Rows interior, border;
  std::uint16_t border_begin;  ///< first slot of a border row
  std::uint16_t in_order;      ///< 1: each interior row has the place of its number
};

/// View of all blocks.
template <class Element>
struct PackedBlocks {
  static constexpr int nodes_of_word = 3, row_bits = 10, node_bits = 2 * row_bits;
  static constexpr int words_of_element = Element::nodes / nodes_of_word;
  /// Three nodes of an element a word: the row and the slot of each.
  using Words = Table<std::uint64_t, words_of_element, 32>;
  static constexpr int pairs_per_block = slots_per_block<Element> / 2;  ///< there are never more rows than slots
  static_assert(Element::nodes % nodes_of_word == 0 && slots_per_block<Element> <= 1 << row_bits);
  static_assert(most_elements_at_node < 1 << (16 - row_bits));
  /// Room for slots in a bank of shared memory, if those of a row lie in one bank: more than all slots take.
  static constexpr int slots_of_bank = Element::nodes == 3 ? 71 : 113, slot_room = slots_of_bank * shared_banks;
  static_assert(slots_per_block<Element> <= slot_room && slot_room <= 1 << row_bits);

  /// The same for a CPU, which reads nodes where they are, and takes longer to take words apart than to read more.
  using NodeIds = Table<Index, Element::nodes, 32>;
  using Slots = Table<std::uint16_t, Element::nodes, 32>;

  Words words;           ///< of a device
  NodeIds node_ids;      ///< of a CPU
  Slots slots;           ///< of a CPU
  BlockHeader* headers;  ///< [block]
  SlotLayers* layers;    ///< [block] of a CPU
  RowPair* pairs;        ///< [block][row / 2]
  BorderRow* border;     ///< block after block, with room for all that cracks may make

  /// An element's nodes.
  struct Nodes {
    std::uint64_t word[words_of_element];

    CLEAVE_HD_INLINE int row(int k) const { return PackedBlocks::row(word[k / nodes_of_word], k); }
    CLEAVE_HD_INLINE int slot(int k) const { return PackedBlocks::slot(word[k / nodes_of_word], k); }
  };
  CLEAVE_HD_INLINE static int row(std::uint64_t word, int k) {
    return static_cast<int>(word >> (k % nodes_of_word * node_bits)) & ((1 << row_bits) - 1);
  }
  CLEAVE_HD_INLINE static int slot(std::uint64_t word, int k) {
    return static_cast<int>(word >> (k % nodes_of_word * node_bits + row_bits)) & ((1 << row_bits) - 1);
  }
  CLEAVE_HD_INLINE static std::uint64_t packed(int k, int row, int slot) {
    return static_cast<std::uint64_t>(row | slot << row_bits) << (k % nodes_of_word * node_bits);
  }

  CLEAVE_HD_INLINE Nodes nodes_of(Index e) const {
    Nodes nodes;
    for (int w = 0; w < words_of_element; ++w) nodes.word[w] = words(e, w);
    return nodes;
  }
  CLEAVE_HD_INLINE RowPair* pairs_of(Index block) const {
    return pairs + static_cast<std::ptrdiff_t>(block) * pairs_per_block;
  }
  /// The first slot of a row, counted from the first of the block, and how many it has. On a CPU: the place in layers
  /// of an interior row.
  struct RowSlots {
    int begin, count;
  };
  CLEAVE_HD_INLINE static RowSlots slots_of(const RowPair* pairs_of_block, int row) {
    const int code = pairs_of_block[row / 2].code[row % 2];
    return {code & ((1 << row_bits) - 1), code >> row_bits};
  }
  CLEAVE_HD_INLINE static void set_slots(RowPair* pairs_of_block, int row, int begin, int count) {
    pairs_of_block[row / 2].code[row % 2] = static_cast<std::uint16_t>(begin | count << row_bits);
  }
  CLEAVE_HD_INLINE bool for_host() const { return words.data == nullptr; }
  /// The place of the partial force of an element's block at one of its nodes, which is no interior one.
  CLEAVE_HD Index place_of(Index block, Index e, int k) const {
    const BlockHeader header = read_record(headers[block]);
    const BorderRow* row = border + header.first_border;
    if (!for_host()) return row[PackedBlocks::row(words(e, k / nodes_of_word), k) - header.interior].place;
    const Index node = node_ids(e, k);
    while (row->node != node) ++row;
    return row->place;
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
