/// Insertion in the gather assembly, second part: which elements of a node still hold together.
#pragma once

#include <limits>

#include "cleave/core/bits.hpp"
#include "kernels/cut_facets.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// A set of positions in a fan: bit p says position p.
using FanSet = std::uint32_t;
static_assert(FanEntry::most <= 32);
CLEAVE_HD constexpr FanSet position_set(int position) { return FanSet{1} << position; }
CLEAVE_HD constexpr FanSet first_positions(int number) { return ~FanSet{0} >> (32 - number); }
CLEAVE_HD constexpr FanSet positions_before(int position) { return position_set(position) - 1; }

/// Who holds together around a node. Its elements lie in the order in which they follow each other, so groups are runs
/// of them; places count from the first element behind a cut.
struct FanGroups {
  int elements;
  int start;                         ///< position of place 0
  FanSet ends;                       ///< the places that are the last of a group
  int kept_first = 0, kept_end = 0;  ///< places of the group that keeps the node: the largest, the first one of such
  int kept = 0;                      ///< its number among the groups

  /// @param joined  positions that an intact facet joins to the next one, the last one to the first
  CLEAVE_HD FanGroups(FanSet joined, int number) : elements(number), start(0) {
    const FanSet all = first_positions(number), cuts = ~joined & all;
    ends = cuts;
    if (cuts == 0) return;
    if (joined & position_set(number - 1)) {
      start = first_bit(cuts) + 1;
      ends = (cuts >> start | cuts << (number - start)) & all;
    }
    int first = 0, index = 0;
    for (FanSet left = ends; left != 0; left &= left - 1, ++index) {
      const int end = first_bit(left) + 1;
      if (end - first > kept_size()) {
        kept_first = first;
        kept_end = end;
        kept = index;
      }
      first = end;
    }
  }

  CLEAVE_HD int copies() const { return ends == 0 ? 0 : number_of_bits(ends) - 1; }
  CLEAVE_HD int kept_size() const { return kept_end - kept_first; }
  CLEAVE_HD int place_of(int position) const {
    return position < start ? position + elements - start : position - start;
  }
  CLEAVE_HD int position_of(int place) const {
    return place + start < elements ? place + start : place + start - elements;
  }
  /// The group of a place: its number, its first place, and one past its last.
  CLEAVE_HD int group_at(int place) const { return number_of_bits(ends & positions_before(place)); }
  CLEAVE_HD int first_at(int place) const {
    const FanSet before = ends & positions_before(place);
    return before == 0 ? 0 : last_bit(before) + 1;
  }
  CLEAVE_HD int end_at(int place) const { return place + first_bit(ends >> place) + 1; }
};

/// Groups the elements of claimed nodes by the facets that still join them, and counts what the nodes of cut facets
/// need.
template <class Element>
struct GroupElements {
  static constexpr const char* name = "groups around nodes";
  static constexpr int team_size = 4;
  /// What a worker finds around the node.
  struct Found {
    FanSet joined;    ///< see FanGroups
    Index first_cut;  ///< the first cohesive element of the pass
  };
  static constexpr Index none = std::numeric_limits<Index>::max();
  struct Scratch {
    Found found[team_size];
    Real mass[FanEntry::most];  ///< what each element gives to the node, kg
  };
  SplitPass<Element> pass;
  const Real* element_mass;  ///< [element], kg

  CLEAVE_HD Index size() const { return pass.claims(); }
  CLEAVE_HD void operator()(Index at, Team team, Scratch& scratch) const {
    const bool leads = team.first == 0;
    const Index facet = pass.facet_of_claim(at), c = pass.first_cohesive + facet, node = pass.node_of_claim(at);
    const Index element = element_of(pass.elements.cohesive_facet(c, 0));
    if constexpr (pass.has_mid_sides)
      if (leads && at % 2 == 0) pass.count[facet * pass.parts + 1] = needs_of_mid_side(pass.node_of(facet, 1));
    const NodeConstants constants = read_record(pass.constants[node]);
    const bool interior = pass.incidence.is_interior(node);
    const Index* entries = pass.incidence.entries(interior, element) + constants.first_slot;
    scratch.found[team.first] = look_around(at, entries, constants.slots, team, scratch);
    team.sync();
    Found all{0, none};
    for (int worker = 0; worker < team.size; ++worker) {
      all.joined |= scratch.found[worker].joined;
      if (scratch.found[worker].first_cut < all.first_cut) all.first_cut = scratch.found[worker].first_cut;
    }
    const FanGroups groups(all.joined, constants.slots);
    const bool splits = all.first_cut == c && groups.copies() > 0;
    FanEntry* const fan = pass.fan_of(at);
    for (int j = team.first; j < constants.slots && splits; j += team.size)
      write_record(fan[j], share_out(groups, scratch, j, interior, entries[j]));
    if (!leads) return;
    const std::uint16_t slots = splits ? constants.slots : 0;
    write_record(pass.claimed[at], {node, element, constants.first_slot, slots, constants.flags});
    const SplitCount needs = split_count(groups.copies(), interior ? groups.elements - groups.kept_size() : 0);
    pass.count[pass.facet_node_of_claim(at)] = splits ? needs : 0;
  }

