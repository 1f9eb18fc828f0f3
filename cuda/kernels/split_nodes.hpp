/// Insertion in the gather assembly, last part: every group around a node but the largest gets a copy of it, and all
/// elements their slots. All facets have been cut before, so nodes need not wait for each other, and no colours are
/// needed. The coloured assembly walks around nodes instead (insertion.hpp); the cut is the same, ids differ.
#pragma once

#include "kernels/gather_node.hpp"
#include "kernels/group_elements.hpp"
#include "kernels/insertion.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Writes what a node that splits and its copies are.
template <class Element>
struct NodeWriter {
  IncidenceTable<Element> incidence;
  SlotTable<Element> slots;
  NodeConstants* constants;  ///< [node]
  Vec2* load_force;          ///< [load][load_stride], N
  int loads;
  Index load_stride;
  Index* loaded;  ///< set to 1 when a loaded node splits, as its loads must be added anew

  /// @param flags  those of the node that it was or is a copy of
  CLEAVE_HD void begin(Index node, SlotRange range, std::uint16_t flags, Real m) const {
    NodeConstants own;
    own.set_range(range);
    own.flags = flags;
    own.inverse_mass = 1 / m;
    write_record(constants[node], own);
    for (int l = 0; l < loads; ++l) load_force[static_cast<std::size_t>(l) * load_stride + node] = Vec2{};
    if (flags & loaded_node) atomic_write(*loaded, 1);
  }
  CLEAVE_HD void give_slot(Index entry, Index slot, bool interior, Index element) const {
    incidence.entries(interior, element)[slot] = entry;
    slots.slot(element_of_entry(entry), node_of_entry(entry)) = interior ? -1 - slot : slot;
  }
};

/// Gives every group of a claimed node its node and its slots, and cohesive rows their nodes.
template <class Element>
struct SplitNodes {
  static constexpr const char* name = "node duplication";
  static constexpr int team_size = 4;
  struct Scratch {};
  SplitPass<Element> pass;
  const LiveCounts* live;  ///< before the pass
  NodeWriter<Element> nodes;

  CLEAVE_HD Index size() const { return pass.claims(); }
  CLEAVE_HD void operator()(Index at, Team team, Scratch&) const {
    const ClaimedNode claimed = read_record(pass.claimed[at]);
    const FanEntry* const fan = pass.fan_of(at);
    const FanSides* const sides = pass.fan_sides_of(at);
    const SplitCount before = pass.before(pass.facet_of_claim(at), pass.part_of_claim(at));
    const Index nodes_before = live->nodes, slots_before = live->slots;
    // Several elements are asked for before the first is written.
    constexpr int together = 2;
    for (int first = team.first; first < claimed.slots; first += together * team.size) {
      FanEntry own[together];
      FanSides behind[together];
      CLEAVE_UNROLL
      for (int m = 0; m < together; ++m) {
        const int j = first + m * team.size;
        if (j >= claimed.slots) continue;
        own[m] = read_record(fan[j]);
        behind[m] = read_record(sides[j]);
      }
      CLEAVE_UNROLL
      for (int m = 0; m < together; ++m) {
        const int j = first + m * team.size;
        if (j < claimed.slots)
          place(claimed, j, own[m], behind[m], copies_of(before), nodes_before, slots_before + slots_of(before));
      }
    }
  }
  /// Element j of a claimed node gets its node and its slot.
  CLEAVE_HD_INLINE void place(const ClaimedNode& claimed, int j, const FanEntry& own, const FanSides& behind,
                              Index first_copy, Index nodes_before, Index first_slot) const {
    const bool interior = pass.incidence.is_interior(claimed.node);
    const bool stays = own.copy == FanEntry::stays, leaves_block = interior && !stays;
    const Index copy = first_copy + own.copy, node = stays ? claimed.node : nodes_before + copy;
    const Index slot = (leaves_block ? first_slot : claimed.first_slot) + own.slot;
    if (own.is_first()) {
      nodes.begin(node, {slot, slot + own.members}, claimed.flags, own.mass);
      if (!stays) pass.origin[copy] = claimed.node;
    }
    if (leaves_block || own.slot != j) nodes.give_slot(own.entry, slot, interior && stays, claimed.element);
    if (!stays) rename(own.entry, behind, node);
  }

  static constexpr int lines = 2;
  template <int n>
  CLEAVE_HD void fetch_lines(Index at) const {
    const FanEntry* fan = pass.fan_of(at);
    const FanSides* sides = pass.fan_sides_of(at);
    if constexpr (n == 0) {
      fetch_line(*fan);
      fetch_line(*sides);
      return;
    }
    const ClaimedNode claimed = pass.claimed[at];
    if (claimed.slots == 0) return;
    fetch_line(pass.constants[claimed.node]);
    for (int j = 0; j < claimed.slots; ++j) {
      const Index e = element_of_entry(fan[j].entry);
      const int i = node_of_entry(fan[j].entry);
      fetch_line(nodes.slots.slot(e, i));
      if (fan[j].copy == FanEntry::stays) continue;
      fetch_line(pass.elements.node(e, i));
      for (int m = 0; m < 2; ++m)
        if (is_cohesive(sides[j].behind[m])) fetch_line(cohesive_entry(i, m, sides[j].behind[m]));
    }
  }

