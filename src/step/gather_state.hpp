/// The arrays of the gather assembly in solver memory.
#pragma once

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <vector>

#include "body/body_state.hpp"
#include "body/pack_blocks.hpp"
#include "cleave/core/machine.hpp"
#include "cleave/core/parallel.hpp"
#include "cleave/mesh/blocks.hpp"
#include "cleave/mesh/topology.hpp"
#include "cleave/partition/part.hpp"
#include "fracture/nodal_stress.hpp"
#include "fracture/one_block_insertion.hpp"
#include "step/block_step.hpp"
#include "step/interface_step.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Arrays of the gather assembly.
template <class Backend, class Element>
struct GatherState {
  template <class T>
  using Buffer = typename Backend::template Buffer<T>;
  template <class T>
  using Field = cleave::Field<Backend, T>;

  Index elements = 0;                         ///< bulk elements
  Index first_interface = 0;                  ///< first node that is not interior to a block
  Index first_copy = 0;                       ///< first node that insertion makes
  Index interface_slots = 0;                  ///< in memory, so far
  Index unused_slots = 0;                     ///< of these, so that each node of the intact mesh begins at an even one
  Index interface_mid_sides = 0;              ///< of the intact mesh, between two blocks
  Index loose_nodes = 0;                      ///< see NodeState::loose
  Index pinched = 0;                          ///< see SplitPass
  int most_elements = 0;                      ///< at one node
  std::vector<BlockRange> ranges;             ///< of blocks, one for each material
  Field<Real> geometry;                       ///< GeometryTable
  std::vector<Index> first_of_block;          ///< [blocks + 1] first node inside each, then the first between blocks
  Buffer<Index> first_node;                   ///< the same, see BlockTable
  Field<NodeAssembly> assembly;               ///< [node]
  Field<Real> inverse_mass;                   ///< [node] 1/kg; only insertion changes it
  Field<Vec2> half_velocity, mean_increment;  ///< [node] Suspended, while the state is output
  Field<Vec2> partial_force;                  ///< [slot in memory] NodeAssembly::partial_range
  Field<Sym2> slot_stress;                    ///< [slot in memory]
  Field<double> work;                         ///< LaneLedger: a row per block, then rows of the interface nodes
  Field<double> report;                       ///< BlockReport, with the same rows
  Field<double> copy_work, copy_report;       ///< CopyLedger
  Buffer<Index> block_entries;                ///< IncidenceTable
  Field<std::uint64_t> packed_nodes;          ///< PackedBlocks, as the fields and buffers that follow
  Field<Index> packed_ids;
  Field<std::uint16_t> packed_slots;
  Buffer<BlockHeader> headers;
  Buffer<SlotLayers> layers;
  Buffer<RowPair> row_pairs;
  Buffer<BorderRow> border;
  Buffer<BlockRange> ranges_in_memory;     ///< BlockFinder
  Buffer<Index> touched_list, is_touched;  ///< TouchedBlocks
  Buffer<TouchedBlocks::Counts> touched_counts;
  Field<Index> interface_entries;  ///< [slot in memory] IncidenceTable
  Field<Index> makers;             ///< [copy] see SplitPass; of several ranks
  Buffer<CutEnd> ends;             ///< see SplitPass, as the scratch that follows
  Buffer<StarElement> stars;
  Buffer<SplitCount> split_count, split_first;
  Buffer<Index> origin;

  Index blocks() const { return ranges.back().end_block(); }
  GeometryTable geometry_table(Real thickness) { return {{geometry.data()}, thickness / (2 * Element::gauss_points)}; }
  InterfaceNodes interface_nodes() const { return {first_interface, first_copy}; }
  Index work_rows() const { return blocks() + interface_nodes().interface_blocks(); }
  Index capacity() const { return static_cast<Index>(assembly.size()); }  ///< of nodes
  BlockTable block_table() { return {blocks(), first_node.data()}; }
  BlockFinder finder() { return {ranges.front(), ranges_in_memory.data()}; }
  PackedBlocks<Element> packed() {
    return {{packed_nodes.data()}, {packed_ids.data()}, {packed_slots.data()}, headers.data(),
            layers.data(),         row_pairs.data(),    border.data()};
  }
  IncidenceTable<Element> incidence() { return {block_entries.data(), interface_entries.data(), first_interface}; }
  LaneLedger block_ledger() { return {{work.data()}}; }
  LaneLedger interface_ledger() { return {{work.data() + LaneLedger::fields * static_cast<std::size_t>(blocks())}}; }
  BlockReport block_report() { return {{report.data()}}; }
  BlockReport interface_report() {
    return {{report.data() + BlockReport::Sums::count * static_cast<std::size_t>(blocks())}};
  }
  CopyLedger copy_ledger() { return {{copy_work.data()}, {{copy_report.data()}}}; }

