/// Insertion in the gather assembly, first part: facets are cut.
#pragma once

#include "body/incidence.hpp"
#include "body/node_copier.hpp"
#include "body/packed_blocks.hpp"
#include "cleave/core/table.hpp"
#include "cleave/lockstep/kernel.hpp"
#include "fracture/facet_list.hpp"
#include "fracture/star_sectors.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Numbers of new nodes, and of slots in memory for elements that leave an interior node, at ends of cut facets. One
/// word has both: they are added up together, and words faster than records.
using SplitCount = unsigned long long;
CLEAVE_HD constexpr SplitCount split_count(Index copies, Index slots) {
  return static_cast<SplitCount>(slots) << 32 | static_cast<SplitCount>(copies);
}
CLEAVE_HD constexpr Index copies_of(SplitCount count) { return static_cast<Index>(count & 0xFFFFFFFF); }
CLEAVE_HD constexpr Index slots_of(SplitCount count) { return static_cast<Index>(count >> 32); }

/// An element around a node that may split, as the last part of insertion needs it.
struct alignas(sizeof(Real) == 8 ? 16 : 4) StarElement {
  Index behind[2];  ///< neighbour entries of its two facets at the node: first the one that leads on counter-clockwise
  Real mass;        ///< its share of the node's mass, kg
};

/// The node at an end of a cut facet; without slots if it does not split or an earlier cut end has it.
struct alignas(16) CutEnd {
  Index node;
  StarSet joined;       ///< see StarSectors
  Index first_slot;     ///< before the pass
  std::uint16_t slots;  ///< likewise
  std::uint16_t flags;  ///< NodeFlag
};

/// The facets of a pass: that of index i is cohesive element `first_cohesive + i`. Cut end `2 * facet + end` is that of
/// one of its ends; of several cut ends of a corner the first counts. No two facets share a mid-side: the
/// copy of that of facet i is new node i, its slot new slot i, and corners come behind.
template <class Element>
struct SplitPass {
  static constexpr bool has_mid_sides = Element::facet_nodes > Element::dim;
  ElementTable<Element> elements;
  IncidenceTable<Element> incidence;
  NodeAssembly* assembly;  ///< [node]
  Index facets;
  Index first_cohesive;  ///< number of cohesive elements before the pass
  int most_elements;     ///< at one node
  Index pinched;         ///< number of parts that meet others in a node alone: so many more copies there may be
  CutEnd* ends;          ///< [cut end]
  StarElement* stars;    ///< [cut end][most_elements]
  SplitCount* count;     ///< [cut end]
  SplitCount* first;     ///< [facet + 1] numbers of its first copy and slot; at the end how many all facets need
  Index* origin;         ///< [copy of a corner] the node that it is one of
  Index first_copy;      ///< node
  Index* makers;         ///< [copy] CopyMaker; null: one rank, which has the ids of the body

  CLEAVE_HD Index cut_ends() const { return 2 * facets; }
  CLEAVE_HD Index most_corner_copies() const { return cut_ends() + pinched; }
  CLEAVE_HD Index mid_sides() const { return has_mid_sides ? facets : 0; }
  CLEAVE_HD SplitCount total() const { return first[facets]; }
  CLEAVE_HD Index cohesive_of_cut_end(Index at) const { return first_cohesive + at / 2; }
  CLEAVE_HD void note_maker(Index node, Index cohesive, Index place) const {
    if (makers != nullptr) makers[node - first_copy] = CopyMaker::of(cohesive, place);
  }
  CLEAVE_HD Index node_of_cut_end(Index at) const {
    return elements.cohesive_node(cohesive_of_cut_end(at), 0, static_cast<int>(at % 2) * (Element::facet_nodes - 1));
  }
  CLEAVE_HD StarElement* star_of(Index at) const { return stars + static_cast<std::size_t>(at) * most_elements; }

  /// Numbers that the ends of a facet ask for.
  CLEAVE_HD SplitCount needs(Index facet) const { return count[2 * facet] + count[2 * facet + 1]; }
  /// Numbers that all cut ends before one ask for.
  CLEAVE_HD SplitCount before(Index end) const { return first[end / 2] + (end % 2 == 0 ? 0 : count[end - 1]); }
};

/// Numbers that each facet asks for, for `number_requests`.
template <class Element>
struct FacetNeeds {
  SplitPass<Element> pass;
  CLEAVE_HD SplitCount operator()(Index facet) const { return facet < pass.facets ? pass.needs(facet) : 0; }
};

/// Writes the constants of a node that splits and of its copies.
template <class Element>
struct NodeWriter {
  ElementTable<Element> elements;
  NodeAssembly* assembly;  ///< [node]
  Real* inverse_mass;      ///< [node] 1/kg
  BlockFinder find;
  TouchedBlocks touched;