  /// A corner of an element is `node` from now on, also in the rows of its cohesive facets.
  CLEAVE_HD void rename(Index corner, const FanSides& sides, Index node) const {
    const int i = node_of_entry(corner);
    pass.elements.node(element_of_entry(corner), i) = node;
    for (int m = 0; m < 2; ++m)
      if (is_cohesive(sides.behind[m])) cohesive_entry(i, m, sides.behind[m]) = node;
  }
  /// Where the row of a cohesive facet, the m-th at corner i of an element, has that corner.
  CLEAVE_HD Index& cohesive_entry(int i, int m, Index code) const {
    const int position = Element::facet_position(Element::facet_at(i, m), i), side = cohesive_side_of(code);
    return pass.elements.cohesive_node(cohesive_of(code), side, side == 0 ? position : pass.parts - 1 - position);
  }
};

/// Splits the mid-side nodes of cut facets. Nothing but the facet joined their two elements: the larger one keeps the
/// node.
template <class Element>
struct SplitMidSides {
  static constexpr const char* name = "mid-side duplication";
  SplitPass<Element> pass;
  const LiveCounts* live;  ///< before the pass
  NodeWriter<Element> nodes;
  const Real* element_mass;  ///< [element], kg

  CLEAVE_HD Index size() const { return pass.has_mid_sides ? pass.facets : 0; }
  CLEAVE_HD void operator()(Index facet) const {
    const ElementTable<Element>& elements = pass.elements;
    const Index c = pass.first_cohesive + facet, node = pass.node_of(facet, 1);
    const Index smaller = entry_of(c, 0), larger = entry_of(c, 1);
    const SplitCount before = pass.before(facet, 1);
    const Index copy = live->nodes + copies_of(before), slot = live->slots + slots_of(before);
    const bool interior = pass.incidence.is_interior(node);
    const NodeConstants whole = read_record(pass.constants[node]);
    const Real mass = given_by(smaller), kept_mass = given_by(larger);
    // The first slot is that of the smaller element; out of its block it needs one in memory.
    const auto [first, end] = whole.range();
    nodes.begin(copy, interior ? SlotRange{slot, slot + 1} : SlotRange{first, first + 1}, whole.flags, mass);
    nodes.begin(node, {first + 1, end}, whole.flags, kept_mass);
    pass.origin[copies_of(before)] = node;
    if (interior) nodes.give_slot(smaller, slot, false, element_of_entry(smaller));
    elements.node(element_of_entry(smaller), node_of_entry(smaller)) = elements.cohesive_node(c, 0, 1) = copy;
  }

  static constexpr int lines = 1;
  template <int>
  CLEAVE_HD void fetch_lines(Index facet) const {
    const Index c = pass.first_cohesive + facet;
    const Index smaller = entry_of(c, 0), e = element_of_entry(smaller);
    const int i = node_of_entry(smaller);
    fetch_line(pass.constants[pass.node_of(facet, 1)]);
    fetch_line(element_mass[e]);
    fetch_line(element_mass[element_of_entry(entry_of(c, 1))]);
    fetch_line(pass.elements.node(e, i));
    fetch_line(nodes.slots.slot(e, i));
  }

  /// The mid-side in the element on one side.
  CLEAVE_HD Index entry_of(Index c, int side) const {
    const Index code = pass.elements.cohesive_facet(c, side);
    return incidence_entry(element_of(code), Element::facet_slot(facet_of(code), 1));
  }
  CLEAVE_HD Real given_by(Index entry) const {
    return Element::mass_fraction(node_of_entry(entry)) * element_mass[element_of_entry(entry)];
  }
};

/// Fills the copies of a pass with the state of their nodes.
struct FillCopies {
  static constexpr const char* name = "node copies";
  Index most;               ///< copies that there may be
  const SplitCount* total;  ///< of the pass
  const LiveCounts* live;   ///< before it
  const Index* origin;      ///< [copy] see SplitPass
  const NodeConstants* constants;
  NodeCopier copy;

  CLEAVE_HD Index size() const { return most; }
  CLEAVE_HD Index in_use() const { return copies_of(*total); }
  CLEAVE_HD void operator()(Index i) const {
    const Index from = origin[i], to = live->nodes + i;
    copy.write(to, copy.read(from));
    if (constants[to].flags & constrained_node) copy.copy_motion(from, to);
  }

  static constexpr int lines = 1;
  template <int>
  CLEAVE_HD void fetch_lines(Index i) const {
    copy.fetch_lines(origin[i]);
  }
};

/// Counts the nodes, cohesive elements and slots of a pass as in use.
struct CountInserted {
  static constexpr const char* name = "counts";
  const SplitCount* total;
  Index facets;
  LiveCounts* live;

  CLEAVE_HD Index size() const { return 1; }
  CLEAVE_HD void operator()(Index) const {
    live->nodes += copies_of(*total);
    live->slots += slots_of(*total);
    live->cohesive += facets;
  }
};

/// 1/m and flags of the nodes of the intact mesh.
struct SetNodeConstants {
  static constexpr const char* name = "node constants";
  Index count;
  const Real* mass;
  const std::uint8_t* motion_x;
  const std::uint8_t* motion_y;
  int loads;
  const Vec2* load_force;  ///< [load][load_stride], N
  Index load_stride;
  NodeConstants* constants;  ///< [node]

  CLEAVE_HD Index size() const { return count; }
  CLEAVE_HD void operator()(Index n) const {
    constants[n].inverse_mass = 1 / mass[n];
    int flag = motion_x[n] != 0 || motion_y[n] != 0 ? constrained_node : 0;
    for (int l = 0; l < loads; ++l) {
      const Vec2 f = load_force[static_cast<std::size_t>(l) * load_stride + n];
      if (f.x != 0 || f.y != 0) flag |= loaded_node;
    }
    constants[n].flags = static_cast<std::uint16_t>(flag);
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