  /// Declares its arrays of a body that has been cut into blocks. When a node splits, its
  /// works so far stay with it, and its copies begin without works.
  /// @param makes_ids  several ranks find out which ids copies have in the body
  void declare(Fields<Backend>& fields, bool makes_ids) {
    FieldUse of_elements = table_use<typename GeometryTable::template Rows<Real>>(On::element);
    of_elements.rows_of = RowsOf::owner_only;
    geometry = fields.template add<Real>("geometry", of_elements);
    const FieldUse suspended{.on = On::node, .saved = true, .rows_of = RowsOf::owner_only};
    half_velocity = fields.template add<Vec2>("half-step velocities", suspended);
    mean_increment = fields.template add<Vec2>("mean increments", suspended);
    const FieldUse constants{.on = On::node, .saved = true, .rows_of = RowsOf::all_ranks};
    assembly = fields.template add<NodeAssembly>("node assembly", constants);
    inverse_mass = fields.template add<Real>("inverse masses", constants);
    partial_force = fields.template add<Vec2>("partial forces", {.on = On::slot});
    const auto packed_use = [](FieldUse use) {
      use.rows_of = RowsOf::all_ranks;
      return use;
    };
    if constexpr (Buffer<Index>::is_host_memory) {
      packed_ids = fields.template add<Index>(
          "packed nodes", packed_use(table_use<typename PackedBlocks<Element>::NodeIds>(On::element)));
      packed_slots = fields.template add<std::uint16_t>(
          "packed slots", packed_use(table_use<typename PackedBlocks<Element>::Slots>(On::element)));
    } else {
      packed_nodes = fields.template add<std::uint64_t>(
          "packed nodes", packed_use(table_use<typename PackedBlocks<Element>::Words>(On::element)));
    }
    slot_stress = fields.template add<Sym2>("slot stresses", {.on = On::slot});
    interface_entries = fields.template add<Index>("slot entries", {.on = On::slot});
    const auto works = [](On on, int width) { return FieldUse{.on = on, .width = width, .saved = true}; };
    report = fields.add_filled("block report", works(On::work_row, BlockReport::Sums::count), 0.0);
    work = fields.add_filled("block works", works(On::work_row, LaneLedger::fields), 0.0);
    copy_report = fields.template add<double>("copy report", works(On::copy, CopyLedger::Report::Sums::count));
    copy_work = fields.add_filled("copy works", works(On::copy, NodeWorks::count), 0.0);
    if (makes_ids)
      makers = fields.template add<Index>("makers of copies", {.on = On::copy, .rows_of = RowsOf::all_ranks});
  }

