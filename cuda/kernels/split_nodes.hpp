/// Insertion in the gather assembly, node by node: all facets are cut at once, then every node of a cut facet looks at
/// its elements. Those that intact facets still join around it stay together; every group but the last gets a copy.
///
/// The slots of a node, and with them the list of its elements, are sorted by element id, so the work goes with what
/// breaks and needs no colours. The coloured assembly walks around nodes instead (insertion.hpp); the cut is the
/// same, ids differ.
#pragma once

#include <bit>

#include "kernels/gather_node.hpp"
#include "kernels/gather_table.hpp"
#include "kernels/insertion.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// An incidence: node i of element e as one number.
CLEAVE_HD constexpr Index incidence_entry(Index e, int i) { return 8 * e + i; }
CLEAVE_HD constexpr Index element_of_entry(Index entry) { return entry >> 3; }
CLEAVE_HD constexpr int node_of_entry(Index entry) { return static_cast<int>(entry & 7); }

/// Which element nodes every node is, as incidence entries. They lie where the forces of these elements do (SlotTable),
/// in element order.
template <class Element>
struct IncidenceTable {
  static constexpr Index per_block = elements_per_block * Element::nodes;
  Index* interior;     ///< [block][slot in shared memory]
  Index* shared;       ///< [slot in memory]
  Index first_shared;  ///< nodes before it have their slots in shared memory

  CLEAVE_HD bool is_interior(Index node) const { return node < first_shared; }
  /// The entries of the block of `element`, or those in memory.
  CLEAVE_HD Index* entries(bool in_block, Index element) const {
    return in_block ? interior + element / elements_per_block * per_block : shared;
  }
};

/// Fills the incidence table from the slots.
template <class Element>
struct ListIncidence {
  static constexpr const char* name = "incidence";
  Index elements;
  SlotTable<Element> slots;
  IncidenceTable<Element> incidence;

  CLEAVE_HD Index size() const { return elements; }
  CLEAVE_HD void operator()(Index e) const {
    for (int i = 0; i < Element::nodes; ++i) {
      const Index at = slots(e, i);
      incidence.entries(at < 0, e)[at < 0 ? -1 - at : at] = incidence_entry(e, i);
    }
  }
};

/// What a node of a cut facet needs: new nodes, and slots in memory for elements that leave an interior node.
struct SplitCount {
  Index copies = 0;
  Index slots = 0;

  CLEAVE_HD friend SplitCount operator+(SplitCount a, SplitCount b) { return {a.copies + b.copies, a.slots + b.slots}; }
};

/// An element node around a claimed node, in element order, and where it goes.
struct alignas(sizeof(Real) == 8 ? 16 : 4) FanEntry {
  using Position = std::uint8_t;
  static constexpr int most = most_elements_at_node;
  static constexpr Position stays = most;
  Index entry = 0;       ///< see IncidenceTable
  Position slot = 0;     ///< among those of the node that stay where slots are, or that leave
  Position copy = 0;     ///< which copy of the node gets it; `stays`: none
  Position members = 0;  ///< of its group, if it is the first one of it
  Real mass = 0;         ///< what its group gives to the node, if it is the first one of it, kg

  CLEAVE_HD bool is_first() const { return members != 0; }
};

/// A set of positions in a fan: bit p says position p.
using FanSet = std::uint32_t;
static_assert(FanEntry::most <= 32);
CLEAVE_HD constexpr FanSet only(int position) { return FanSet{1} << position; }
CLEAVE_HD constexpr FanSet all(int number) { return ~FanSet{0} >> (32 - number); }
CLEAVE_HD constexpr FanSet before(int position) { return only(position) - 1; }

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

/// The node of a claim; -1 when a smaller claim has it.
struct alignas(16) ClaimedNode {
  Index node = -1;
  Index element = -1;  ///< one of its elements
  SlotRange range;     ///< its slots before the pass

  CLEAVE_HD int elements() const { return static_cast<int>(range.end - range.begin); }
};

/// The facets of a pass. Every node of a cut facet is seen by several of them; the first claims it. Claim
/// `facet_nodes * facet + part` is node `part` of cohesive element `first_cohesive + facet`, side a.
template <class Element>
struct SplitPass {
  static constexpr Index unclaimed = -1;
  ElementTable<Element> elements;
  IncidenceTable<Element> incidence;
  NodeConstants* constants;  ///< [node]
  Index facets;
  Index first_cohesive;  ///< number of cohesive elements before the pass
  bool by_counter;       ///< ids in the order of an atomic counter instead of that of the facets
  int most_elements;     ///< at one node
  Index* claim;          ///< [node] the largest mark of all claims so far
  ClaimedNode* claimed;  ///< [claim]
  FanEntry* fans;        ///< [claim][most_elements]
  SplitCount* count;     ///< [claim], and zero behind them
  SplitCount* first;     ///< [claim] sums of the counts before it, and of all