  /// @param partials  number of blocks that the elements of a node belong to
  /// @param flags     those of the node that it was or is a copy of
  CLEAVE_HD void begin(Index node, SlotRange range, int partials, std::uint16_t flags, Real m) const {
    NodeAssembly own;
    own.set_range(range);
    own.partials = static_cast<std::uint8_t>(partials);
    own.flags = flags;
    write_record(assembly[node], own);
    inverse_mass[node] = 1 / m;
  }
  /// Gives an incidence another node or another slot.
  CLEAVE_HD void give(Index entry, ElementNode node) const {
    write_record(elements.entry(element_of_entry(entry), node_of_entry(entry)), node);
  }
  CLEAVE_HD Index block_of(Index entry) const { return find.block_of(element_of_entry(entry)); }
};

/// Cuts facets: mid-sides split, and both sides still have the same corners.
/// @tparam Start  what begins the cohesive elements before: StartCohesive
template <class Element, class Start>
struct CutFacets {
  static constexpr KernelTraits traits{
      .name = "facet cuts", .resident_blocks = Start::traits.resident_blocks, .lines = Start::traits.lines};
  static constexpr int team_size = Start::team_size;
  using Scratch = typename Start::Scratch;
  Start start;
  std::uint8_t* flags;  ///< [element] ElementFlag
  SplitPass<Element> pass;
  const LiveCounts* live;  ///< before the pass
  NodeWriter<Element> nodes;
  NodeCopier copy;

  CLEAVE_HD Index size() const { return pass.facets; }
  CLEAVE_HD void operator()(Index facet, Team team, Scratch& scratch) const {
    start(facet, team, scratch);
    const Index c = pass.first_cohesive + facet;
    for (int side = team.first; side < 2; side += team.size) {
      const Index own = pass.elements.cohesive_facet(c, side);
      pass.elements.neighbour(element_of(own), facet_of(own)) = cohesive_code(c, side);
      set_flag(flags[element_of(own)], ElementFlag::cohesive_sides);
    }
    if (team.first == team.size - 1) write_row(facet, pass.elements.cohesive_rows[c]);
  }

  template <int n>
  CLEAVE_HD void fetch_lines(Index facet) const {
    start.template fetch_lines<n>(facet);
    const ElementTable<Element>& elements = pass.elements;
    const Index c = pass.first_cohesive + facet;
    for (int side = 0; side < 2 && n == 0; ++side) {
      const Index e = element_of(elements.cohesive_facet(c, side));
      fetch_line(elements.neighbour(e, 0));
      fetch_line(flags[e]);
    }
    if (pass.has_mid_sides && n == 1) {
      const Index code = elements.cohesive_facet(c, 0), node = elements.facet_node(element_of(code), facet_of(code), 1);
      fetch_line(pass.assembly[node]);
      copy.fetch_lines(node);
    }
  }

  /// @param to  has its facets already
  CLEAVE_HD void write_row(Index facet, CohesiveRow<Element>& to) const {
    CohesiveRow<Element> row;
    for (int side = 0; side < 2; ++side) row.facets[side] = to.facets[side];
    const Index e = element_of(row.facets[0]);
    const int k = facet_of(row.facets[0]);
    for (int i = 0; i < Element::facet_nodes; ++i)
      row.nodes[0][i] = row.nodes[1][i] = pass.elements.facet_node(e, k, i);
    if constexpr (decltype(pass)::has_mid_sides) row.nodes[0][1] = split_mid_side(facet, row);
    write_record(to, row);
  }

  /// The mid-side of a facet as an incidence.
  CLEAVE_HD static Index mid_side(Index code) {
    return incidence_entry(element_of(code), Element::facet_slot(facet_of(code), 1));
  }
  CLEAVE_HD Real mass_of(Index entry) const {
    return Element::mass_fraction(node_of_entry(entry)) * pass.elements.mass(element_of_entry(entry));
  }
  /// Nothing but the facet joined the two elements of its mid-side: the larger one keeps the node, the smaller one gets
  /// the copy that is returned.
  CLEAVE_HD Index split_mid_side(Index facet, const CohesiveRow<Element>& row) const {
    const Index smaller = mid_side(row.facets[0]), larger = mid_side(row.facets[1]), node = row.nodes[0][1];
    const Index new_node = live->nodes + facet, slot = live->slots + facet;
    const NodeAssembly whole = read_record(pass.assembly[node]);
    copy(node, new_node, whole.flags != 0);
    // The first slot is that of the smaller element, and free now.
    const auto [first, end] = whole.range();
    nodes.begin(node, {first + 1, end}, 1, whole.flags, mass_of(larger));
    nodes.begin(new_node, {slot, slot + 1}, 1, whole.flags, mass_of(smaller));
    for (const Index entry : {smaller, larger}) nodes.touched.add(nodes.block_of(entry));
    pass.note_maker(new_node, pass.first_cohesive + facet, CopyMaker::at_mid_side);
    nodes.give(smaller, {new_node, Slot::of_interface(slot)});
    pass.incidence.interface_entries[slot] = smaller;
    return new_node;
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