  /// Cuts the intact mesh into blocks of elements with their nodes.
  /// @param material_ranges  see Model
  /// @param part             that the mesh is of; null: the whole body
  /// @param breaks           nodes may split
  void cut_into_blocks(const Mesh& mesh, const std::vector<Index>& material_ranges, const Part* part, bool breaks) {
    elements = mesh.element_count();
    first_copy = mesh.node_count();
    ranges = cut_blocks(material_ranges);
    first_of_block = part != nullptr ? part->first_of_block : first_nodes_of_blocks(mesh, ranges);
    first_interface = first_of_block.back();
    first_node.upload(first_of_block);
    std::vector<std::uint8_t> is_odd(static_cast<std::size_t>(first_copy - first_interface), 0);  // number of elements
    for (const Index n : mesh.elements)
      if (n >= first_interface) {
        ++interface_slots;
        is_odd[n - first_interface] ^= 1;
      }
    unused_slots = static_cast<Index>(std::count(is_odd.begin(), is_odd.end(), 1));
    interface_slots += unused_slots;
    block_entries.resize(static_cast<std::size_t>(blocks()) * slots_per_block<Element>);
    make_room_for_rows(mesh, breaks);
  }
  /// Every row has a corner of an element: an interior node keeps one, and so may each border row.
  void make_room_for_rows(const Mesh& mesh, bool breaks) {
    std::vector<BlockHeader> all(blocks());
    Index rows = 0;
    for (const BlockRange& range : ranges)
      for (Index b = range.first_block; b < range.end_block(); ++b) {
        const auto interior = static_cast<std::uint16_t>(first_of_block[b + 1] - first_of_block[b]);
        all[b] = {first_of_block[b], rows, interior, interior, interior_corners(mesh, range, b), 0, false, false};
        const auto *begin = mesh.elements.data() + static_cast<std::size_t>(range.begin_of(b)) * Element::nodes,
                   *end = mesh.elements.data() + static_cast<std::size_t>(range.end_of(b)) * Element::nodes;
        rows += breaks ? static_cast<Index>(end - begin) - interior
                       : static_cast<Index>(std::count_if(begin, end, [&](Index n) { return n >= first_interface; }));
      }
    headers.upload(all);
    if constexpr (Buffer<Index>::is_host_memory) layers.resize(static_cast<std::size_t>(blocks()));
    row_pairs.resize(static_cast<std::size_t>(blocks()) * PackedBlocks<Element>::pairs_per_block);
    border.resize(rows);
    ranges_in_memory.upload(ranges);
    touched_list.upload(std::vector<Index>(blocks(), 0));
    touched_counts.upload({{}});
    is_touched.upload(std::vector<Index>(blocks(), 0));
  }
  /// Number of the first nodes inside a block among which are all corners of its elements.
  std::uint16_t interior_corners(const Mesh& mesh, const BlockRange& range, Index block) const {
    Index end = first_of_block[block];
    for (Index e = range.begin_of(block); e < range.end_of(block); ++e)
      for (int k = 0; k < Element::corners; ++k)
        if (const Index n = mesh.node(e, k); n < first_interface) end = std::max(end, n + 1);
    return static_cast<std::uint16_t>(end - first_of_block[block]);
  }
  TouchedBlocks touched() { return {touched_list.data(), touched_counts.data(), is_touched.data()}; }
  /// Packs all blocks.
  PackBlocks<Element> pack_blocks(const ElementTable<Element>& table) {
    return {.elements = table,
            .incidence = incidence(),
            .assembly = assembly.data(),
            .find = finder(),
            .to = packed(),
            .touched = {},
            .launched = blocks()};
  }
  /// Packs the blocks whose nodes have split.
  /// @param launched  a guess of their number: a GPU takes time to start blocks that find nothing to pack
  PackBlocks<Element> pack_touched(const ElementTable<Element>& table, Index launched) {
    PackBlocks<Element> pack = pack_blocks(table);
    pack.touched = touched();
    pack.launched = std::clamp(launched, Index{1}, blocks());
    return pack;
  }
  /// Lists the slots of the intact mesh, which has been cut into blocks: per node in the order in which its elements
  /// follow each other (node_stars.hpp). No node may have more than most_elements_at_node.
  void list_slots(const Mesh& mesh, const ElementTable<Element>& table) {
    constexpr int width = Element::nodes;
    const Index original_nodes = first_copy;
    std::vector<Index> incident_count(original_nodes, 0);
    for (const Index n : mesh.elements) ++incident_count[n];
    most_elements = *std::max_element(incident_count.begin(), incident_count.end());
    loose_nodes = static_cast<Index>(std::count(incident_count.begin(), incident_count.end(), 0));
    if (most_elements > most_elements_at_node) throw std::invalid_argument("a node has too many elements");
    std::vector<NodeAssembly> own(original_nodes);
    flag_mixed_nodes(mesh, own);
    const auto lay_out = [&](Index begin, Index end, Index at) {
      for (Index n = begin; n < end; ++n) {
        if (incident_count[n] == 0) continue;  // a loose node: its range stays within the array
        own[n].set_range({at, at + incident_count[n]});
        at += n < first_interface ? incident_count[n] : even(incident_count[n]);
      }
    };
    for (Index b = 0; b < blocks(); ++b)
      lay_out(first_of_block[b], first_of_block[b + 1], first_block_slot<Element>(b));
    lay_out(first_interface, original_nodes, 0);

    const std::vector<std::uint8_t> position = star_positions(mesh);
    const auto write_slots = [&](std::size_t begin, std::size_t end) {
      Index at_interface_mid_sides = 0;
      for (auto e = static_cast<Index>(begin); e < static_cast<Index>(end); ++e)
        for (int i = 0; i < width; ++i) {
          const Index n = mesh.node(e, i), at = own[n].first_slot + position[static_cast<std::size_t>(e) * width + i];
          table.slot(e, i) = incidence().slot_of(n, at);
          at_interface_mid_sides += i >= Element::corners && n >= first_interface;
        }
      return at_interface_mid_sides;
    };
    Index at_interface_mid_sides = 0;
    for (const Index found : parallel_results(threads_for(0), static_cast<std::size_t>(elements), 16384, write_slots))
      at_interface_mid_sides += found;
    interface_mid_sides = at_interface_mid_sides / 2;
    std::vector<std::uint8_t> parts(original_nodes, 0);  // between boundaries, of the elements at a corner
    for (Index e = 0; e < elements; ++e)
      for (int i = 0; i < Element::corners; ++i)
        if (mesh.neighbour(e, Element::facet_at(i, 0)) == boundary_facet && ++parts[mesh.node(e, i)] > 1) ++pinched;
    assembly.upload(own);
  }

