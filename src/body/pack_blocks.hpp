/// Packs blocks: derives what a step reads of them from the element table.
#pragma once

#include <algorithm>
#include <iterator>

#include "body/incidence.hpp"
#include "body/packed_blocks.hpp"
#include "cleave/lockstep/one_block.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// The elements of a node in memory's slots, by their blocks. The blocks come in the order in which they first appear
/// around the node. That is the order of their partial forces.
struct BlocksAtNode {
  const Index* entries;  ///< in the order of the elements around the node
  BlockFinder find;

  CLEAVE_HD_INLINE Index block(int at) const { return find.block_of(element_of_entry(entries[at])); }
  /// Whether no earlier element is of the same block.
  CLEAVE_HD_INLINE bool is_first(int at) const {
    const Index own = block(at);
    for (int before = 0; before < at; ++before)
      if (block(before) == own) return false;
    return true;
  }
  /// Number of blocks of the first elements.
  CLEAVE_HD_INLINE int count(int elements) const {
    int blocks = 0;
    for (int at = 0; at < elements; ++at) blocks += is_first(at) ? 1 : 0;
    return blocks;
  }
};

/// Counts the partial forces of nodes in memory's slots.
struct CountPartials {
  static constexpr KernelTraits traits{.name = "blocks at nodes"};
  Index first;  ///< node
  Index count;
  const Index* interface_entries;  ///< see IncidenceTable
  BlockFinder find;
  NodeAssembly* assembly;  ///< [node]

  CLEAVE_HD Index size() const { return count; }
  CLEAVE_HD void operator()(Index i) const {
    NodeAssembly& node = assembly[first + i];
    node.partials =
        static_cast<std::uint8_t>(BlocksAtNode{interface_entries + node.first_slot, find}.count(node.slots));
  }
};

/// Packs blocks: all, or those whose nodes have split since they were packed.
template <class Element>
struct PackBlocks {
  static constexpr KernelTraits traits{.name = "packed blocks"};
  static constexpr int workers = elements_per_block, corners = slots_per_block<Element>;
  /// Node k of the block's i-th element is corner k * workers + i.
  struct Shared {
    std::uint16_t leader[corners];  ///< that of the block's first element at the same node; of an interior node: none
    std::uint16_t row[corners];     ///< of interior nodes' corners and of leaders
    std::uint16_t begin[corners];   ///< [row] the first of its slots; on a CPU its place in layers
    std::uint8_t rank[corners];     ///< number of corners of the block before it at the node
    std::uint8_t count[corners];    ///< [row] slots
    PrefixSums<Index, workers> sums;
  };
  static constexpr std::uint16_t none = 0xFFFF;
  /// Whether slots come in layers: one thread of a CPU does the work of all workers.
  template <class Worker>
  static constexpr bool has_layers = Worker::slots > 1;
  ElementTable<Element> elements;
  IncidenceTable<Element> incidence;
  const NodeAssembly* assembly;  ///< [node]
  BlockFinder find;
  PackedBlocks<Element> to;
  TouchedBlocks touched;  ///< to pack; without a list: all blocks
  Index launched;         ///< blocks of the launch, which pack several each where more are touched

  CLEAVE_HD Index blocks() const { return launched; }

  template <class Worker>
  CLEAVE_HD void operator()(Worker const& worker, Shared& shared) const {
    if (touched.list == nullptr) return pack(worker, shared, worker.block);
    const Index count = touched.counts->listed, first = touched.list[worker.block];  // read at once
    if (count == 0) return;
    for (Index at = worker.block; at < count; at += blocks()) {
      const Index block = at == worker.block ? first : touched.list[at];
      pack(worker, shared, block);
      only_master(worker, [&] { touched.is_listed[block] = 0; });
    }
    only_master(worker, [&] {
      if (atomic_arrive(touched.counts->packers_done) == blocks() - 1) *touched.counts = {};
    });
  }

 private:
  /// The block that is packed.
  struct Own {
    Shared& shared;
    Index block, first, end;  ///< with its elements
    BlockHeader header;
    CLEAVE_HD int elements() const { return end - first; }
  };