  static constexpr int lines = 3;
  template <int n>
  CLEAVE_HD void fetch_lines(Index at) const {
    const Index node = pass.node_of_claim(at);
    if constexpr (n == 0) return fetch_line(pass.constants[node]);
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

  /// Looks at the elements of a claim's node, keeps the neighbours behind their facets there, and what they give to it.
  CLEAVE_HD Found look_around(Index at, const Index* entries, int number, Team team, Scratch& scratch) const {
    FanSides* const sides = pass.fan_sides_of(at);
    Found found{0, none};
    constexpr int together = 2;  // asked for at once
    for (int first = team.first; first < number; first += together * team.size) {
      Index entry[together];
      FanSides own[together];
      Real mass[together];
      CLEAVE_UNROLL
      for (int m = 0; m < together; ++m)
        if (first + m * team.size < number) entry[m] = entries[first + m * team.size];
      CLEAVE_UNROLL
      for (int m = 0; m < together; ++m) {
        if (first + m * team.size >= number) continue;
        own[m] = sides_of(entry[m]);
        mass[m] = element_mass[element_of_entry(entry[m])];
      }
      CLEAVE_UNROLL
      for (int m = 0; m < together; ++m) {
        const int j = first + m * team.size;
        if (j >= number) continue;
        const Index next = own[m].behind[0];
        if (is_intact(next))
          found.joined |= position_set(j);
        else if (is_new(next) && cohesive_of(next) < found.first_cut)
          found.first_cut = cohesive_of(next);
        scratch.mass[j] = Element::mass_fraction(0) * mass[m];
        write_record(sides[j], own[m]);
      }
    }
    return found;
  }

  /// Whether a neighbour entry is that of a cohesive element of this pass.
  CLEAVE_HD bool is_new(Index code) const { return is_cohesive(code) && cohesive_of(code) >= pass.first_cohesive; }

  /// The smaller of its two elements gets a copy.
  CLEAVE_HD SplitCount needs_of_mid_side(Index node) const { return split_count(1, pass.incidence.is_interior(node)); }

  /// Counter-clockwise around a corner, an element is left through its facet 0 there and entered through facet 1.
  CLEAVE_HD FanSides sides_of(Index entry) const {
    const Index e = element_of_entry(entry);
    const int corner = node_of_entry(entry);
    return {{pass.elements.neighbour(e, Element::facet_at(corner, 0)),
             pass.elements.neighbour(e, Element::facet_at(corner, 1))}};
  }

  /// Copies are numbered, and slots shared out, group by group. Elements that leave an interior node get slots in
  /// memory.
  CLEAVE_HD static FanEntry share_out(const FanGroups& groups, const Scratch& scratch, int j, bool interior,
                                      Index entry) {
    const int place = groups.place_of(j), first = groups.first_at(place), group = groups.group_at(place);
    const bool stays = group == groups.kept, behind_kept = group > groups.kept;
    FanEntry fan;
    fan.entry = entry;
    fan.slot = static_cast<FanEntry::Position>(place - (interior && behind_kept ? groups.kept_size() : 0));
    fan.copy = stays ? FanEntry::stays : static_cast<FanEntry::Position>(group - behind_kept);
    if (place == first) {
      const int end = groups.end_at(place);
      fan.members = static_cast<FanEntry::Position>(end - first);
      for (int p = first; p < end; ++p) fan.mass += scratch.mass[groups.position_of(p)];
    }
    return fan;
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
