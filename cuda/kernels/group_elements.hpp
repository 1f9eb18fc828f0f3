/// Insertion in the gather assembly, second part: which elements of a node still hold together.
#pragma once

#include <bit>

#include "kernels/cut_facets.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// A set of positions in a fan: bit p says position p.
using FanSet = std::uint32_t;
static_assert(FanEntry::most <= 32);
CLEAVE_HD constexpr FanSet position_set(int position) { return FanSet{1} << position; }
CLEAVE_HD constexpr FanSet first_positions(int number) { return ~FanSet{0} >> (32 - number); }
CLEAVE_HD constexpr FanSet positions_before(int position) { return position_set(position) - 1; }

CLEAVE_HD_INLINE int size_of(FanSet positions) {
#if defined(__CUDA_ARCH__)
  return __popc(positions);
#else
  return std::popcount(positions);
#endif
}

CLEAVE_HD_INLINE int first_of(FanSet positions) {
#if defined(__CUDA_ARCH__)
  return __ffs(static_cast<int>(positions)) - 1;
#else
  return std::countr_zero(positions);
#endif
}

/// Groups the elements of claimed nodes by the facets that still join them, and counts what the groups need.
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

  CLEAVE_HD Index size() const { return pass.claims() + 1; }
  CLEAVE_HD void operator()(Index at, Team team, Scratch& scratch) const {
    const bool leads = team.first == 0;
    if (at == pass.claims()) {
      if (leads) pass.count[at] = {};
      return;
    }
    const Index c = pass.facet_of_claim(at), node = pass.node_of_claim(at);
    const Index code = pass.elements.cohesive_facet(c, 0), element = element_of(code);
    const bool mid_side = pass.is_mid_side(at), claims = mid_side || pass.claim[node] == pass.mark(at);
    const ClaimedNode claimed{node, element, pass.constants[node].range()};
    if (!claims) {
      if (!leads) return;
      pass.count[at] = {};
      pass.claimed[at] = {};
      return;
    }
    const bool interior = pass.incidence.is_interior(node);
    FanEntry* fan = pass.fan_of(at);
    SplitCount count;
    if (mid_side) {
      if (!leads) return;
      count = halve(fan, code, pass.elements.cohesive_facet(c, 1), interior);
    } else {
      const Index* entries = pass.incidence.entries(interior, element) + claimed.range.begin;
      const int number = claimed.elements();
      for (int j = team.first; j < number; j += team.size) {
        scratch.joined[j] = joined(entries, number, j);
        scratch.mass[j] = Element::mass_fraction(0) * element_mass[element_of_entry(entries[j])];
      }
      team.sync();
      for (int j = team.first; j < number; j += team.size) scratch.group[j] = group_of(scratch, j);
      team.sync();
      count = count_of(scratch, number, interior);
      for (int j = team.first; j < number && count.copies > 0; j += team.size)
        fan[j] = share_out(scratch, number, j, interior, entries[j]);
      if (!leads) return;
    }
    pass.claimed[at] = claimed;
    pass.count[at] = count;
    if (pass.by_counter && count.copies > 0) {
      SplitCount& all = pass.first[pass.claims()];
      pass.first[at] = {atomic_add(all.copies, count.copies), atomic_add(all.slots, count.slots)};
    }
  }

  static constexpr int lines = 3;
  template <int n>
  CLEAVE_HD void fetch_lines(Index at) const {
    if (at == pass.claims()) return;
    const Index c = pass.facet_of_claim(at), node = pass.node_of_claim(at);
    const Index element = element_of(pass.elements.cohesive_facet(c, 0));
    if constexpr (n == 0) {
      fetch_line(pass.constants[node]);
      fetch_line(pass.claim[node]);
      return;
    }
    if (pass.is_mid_side(at)) {
      fetch_line(element_mass[element]);
      fetch_line(element_mass[element_of(pass.elements.cohesive_facet(c, 1))]);
      return;
    }
    if (pass.claim[node] != pass.mark(at)) return;
    const SlotRange range = pass.constants[node].range();
    const Index* entries = pass.incidence.entries(pass.incidence.is_interior(node), element);
    if constexpr (n == 1) return fetch_line(entries[range.begin]);
    for (Index j = range.begin; j < range.end; ++j) {
      const Index e = element_of_entry(entries[j]);
      fetch_line(element_mass[e]);
      fetch_line(pass.elements.neighbour(e, 0));
    }
  }

  /// Nothing but the cut facet joins the two elements of a mid-side node: the larger one keeps it.
  CLEAVE_HD SplitCount halve(FanEntry* fan, Index code, Index other, bool interior) const {
    fan[0] = alone(code);
    fan[1] = alone(other);
    fan[1].copy = FanEntry::stays;
    fan[1].slot = interior ? 0 : 1;
    return {1, interior ? 1 : 0};
  }
  CLEAVE_HD FanEntry alone(Index code) const {
    const Index e = element_of(code);
    const int i = Element::facet_slot(facet_of(code), 1);
    FanEntry fan;
    fan.entry = incidence_entry(e, i);
    fan.members = 1;
    fan.mass = Element::mass_fraction(i) * element_mass[e];
    return fan;
  }

  /// Which elements of a corner the facets of element j join to it.
  CLEAVE_HD FanSet joined(const Index* entries, int number, int j) const {
    const Index e = element_of_entry(entries[j]);
    const int corner = node_of_entry(entries[j]);
    // A facet that joins nothing gives an id that no element has.
    const Index one = element_of(pass.elements.neighbour(e, Element::facet_at(corner, 0)));
    const Index two = element_of(pass.elements.neighbour(e, Element::facet_at(corner, 1)));
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
      const int next = first_of(others);
      group |= position_set(next);
      others = (others | scratch.joined[next]) & ~group;
    }
    return group;
  }

  /// Copies are numbered, and slots shared out, group by group in the order of their first elements; the group of the
  /// largest element keeps the node and comes last. Elements that leave an interior node get slots in memory.
  CLEAVE_HD static SplitCount count_of(const Scratch& scratch, int number, bool interior) {
    const FanSet leaving = first_positions(number) & ~scratch.group[number - 1];
    return {groups_among(scratch, leaving), interior ? size_of(leaving) : 0};
  }
  /// How many groups there are in a set of whole groups.
  CLEAVE_HD static int groups_among(const Scratch& scratch, FanSet set) {
    int groups = 0;
    for (; set != 0; set &= ~scratch.group[first_of(set)]) ++groups;
    return groups;
  }
  CLEAVE_HD static FanEntry share_out(const Scratch& scratch, int number, int j, bool interior, Index entry) {
    const FanSet own = scratch.group[j], kept = scratch.group[number - 1];
    const bool stays = own == kept;
    FanSet earlier = 0;  // groups that come first
    for (FanSet left = (stays ? first_positions(number) : positions_before(first_of(own))) & ~kept; left != 0;
         left &= ~earlier)
      earlier |= scratch.group[first_of(left)];
    FanEntry fan;
    fan.entry = entry;
    fan.slot = static_cast<FanEntry::Position>(size_of(own & positions_before(j)) +
                                               (stays && interior ? 0 : size_of(earlier)));
    fan.copy = stays ? FanEntry::stays : static_cast<FanEntry::Position>(groups_among(scratch, earlier));
    if (first_of(own) == j) {
      fan.members = static_cast<FanEntry::Position>(size_of(own));
      for (FanSet left = own; left != 0; left &= left - 1) fan.mass += scratch.mass[first_of(left)];
    }
    return fan;
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
