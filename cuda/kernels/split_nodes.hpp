/// Insertion in the gather assembly, node by node: all facets are cut at once, then every node of a cut facet looks at
/// its elements. Those that intact facets still join around it stay together; every group but the last gets a copy.
///
/// The slots of a node, and with them the list of its elements, are sorted by element id, so the work goes with what
/// breaks and needs no colours. The coloured assembly walks around nodes instead (insertion.hpp); the cut is the
/// same, ids differ.
#pragma once

#include "kernels/gather_node.hpp"
#include "kernels/group_elements.hpp"
#include "kernels/insertion.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Gives every group of a claimed node its node and its slots, and cohesive rows their nodes. The group of the
/// largest element keeps the node.
template <class Element>
struct SplitNodes {
  static constexpr const char* name = "node duplication";
  static constexpr int team_size = 4;
  struct Scratch {};
  SplitPass<Element> pass;
  const LiveCounts* live;  ///< before the pass
  SlotTable<Element> slots;
  NodeCopier copy;
  Vec2* load_force;  ///< [load][load_stride], N
  int loads;
  Index load_stride;
  Real* mass;     ///< [node], kg
  Index* loaded;  ///< set to 1 when a loaded node splits, as its loads must be added anew

  CLEAVE_HD Index size() const { return pass.claims(); }
  CLEAVE_HD void operator()(Index at, Team team, Scratch&) const {
    const ClaimedNode claimed = pass.claimed[at];
    const SplitCount count = pass.count[at], before = pass.first[at];
    if (count.copies == 0) return;
    const Index first_copy = live->nodes + before.copies, first_slot = live->slots + before.slots;
    const FanEntry* fan = pass.fan_of(at);
    const bool interior = pass.incidence.is_interior(claimed.node);
    for (int j = team.first; j < claimed.elements(); j += team.size) {
      const FanEntry own = fan[j];
      const bool stays = own.copy == FanEntry::stays, leaves_block = interior && !stays;
      const Index node = stays ? claimed.node : first_copy + own.copy;
      const Index slot = (leaves_block ? first_slot : claimed.range.begin) + own.slot;
      if (own.is_first()) begin_node(claimed.node, node, {slot, slot + own.members}, own.mass);
      if (leaves_block || own.slot != j) give_slot(own.entry, slot, interior && stays, claimed.element);
      if (!stays) rename(element_of_entry(own.entry), node_of_entry(own.entry), node);
    }
  }

  static constexpr int lines = 3;
  template <int n>
  CLEAVE_HD void fetch_lines(Index at) const {
    const FanEntry* fan = pass.fan_of(at);
    if constexpr (n == 0) return fetch_line(*fan);
    if (pass.count[at].copies == 0) return;
    const ClaimedNode claimed = pass.claimed[at];
    if constexpr (n == 1) {
      copy.fetch_lines(claimed.node);
      fetch_line(pass.constants[claimed.node]);
      fetch_line(mass[claimed.node]);
    }
    for (int j = 0; j < claimed.elements(); ++j) {
      const Index e = element_of_entry(fan[j].entry);
      const int i = node_of_entry(fan[j].entry);
      if constexpr (n == 1) fetch_line(slots.slot(e, i));
      if (fan[j].copy == FanEntry::stays) continue;
      if constexpr (n == 1) {
        fetch_line(pass.elements.node(e, i));
        fetch_line(pass.elements.neighbour(e, 0));
      } else {
        for (int m = 0; m < Element::facets_at(i); ++m) {
          const Index* row = row_of(e, Element::facet_at(i, m), i);
          if (row != nullptr) fetch_line(*row);
        }
      }
    }
  }

  CLEAVE_HD void give_slot(Index entry, Index slot, bool interior, Index element) const {
    pass.incidence.entries(interior, element)[slot] = entry;
    slots.slot(element_of_entry(entry), node_of_entry(entry)) = interior ? -1 - slot : slot;
  }

  /// Node i of element e is `node` from now on, also in the rows of its cohesive facets.
  CLEAVE_HD void rename(Index e, int i, Index node) const {
    Index* rows[2] = {};
    for (int m = 0; m < Element::facets_at(i); ++m) rows[m] = row_of(e, Element::facet_at(i, m), i);
    pass.elements.node(e, i) = node;
    for (Index* row : rows)
      if (row != nullptr) *row = node;
  }
  /// Where the row of cohesive facet k of an element has its node i, which is on it; null when the facet is not
  /// cohesive.
  CLEAVE_HD Index* row_of(Index e, int k, int i) const {
    const int position = Element::facet_position(k, i);
    const Index code = pass.elements.neighbour(e, k);
    if (!is_cohesive(code)) return nullptr;
    const int side = cohesive_side_of(code);
    return &pass.elements.cohesive_node(cohesive_of(code), side,
                                        side == 0 ? position : Element::facet_nodes - 1 - position);
  }

  /// Fills the node of a group.
  CLEAVE_HD void begin_node(Index original, Index node, SlotRange range, Real m) const {
    // Another worker may be writing the original's range and mass: only the flags count, which stay.
    NodeConstants constants = pass.constants[original];
    const std::uint16_t flags = constants.flags;
    constants.set_range(range);
    constants.inverse_mass = 1 / m;
    if (node != original) copy(original, node, flags & constrained_node);
    pass.constants[node] = constants;
    mass[node] = m;
    for (int l = 0; l < loads; ++l) load_force[static_cast<std::size_t>(l) * load_stride + node] = Vec2{};
    if (flags & loaded_node) atomic_write(*loaded, 1);
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
    live->nodes += total->copies;
    live->slots += total->slots;
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