  template <class Worker>
  CLEAVE_HD void pack(Worker const& worker, Shared& shared, Index block) const {
    const BlockRange range = find.range_of(block);
    const Own own{shared, block, range.begin_of(block), range.end_of(block), read_record(to.headers[block])};
    ForEachIdx each{worker};
    worker.sync();  // shared memory may be in use for the block before
    const auto corners_of = each([&](Idx i) {
      Corners own_corners;
      shared.sums.set(i, i < own.elements() ? note_corners(own, i, own_corners) : Counts{0});
      return own_corners;
    });
    shared.sums.add_up(worker, workers);
    const Counts all = shared.sums.before(workers);
    BlockHeader header = own.header;
    header.border_corners = static_cast<std::uint16_t>(at_corners(all) & 0x3FFF);
    header.constrained = at_constrained(all) > 0;
    header.rows = static_cast<std::uint16_t>(header.interior + at_corners(all) + at_mid_sides(all));
    each([&](Idx i) {
      if (i >= own.elements()) return;
      const Counts before = shared.sums.before(i);
      int row = own.header.interior + at_corners(before),
          mid_row = own.header.interior + at_corners(all) + at_mid_sides(before);
      for (int k = 0; k < Element::nodes; ++k)
        if (corners_of[i].leads(k, i))
          note_border<Worker>(own, i, k, corners_of[i], k < Element::corners ? row++ : mid_row++);
    });
    worker.sync();
    if constexpr (has_layers<Worker>)
      lay_out(own, header);
    else
      header.in_banks = place_slots(own, header, worker);
    worker.sync();
    each([&](Idx i) {
      if (i >= own.elements()) return;
      if constexpr (has_layers<Worker>)
        write_in_layers(own, i, corners_of[i]);
      else
        write_words(own, i, header.stride());
    });
    only_master(worker, [&] { write_record(to.headers[block], header); });
  }

  /// Gives rows their slots. Returns whether those of a row lie in one bank.
  template <class Worker>
  CLEAVE_HD bool place_slots(const Own& own, const BlockHeader& header, Worker const& worker) const {
    ForEachIdx each{worker};
    Shared& shared = own.shared;
    // Each worker has so many rows: those of one bank, for as many workers as a bank has, then those of the next one.
    constexpr int of_worker = corners / workers, of_bank = workers / shared_banks;
    const auto row_of = [&](int i, int m) { return i / of_bank + shared_banks * (i % of_bank * of_worker + m); };
    each([&](Idx i) {
      Index slots = 0;
      CLEAVE_KEEP_LOOP
      for (int m = 0; m < of_worker; ++m)
        if (const int row = row_of(i, m); row < header.rows) slots += shared.count[row];
      shared.sums.set(i, slots);
    });
    shared.sums.add_up(worker, workers);
    const auto before_bank = [&](int bank) { return shared.sums.before(bank * of_bank); };
    bool in_banks = true;
    for (int bank = 0; bank < shared_banks; ++bank)
      in_banks = in_banks && before_bank(bank + 1) - before_bank(bank) <= to.slots_of_bank;
    const int stride = in_banks ? shared_banks : 1;
    each([&](Idx i) {
      const int bank = i / of_bank;
      int begin = in_banks ? bank + shared_banks * (shared.sums.before(i) - before_bank(bank)) : shared.sums.before(i);
      CLEAVE_KEEP_LOOP
      for (int m = 0; m < of_worker; ++m) {
        const int row = row_of(i, m);
        if (row >= header.rows) continue;
        shared.begin[row] = static_cast<std::uint16_t>(begin);
        to.set_slots(to.pairs_of(own.block), row, begin, shared.count[row]);
        begin += stride * shared.count[row];
      }
    });
    return in_banks;
  }