  CLEAVE_HD Index claims() const { return facets * Element::facet_nodes; }
  /// The cohesive element.
  CLEAVE_HD Index facet_of_claim(Index at) const { return first_cohesive + at / Element::facet_nodes; }
  CLEAVE_HD Index node_of_claim(Index at) const {
    return elements.cohesive_node(facet_of_claim(at), 0, static_cast<int>(at % Element::facet_nodes));
  }
  /// Mid-side nodes belong to one facet only: nobody else claims them.
  CLEAVE_HD static bool is_mid_side(Index at) { return Element::facet_nodes == 3 && at % 3 == 1; }
  /// Marks of a pass are larger than those of earlier ones, so that nobody has to wipe them; earlier claims have larger
  /// ones.
  CLEAVE_HD Index mark(Index at) const { return Element::facet_nodes * first_cohesive + claims() - 1 - at; }
  CLEAVE_HD FanEntry* fan_of(Index at) const { return fans + static_cast<std::size_t>(at) * most_elements; }
};

/// Cuts facets: both sides still have the same nodes, which are claimed.
/// @tparam Start  what begins the cohesive elements before: StartCohesive
template <class Element, class Start>
struct CutFacets {
  static constexpr const char* name = "insertion";
  static constexpr int team_size = Start::team_size, resident_blocks = Start::resident_blocks;
  using Scratch = typename Start::Scratch;
  Start start;
  std::uint8_t* touches;  ///< [element] 1 when a facet of it is cohesive
  SplitPass<Element> pass;

  CLEAVE_HD Index size() const { return pass.facets; }
  CLEAVE_HD void operator()(Index facet, Team team, Scratch& scratch) const {
    start(facet, team, scratch);
    if (facet == 0 && team.first == 0) pass.first[pass.claims()] = {};
    const ElementTable<Element>& elements = pass.elements;
    const Index c = pass.first_cohesive + facet, code = elements.cohesive_facet(c, 0);
    for (int part = team.first; part < Element::facet_nodes; part += team.size) {
      const Index node = elements.facet_node(element_of(code), facet_of(code), part);
      elements.cohesive_node(c, 0, part) = elements.cohesive_node(c, 1, part) = node;
      const Index at = facet * Element::facet_nodes + part;
      if (!pass.is_mid_side(at)) atomic_max(pass.claim[node], pass.mark(at));
    }
    for (int side = team.first; side < 2; side += team.size) {
      const Index own = elements.cohesive_facet(c, side);
      elements.neighbour(element_of(own), facet_of(own)) = cohesive_code(c, side);
      touches[element_of(own)] = 1;
    }
  }

  static constexpr int lines = Start::lines;
  template <int n>
  CLEAVE_HD void fetch_lines(Index facet) const {
    start.template fetch_lines<n>(facet);
    const ElementTable<Element>& elements = pass.elements;
    const Index c = pass.first_cohesive + facet, code = elements.cohesive_facet(c, 0);
    if constexpr (n == 0) {
      for (int side = 0; side < 2; ++side) {
        const Index e = element_of(elements.cohesive_facet(c, side));
        fetch_line(elements.neighbour(e, 0));
        fetch_line(touches[e]);
      }
    } else {
      for (int part = 0; part < Element::facet_nodes; ++part)
        if (!pass.is_mid_side(part))
          fetch_line(pass.claim[elements.facet_node(element_of(code), facet_of(code), part)]);
    }
  }
};

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
    FanSet group = only(j), others = scratch.joined[j];
    while (others != 0) {
      const int next = first_of(others);
      group |= only(next);
      others = (others | scratch.joined[next]) & ~group;
    }
    return group;
  }

  /// Copies are numbered, and slots shared out, group by group in the order of their first elements; the group of the
  /// largest element keeps the node and comes last. Elements that leave an interior node get slots in memory.
  CLEAVE_HD static SplitCount count_of(const Scratch& scratch, int number, bool interior) {
    const FanSet leaving = all(number) & ~scratch.group[number - 1];
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
    for (FanSet left = (stays ? all(number) : before(first_of(own))) & ~kept; left != 0; left &= ~earlier)
      earlier |= scratch.group[first_of(left)];
    FanEntry fan;
    fan.entry = entry;
    fan.slot = static_cast<FanEntry::Position>(size_of(own & before(j)) + (stays && interior ? 0 : size_of(earlier)));
    fan.copy = stays ? FanEntry::stays : static_cast<FanEntry::Position>(groups_among(scratch, earlier));
    if (first_of(own) == j) {
      fan.members = static_cast<FanEntry::Position>(size_of(own));
      for (FanSet left = own; left != 0; left &= left - 1) fan.mass += scratch.mass[first_of(left)];
    }
    return fan;
  }
};

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
