/// Insertion in the gather assembly, second part: which elements of a node still hold together.
#pragma once

#include "cleave/core/bits.hpp"
#include "kernels/cut_facets.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// A set of positions in a fan: bit p says position p.
using FanSet = std::uint32_t;
static_assert(FanEntry::most <= 32);
CLEAVE_HD constexpr FanSet position_set(int position) { return FanSet{1} << position; }
CLEAVE_HD constexpr FanSet first_positions(int number) { return ~FanSet{0} >> (32 - number); }
CLEAVE_HD constexpr FanSet positions_before(int position) { return position_set(position) - 1; }

/// Groups the elements of claimed nodes by the facets that still join them, and counts what the nodes of cut facets
/// need.
template <class Element>
struct GroupElements {
  static constexpr const char* name = "groups around nodes";
  static constexpr int team_size = 4;
  struct Scratch {
    FanSet joined[FanEntry::most];  ///< with which others an element has an intact facet in common
    FanSet group[FanEntry::most];   ///< of the element
    Real mass[FanEntry::most];      ///< what the element gives to the node, kg
  };
  SplitPass<Element> pass;
  const Real* element_mass;  ///< [element], kg

  CLEAVE_HD Index size() const { return pass.claims(); }
  CLEAVE_HD void operator()(Index at, Team team, Scratch& scratch) const {
    const bool leads = team.first == 0;
    const Index facet = pass.facet_of_claim(at), node = pass.node_of_claim(at);
    const Index element = element_of(pass.elements.cohesive_facet(pass.first_cohesive + facet, 0));
    if constexpr (pass.has_mid_sides)
      if (leads && at % 2 == 0) pass.ask(facet * pass.parts + 1, needs_of_mid_side(pass.node_of(facet, 1)));
    const NodeConstants constants = read_record(pass.constants[node]);
    const Index facet_node = pass.facet_node_of_claim(at);
    if (pass.claim[node] != pass.mark(at)) {
      if (!leads) return;
      write_record(pass.claimed[at], {});
      pass.ask(facet_node, 0);
      return;
    }
    const bool interior = pass.incidence.is_interior(node);
    const Index* entries = pass.incidence.entries(interior, element) + constants.first_slot;
    const int number = constants.slots;
    FanSides* const sides = pass.fan_sides_of(at);
    for (int j = team.first; j < number; j += team.size) {
      const FanSides own = sides_of(entries[j]);
      scratch.mass[j] = Element::mass_fraction(0) * element_mass[element_of_entry(entries[j])];
      scratch.joined[j] = joined(entries, number, own);
      write_record(sides[j], own);
    }
    team.sync();
    for (int j = team.first; j < number; j += team.size) scratch.group[j] = group_of(scratch, j);
    team.sync();
    const SplitCount needs = count_of(scratch, number, interior);
    FanEntry* const fan = pass.fan_of(at);
    for (int j = team.first; j < number && needs != 0; j += team.size)
      write_record(fan[j], share_out(scratch, number, j, interior, entries[j]));
    if (!leads) return;
    write_record(pass.claimed[at], {node, element, constants.first_slot,
                                    needs != 0 ? constants.slots : std::uint16_t(0), constants.flags});
    pass.ask(facet_node, needs);
  }

  static constexpr int lines = 3;
  template <int n>
  CLEAVE_HD void fetch_lines(Index at) const {
    const Index node = pass.node_of_claim(at);
    if constexpr (n == 0) {
      fetch_line(pass.constants[node]);
      fetch_line(pass.claim[node]);
      return;
    }
    if (pass.claim[node] != pass.mark(at)) return;
    const Index element = element_of(pass.elements.cohesive_facet(pass.first_cohesive + pass.facet_of_claim(at), 0));
    const SlotRange range = pass.constants[node].range();
    const Index* entries = pass.incidence.entries(pass.incidence.is_interior(node), element);
    if constexpr (n == 1) return fetch_line(entries[range.begin]);
    for (Index j = range.begin; j < range.end; ++j) {
      const Index e = element_of_entry(entries[j]);
      fetch_line(element_mass[e]);
      fetch_line(pass.elements.neighbour(e, 0));
    }
  }

  /// The smaller of its two elements gets a copy.
  CLEAVE_HD SplitCount needs_of_mid_side(Index node) const { return split_count(1, pass.incidence.is_interior(node)); }

  CLEAVE_HD FanSides sides_of(Index entry) const {
    const Index e = element_of_entry(entry);
    const int corner = node_of_entry(entry);
    return {{pass.elements.neighbour(e, Element::facet_at(corner, 0)),
             pass.elements.neighbour(e, Element::facet_at(corner, 1))}};
  }
  /// Which elements of a corner an element is joined to.
  CLEAVE_HD static FanSet joined(const Index* entries, int number, const FanSides& own) {
    // A facet that joins nothing gives an id that no element has.
    const Index one = element_of(own.behind[0]), two = element_of(own.behind[1]);
    FanSet set = 0;
    for (int at = 0; at < number; ++at) {
      const Index there = element_of_entry(entries[at]);
      set |= static_cast<FanSet>(there == one || there == two) << at;
    }
    return set;
  }

  /// The elements that are joined with element j, directly or through others, and that one.
  CLEAVE_HD static FanSet group_of(const Scratch& scratch, int j) {
    FanSet group = position_set(j), others = scratch.joined[j];
    while (others != 0) {
      const int next = first_bit(others);
      group |= position_set(next);
      others = (others | scratch.joined[next]) & ~group;
    }
    return group;
  }

  /// Copies are numbered, and slots shared out, group by group in the order of their first elements; the group of the
  /// largest element keeps the node and comes last. Elements that leave an interior node get slots in memory.
  CLEAVE_HD static SplitCount count_of(const Scratch& scratch, int number, bool interior) {
    const FanSet leaving = first_positions(number) & ~scratch.group[number - 1];
    return split_count(groups_among(scratch, leaving), interior ? number_of_bits(leaving) : 0);
  }
  /// How many groups there are in a set of whole groups.
  CLEAVE_HD static int groups_among(const Scratch& scratch, FanSet set) {
    int groups = 0;
    for (; set != 0; set &= ~scratch.group[first_bit(set)]) ++groups;
    return groups;
  }
  CLEAVE_HD static FanEntry share_out(const Scratch& scratch, int number, int j, bool interior, Index entry) {
    const FanSet own = scratch.group[j], kept = scratch.group[number - 1];
    const bool stays = own == kept;
    FanSet earlier = 0;  // groups that come first
    for (FanSet left = (stays ? first_positions(number) : positions_before(first_bit(own))) & ~kept; left != 0;
         left &= ~earlier)
      earlier |= scratch.group[first_bit(left)];
    FanEntry fan;
    fan.entry = entry;
    fan.slot = static_cast<FanEntry::Position>(number_of_bits(own & positions_before(j)) +
                                               (stays && interior ? 0 : number_of_bits(earlier)));
    fan.copy = stays ? FanEntry::stays : static_cast<FanEntry::Position>(groups_among(scratch, earlier));
    if (first_bit(own) == j) {
      fan.members = static_cast<FanEntry::Position>(number_of_bits(own));
      for (FanSet left = own; left != 0; left &= left - 1) fan.mass += scratch.mass[first_bit(left)];
    }
    return fan;
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