  /// Numbers of leaders at corners and at mid-sides, and of corners at interior nodes with a prescribed motion. They
  /// are in one word, as they are added up together.
  using Counts = Index;
  static constexpr int count_bits = 10, count_mask = (1 << count_bits) - 1;
  static constexpr Counts one_mid_side = 1 << count_bits, one_constrained = 1 << 2 * count_bits;
  static_assert(corners <= count_mask);
  CLEAVE_HD static constexpr int at_corners(Counts counts) { return counts & count_mask; }
  CLEAVE_HD static constexpr int at_mid_sides(Counts counts) { return counts >> count_bits & count_mask; }
  CLEAVE_HD static constexpr int at_constrained(Counts counts) { return counts >> 2 * count_bits; }

  /// Corners of a worker's element on the border of the block.
  struct Corners {
    BorderRow border[Element::nodes];
    std::uint16_t leader[Element::nodes];
    std::uint8_t slots[Element::nodes];  ///< of the block at the node

    CLEAVE_HD bool leads(int k, int i) const { return leader[k] == k * workers + i; }
  };

  CLEAVE_HD Counts note_corners(const Own& own, int i, Corners& to_note) const {
    // Reads come together, as one waits for another.
    ElementNode node[Element::nodes];
    NodeAssembly assembled[Element::nodes];
    CLEAVE_UNROLL
    for (int k = 0; k < Element::nodes; ++k) node[k] = read_record(elements.entry(own.first + i, k));
    CLEAVE_UNROLL
    for (int k = 0; k < Element::nodes; ++k) assembled[k] = read_record(assembly[node[k].node]);
    StarStart around[Element::nodes];
    CLEAVE_UNROLL
    for (int k = 0; k < Element::nodes; ++k)
      if (!node[k].slot.in_block())
        around[k].read(incidence.interface_entries + assembled[k].first_slot, assembled[k].slots,
                       k < Element::corners ? StarStart::most : 2);
    Counts counts = 0;
    CLEAVE_UNROLL
    for (int k = 0; k < Element::nodes; ++k) {
      const int corner = k * workers + i;
      int rank = 0;
      if (node[k].slot.in_block()) {
        const int row = node[k].node - own.header.first_node;
        rank = node[k].slot.position() - assembled[k].first_slot % slots_per_block<Element>;
        to_note.leader[k] = none;
        if (assembled[k].flags & constrained_node) counts += one_constrained;
        own.shared.row[corner] = static_cast<std::uint16_t>(row);
        if (rank == 0) own.shared.count[row] = assembled[k].slots;
      } else {
        rank = look_around(own, corner, node[k], assembled[k], around[k], to_note.border[k], to_note.leader[k],
                           to_note.slots[k]);
        if (to_note.leads(k, i)) counts += k < Element::corners ? 1 : one_mid_side;
      }
      own.shared.leader[corner] = to_note.leader[k];
      own.shared.rank[corner] = static_cast<std::uint8_t>(rank);
    }
    return counts;
  }
  /// The first entries around a node, read at once.
  struct StarStart {
    static constexpr int most = 8;
    Index entry[most];
    int known = 0;  ///< of them
    CLEAVE_HD_INLINE void read(const Index* entries, int number, int wanted) {
      known = number < wanted ? number : wanted;
      CLEAVE_UNROLL
      for (int m = 0; m < most; ++m)
        if (m < known) entry[m] = entries[m];
    }
  };
  /// Looks at the elements around a node of the border. Returns how many of the block come before a corner.
  CLEAVE_HD int look_around(const Own& own, int corner, const ElementNode& node, const NodeAssembly& assembled,
                            const StarStart& start, BorderRow& border, std::uint16_t& leader,
                            std::uint8_t& slots) const {
    const Index* const entries = incidence.interface_entries + assembled.first_slot;
    const int position = node.slot.position() - assembled.first_slot;
    int rank = 0, of_block = 0, first_position = 0, first_corner = corner;
    Index first_element = own.end;
    const auto look_at = [&](int at, Index entry) {
      const Index e = element_of_entry(entry);
      if (e < own.first || e >= own.end) return;
      if (of_block == 0) first_position = at;
      if (e < first_element) {
        first_element = e;
        first_corner = node_of_entry(entry) * workers + static_cast<int>(e - own.first);
      }
      rank += at < position ? 1 : 0;
      ++of_block;
    };
    CLEAVE_UNROLL
    for (int at = 0; at < StarStart::most; ++at)
      if (at < start.known) look_at(at, start.entry[at]);
    for (int at = start.known; at < assembled.slots; ++at) look_at(at, entries[at]);
    border = {node.node, assembled.first_slot};
    if (first_corner == corner) border.place += BlocksAtNode{entries, find}.count(first_position);
    leader = static_cast<std::uint16_t>(first_corner);
    slots = static_cast<std::uint8_t>(of_block);
    return rank;
  }
  template <class Worker>
  CLEAVE_HD void note_border(const Own& own, int i, int k, const Corners& corners_of, int row) const {
    own.shared.row[k * workers + i] = static_cast<std::uint16_t>(row);
    own.shared.count[row] = corners_of.slots[k];
    if constexpr (!has_layers<Worker>) write_border(own, row - own.header.interior, corners_of.border[k]);
  }
  CLEAVE_HD void write_border(const Own& own, int place, const BorderRow& row) const {
    write_record(to.border[own.header.first_border + place], row);
  }
  /// @param stride  from a slot of a row to the next one
  CLEAVE_HD void write_words(const Own& own, int i, int stride) const {
    constexpr int words = PackedBlocks<Element>::words_of_element;
    std::uint64_t word[words]{};
    for (int k = 0; k < Element::nodes; ++k) {
      const int corner = k * workers + i, leader = own.shared.leader[corner];
      const int row = own.shared.row[leader == none ? corner : leader];
      const int slot = own.shared.begin[row] + stride * own.shared.rank[corner];
      word[k / to.nodes_of_word] |= to.packed(k, row, slot);
    }
    for (int w = 0; w < words; ++w) to.words(own.first + i, w) = word[w];
  }