  /// Most nodes between blocks have two partial forces. Where they begin at an even slot, one sector of 32 bytes has
  /// both (benchmarks/notebook.md).
  static constexpr Index even(Index slots) { return slots + slots % 2; }

  /// Flags nodes that have elements of several materials.
  void flag_mixed_nodes(const Mesh& mesh, std::vector<NodeAssembly>& own) const {
    if (ranges.size() == 1) return;
    std::vector<Index> last(own.size(), 0);  // of its materials so far, counted from 1
    for (Index m = 0; m < static_cast<Index>(ranges.size()); ++m)
      for (Index e = ranges[m].first_element; e < ranges[m].end_element; ++e)
        for (int i = 0; i < Element::nodes; ++i) {
          const Index n = mesh.node(e, i);
          if (last[n] != 0 && last[n] != m + 1) own[n].flags |= mixed_node;
          last[n] = m + 1;
        }
  }

  /// There are never more slots in memory than one for each element node, one for each mid-side that was shared, and
  /// those that nobody uses.
  std::int64_t most_slots() const {
    return static_cast<std::int64_t>(elements) * Element::nodes + interface_mid_sides + unused_slots;
  }
  /// How many there may be now, without a limit once they are as many as there ever can be.
  Index slot_room() const {
    const auto room = static_cast<std::int64_t>(interface_entries.size());
    return room < most_slots() ? static_cast<Index>(room) : std::numeric_limits<Index>::max();
  }
  /// How many there may be after cutting that many facets.
  Index most_slots(Index facets) const {
    return static_cast<Index>(
        std::min(interface_slots + InsertionRoom::most_slots<Element>(facets, most_elements), most_slots()));
  }

  /// Scratch for a pass that cuts that many facets.
  void reserve_cut_ends(Index facets) {
    const std::size_t cut_ends = 2 * static_cast<std::size_t>(facets);
    if (cut_ends <= ends.size()) return;
    ends.resize(cut_ends);
    stars.resize(cut_ends * most_elements);
    origin.resize(cut_ends + pinched);
    split_count.resize(cut_ends);
    split_first.resize(static_cast<std::size_t>(facets) + 1);
  }
  SplitPass<Element> split_pass(const ElementTable<Element>& table, Index facets, Index first_cohesive) {
    return {.elements = table,
            .incidence = incidence(),
            .assembly = assembly.data(),
            .facets = facets,
            .first_cohesive = first_cohesive,
            .most_elements = most_elements,
            .pinched = pinched,
            .ends = ends.data(),
            .stars = stars.data(),
            .count = split_count.data(),
            .first = split_first.data(),
            .origin = origin.data(),
            .first_copy = first_copy,
            .makers = makers.data()};
  }
  NodeWriter<Element> node_writer(const ElementTable<Element>& table) {
    return {.elements = table,
            .assembly = assembly.data(),
            .inverse_mass = inverse_mass.data(),
            .find = finder(),
            .touched = touched()};
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
