/// Insertion in the gather assembly, last part: every group around a node but the largest gets a copy of it, and all
/// elements their slots. All facets have been cut before, so nodes need not wait for each other, and no colours are
/// needed. The coloured assembly walks around nodes instead
/// (src/published/walk_insertion.hpp); the cut is the same, ids differ.
#pragma once

#include "cleave/lockstep/kernel.hpp"
#include "fracture/find_sectors.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Gives every sector of a node its node with mass, flags and slots, and cohesive rows their nodes.
template <class Element>
struct SplitNodes {
  static constexpr KernelTraits traits{.name = "node duplication", .lines = 2};
  static constexpr int team_size = 4;
  struct Scratch {  ///< by position in the star, before the pass
    Index entry[most_elements_at_node];
    Index block[most_elements_at_node];  ///< of the element
    Real mass[most_elements_at_node];    ///< kg
  };
  SplitPass<Element> pass;
  const LiveCounts* live;  ///< before the pass
  NodeWriter<Element> nodes;

  CLEAVE_HD Index size() const { return pass.cut_ends(); }
  CLEAVE_HD void operator()(Index at, Team team, Scratch& scratch) const {
    const CutEnd cut_end = read_record(pass.ends[at]);
    const SplitCount before = pass.before(at);
    const Index first_copy = copies_of(before), first_node = live->nodes + pass.mid_sides() + first_copy;
    const Index first_slot = live->slots + pass.mid_sides() + slots_of(before);
    if (cut_end.slots == 0) return;
    const StarElement* const star = pass.star_of(at);
    Index* const entries = pass.incidence.entries_of(cut_end.node);
    for (int j = team.first; j < cut_end.slots; j += team.size) {
      scratch.entry[j] = entries[cut_end.first_slot + j];
      scratch.block[j] = nodes.block_of(scratch.entry[j]);
      scratch.mass[j] = star[j].mass;
    }
    team.sync();

    const bool interior = pass.incidence.is_interior(cut_end.node);
    const StarSectors groups(cut_end.joined, cut_end.slots);
    groups.for_each([&](int group, int first, int end) {
      if (group % team.size != team.first) return;
      const bool stays = group == groups.kept, behind_kept = group > groups.kept;
      const Index copy = group - behind_kept, node = stays ? cut_end.node : first_node + copy;
      // Slots are shared out group by group. Elements that leave an interior node get slots in memory.
      const bool leaves_block = interior && !stays;
      const Index slot =
          leaves_block ? first_slot + first - (behind_kept ? groups.kept_size() : 0) : cut_end.first_slot + first;
      Index* const list = leaves_block ? pass.incidence.interface_entries : entries;
      Real mass = 0;
      int partials = 0;
      for (int place = first; place < end; ++place) {
        const int j = groups.position_of(place);
        const Index entry = scratch.entry[j], at_slot = slot + place - first, block = scratch.block[j];
        bool is_first = true;
        for (int earlier = first; earlier < place; ++earlier)
          is_first = is_first && scratch.block[groups.position_of(earlier)] != block;
        partials += is_first ? 1 : 0;
        if (is_first) nodes.touched.add(block);
        const bool moves = leaves_block || place != j;
        mass += scratch.mass[j];
        if (moves) list[at_slot] = entry;
        if (moves || !stays)
          nodes.give(entry, {node, leaves_block ? Slot::of_interface(at_slot)
                                                : pass.incidence.slot_of(cut_end.node, at_slot)});
        if (!stays) rename(entry, star[j], node);
      }
      nodes.begin(node, {slot, slot + end - first}, partials, cut_end.flags, mass);
      if (stays) return;
      pass.origin[first_copy + copy] = cut_end.node;
      pass.note_maker(node, pass.cohesive_of_cut_end(at), CopyMaker::at_start + at % 2);
    });
  }

