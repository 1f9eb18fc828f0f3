/// Insertion in the gather assembly, second part: which elements of a node still hold together.
#pragma once

#include <limits>

#include "fracture/cut_facets.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Groups the elements of nodes at cut ends by the facets that still join them, and counts what these nodes need.
template <class Element>
struct FindSectors {
  static constexpr KernelTraits traits{.name = "sectors of node stars", .lines = 3};
  static constexpr int team_size = 4;
  /// Results of a worker around the node.
  struct Found {
    StarSet joined;   ///< see StarSectors
    Index first_cut;  ///< the first cohesive element of the pass
  };
  static constexpr Index none = std::numeric_limits<Index>::max();
  struct Scratch {
    Found found[team_size];
  };
  SplitPass<Element> pass;

  CLEAVE_HD Index size() const { return pass.cut_ends(); }
  CLEAVE_HD void operator()(Index at, Team team, Scratch& scratch) const {
    const Index node = pass.node_of_cut_end(at);
    const NodeAssembly constants = read_record(pass.assembly[node]);
    scratch.found[team.first] =
        look_around(pass.incidence.entries_of(node) + constants.first_slot, constants.slots, pass.star_of(at), team);
    team.sync();
    if (team.first != 0) return;
    Found all{0, none};
    for (int worker = 0; worker < team.size; ++worker) {
      all.joined |= scratch.found[worker].joined;
      if (scratch.found[worker].first_cut < all.first_cut) all.first_cut = scratch.found[worker].first_cut;
    }
    const StarSectors groups(all.joined, constants.slots);
    const bool splits = all.first_cut == pass.cohesive_of_cut_end(at) && groups.copies() > 0;
    const std::uint16_t slots = splits ? constants.slots : 0;
    write_record(pass.ends[at], {node, all.joined, constants.first_slot, slots, constants.flags});
    const Index leave = pass.incidence.is_interior(node) ? groups.elements - groups.kept_size() : 0;
    pass.count[at] = splits ? split_count(groups.copies(), leave) : 0;
  }

  template <int n>
  CLEAVE_HD void fetch_lines(Index at) const {
    const Index node = pass.node_of_cut_end(at);
    if constexpr (n == 0) return fetch_line(pass.assembly[node]);
    const SlotRange range = pass.assembly[node].range();
    const Index* entries = pass.incidence.entries_of(node);
    if constexpr (n == 1) return fetch_line(entries[range.begin]);
    for (Index j = range.begin; j < range.end; ++j) {
      const Index e = element_of_entry(entries[j]);
      fetch_line(pass.elements.mass(e));
      fetch_line(pass.elements.neighbour(e, 0));
    }
  }

  /// Reads the elements of a node and keeps them for the last part of insertion.
  CLEAVE_HD Found look_around(const Index* entries, int number, StarElement* star, Team team) const {
    Found found{0, none};
    constexpr int together = 2;  // reads at once
    for (int first = team.first; first < number; first += together * team.size) {
      Index entry[together];
      StarElement own[together];
      CLEAVE_UNROLL
      for (int m = 0; m < together; ++m)
        if (first + m * team.size < number) entry[m] = entries[first + m * team.size];
      CLEAVE_UNROLL
      for (int m = 0; m < together; ++m)
        if (first + m * team.size < number) own[m] = read_element(entry[m]);
      CLEAVE_UNROLL
      for (int m = 0; m < together; ++m) {
        const int j = first + m * team.size;
        if (j >= number) continue;
        const Index next = own[m].behind[0];
        if (is_intact(next))
          found.joined |= position_set(j);
        else if (is_new(next) && cohesive_of(next) < found.first_cut)
          found.first_cut = cohesive_of(next);
        write_record(star[j], own[m]);
      }
    }
    return found;
  }

  /// Whether a neighbour entry is that of a cohesive element of this pass.
  CLEAVE_HD bool is_new(Index code) const { return is_cohesive(code) && cohesive_of(code) >= pass.first_cohesive; }

  /// Counter-clockwise around a corner, an element is left through its facet 0 there and entered through facet 1.
  CLEAVE_HD StarElement read_element(Index entry) const {
    const Index e = element_of_entry(entry);
    const int corner = node_of_entry(entry);
    return {{pass.elements.neighbour(e, Element::facet_at(corner, 0)),
             pass.elements.neighbour(e, Element::facet_at(corner, 1))},
            Element::mass_fraction(corner) * pass.elements.mass(e)};
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