  /// Lays out the slots of a block on a CPU.
  void lay_out(const Own& own, const BlockHeader& header) const {
    Shared& shared = own.shared;
    SlotLayers& layers = to.layers[own.block];
    const auto place = [&](int first, int end, SlotLayers::Rows& rows) {
      std::fill(std::begin(rows), std::end(rows), std::uint16_t{0});
      int slots = 0;
      for (int row = first; row < end; ++row) {
        for (int k = 0; k < shared.count[row]; ++k) ++rows[k];
        slots += shared.count[row];
      }
      // A row comes behind those with more slots.
      SlotLayers::Rows next;
      std::copy(std::begin(rows), std::end(rows), next);
      for (int row = first; row < end; ++row) shared.begin[row] = next[shared.count[row]]++;
      return slots;
    };
    layers.border_begin = static_cast<std::uint16_t>(place(0, header.interior, layers.interior));
    place(header.interior, header.rows, layers.border);
    layers.in_order = 1;
    for (int row = 0; row < header.interior; ++row) {
      to.set_slots(to.pairs_of(own.block), row, shared.begin[row], shared.count[row]);
      layers.in_order &= shared.begin[row] == row ? 1 : 0;
    }
  }
  /// Nodes and slots of an element on a CPU, and its border rows.
  void write_in_layers(const Own& own, int i, const Corners& corners_of) const {
    const SlotLayers& layers = to.layers[own.block];
    for (int k = 0; k < Element::nodes; ++k) {
      const int corner = k * workers + i, leader = own.shared.leader[corner];
      const bool interior = leader == none;
      const int row = own.shared.row[interior ? corner : leader];
      int slot = own.shared.begin[row] + (interior ? 0 : layers.border_begin);
      for (int layer = 0; layer < own.shared.rank[corner]; ++layer)
        slot += interior ? layers.interior[layer] : layers.border[layer];
      to.node_ids(own.first + i, k) = elements.node(own.first + i, k);
      to.slots(own.first + i, k) = static_cast<std::uint16_t>(slot);
      if (corners_of.leads(k, i)) write_border(own, own.shared.begin[row], corners_of.border[k]);
    }
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