  template <int n>
  CLEAVE_HD void fetch_lines(Index at) const {
    const CutEnd cut_end = pass.ends[at];
    if (cut_end.slots == 0) return;
    const Index* const entries = pass.incidence.entries_of(cut_end.node) + cut_end.first_slot;
    if constexpr (n == 0) {
      fetch_line(*pass.star_of(at));
      fetch_line(pass.star_of(at)[cut_end.slots - 1]);
      fetch_line(pass.assembly[cut_end.node]);
      fetch_line(*entries);
      return;
    }
    const StarElement* const star = pass.star_of(at);
    const StarSectors groups(cut_end.joined, cut_end.slots);
    for (int place = 0; place < cut_end.slots; ++place) {
      const int j = groups.position_of(place), i = node_of_entry(entries[j]);
      fetch_line(pass.elements.entry(element_of_entry(entries[j]), i));
      if (groups.keeps(place)) continue;
      for (int m = 0; m < 2; ++m)
        if (is_cohesive(star[j].behind[m])) fetch_line(cohesive_entry(i, m, star[j].behind[m]));
    }
  }

  /// A corner of an element is `node` from now on in the rows of its cohesive facets, too.
  CLEAVE_HD void rename(Index corner, const StarElement& element, Index node) const {
    const int i = node_of_entry(corner);
    for (int m = 0; m < 2; ++m)
      if (is_cohesive(element.behind[m])) cohesive_entry(i, m, element.behind[m]) = node;
  }
  /// Entry of corner i of an element in the row of a cohesive facet, the m-th at that corner.
  CLEAVE_HD Index& cohesive_entry(int i, int m, Index code) const {
    const int position = Element::facet_position(Element::facet_at(i, m), i), side = cohesive_side_of(code);
    return pass.elements.cohesive_node(cohesive_of(code), side,
                                       side == 0 ? position : Element::facet_nodes - 1 - position);
  }
};

/// Fills the copies of corners with the state of their nodes.
template <class Element>
struct FillCopies {
  static constexpr KernelTraits traits{.name = "copied state", .has_in_use = true, .lines = 1};
  SplitPass<Element> pass;
  const LiveCounts* live;  ///< before the pass
  NodeCopier copy;

  CLEAVE_HD Index size() const { return pass.most_corner_copies(); }
  CLEAVE_HD Index in_use() const { return copies_of(pass.total()); }
  CLEAVE_HD void operator()(Index i) const {
    const Index from = pass.origin[i], to = live->nodes + pass.mid_sides() + i;
    copy(from, to, pass.assembly[to].flags != 0);
  }

  template <int>
  CLEAVE_HD void fetch_lines(Index i) const {
    copy.fetch_lines(pass.origin[i]);
  }
};

/// Counts the nodes, cohesive elements and slots of a pass as in use.
template <class Element>
struct CountInserted {
  static constexpr KernelTraits traits{.name = "inserted counts"};
  SplitPass<Element> pass;
  LiveCounts* live;

  CLEAVE_HD Index size() const { return 1; }
  CLEAVE_HD void operator()(Index) const {
    live->nodes += pass.mid_sides() + copies_of(pass.total());
    live->slots += pass.mid_sides() + slots_of(pass.total());
    live->cohesive += pass.facets;
  }
};

/// 1/m of the nodes of the intact mesh, and flags by what acts on them. A node adds up its shares of the masses of its
/// elements in the order of its slots.
template <class Element>
struct SetNodeAssembly {
  static constexpr KernelTraits traits{.name = "node constants"};
  ElementTable<Element> elements;
  IncidenceTable<Element> incidence;
  Index count;
  const std::uint8_t* motion_x;
  const std::uint8_t* motion_y;
  NodeAssembly* assembly;  ///< [node]
  Real* inverse_mass;      ///< [node] 1/kg
  unsigned on_all = 0;     ///< flags of all nodes

  CLEAVE_HD Index size() const { return count; }
  CLEAVE_HD void operator()(Index n) const {
    const Index* entries = incidence.entries_of(n);
    const SlotRange slots = assembly[n].range();
    Real mass = 0;
    for (Index slot = slots.begin; slot < slots.end; ++slot)
      mass += Element::mass_fraction(node_of_entry(entries[slot])) * elements.mass(element_of_entry(entries[slot]));
    inverse_mass[n] = 1 / mass;
    const bool constrained = motion_x[n] != 0 || motion_y[n] != 0;
    assembly[n].flags |= static_cast<std::uint16_t>((constrained ? constrained_node : 0) | on_all);
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
