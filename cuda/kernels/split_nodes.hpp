/// Insertion in the gather assembly, node by node: all facets are cut at once, then every node of a cut facet looks at
/// its elements. Those that intact facets still join around it stay together; every group but the last gets a copy.
///
/// The slots of a node, and with them the list of its elements, are sorted by element id, so the work goes with what
/// breaks and needs no colours. The coloured assembly walks around nodes instead (insertion.hpp); the cut is the
/// same, ids differ.
#pragma once

#include "kernels/gather_node.hpp"
#include "kernels/gather_table.hpp"
#include "kernels/insertion.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Which element nodes every node is: entry 8 e + i says node i of element e. Entries lie where the forces of these
/// elements do (SlotTable), in element order.
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
      incidence.entries(at < 0, e)[at < 0 ? -1 - at : at] = 8 * e + i;
    }
  }
};

/// What a node of a cut facet needs: new nodes, and slots in memory for elements that leave an interior node.
struct SplitCount {
  Index copies = 0;
  Index slots = 0;

  CLEAVE_HD friend SplitCount operator+(SplitCount a, SplitCount b) { return {a.copies + b.copies, a.slots + b.slots}; }
};

/// An element node around a claimed node. Positions count the element nodes there from 0, in element order.
struct alignas(16) FanEntry {
  Index entry = 0;           ///< see IncidenceTable
  Index group = 0;           ///< position of the first one of its group
  Index next[2] = {-1, -1};  ///< positions behind the element's two facets there; -1: nothing is joined there

  // Where it goes, in the place of `next` once groups are known.
  CLEAVE_HD Index& slot() { return next[0]; }  ///< among those of the node that stay where slots are, or that leave
  CLEAVE_HD Index& copy() { return next[1]; }  ///< which copy of the node gets it; -1: it stays
};

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
  static constexpr Index unclaimed = 0x7fffffff;
  ElementTable<Element> elements;
  IncidenceTable<Element> incidence;
  SlotRange* range;  ///< [node]
  Index facets;
  Index first_cohesive;  ///< number of cohesive elements before the pass
  bool by_counter;       ///< ids in the order of an atomic counter instead of that of the facets
  int most_elements;     ///< at one node
  Index* claim;          ///< [node] smallest claim, `unclaimed` between passes
  ClaimedNode* claimed;  ///< [claim]
  FanEntry* fans;        ///< [claim][most_elements]
  SplitCount* count;     ///< [claim], and zero behind them
  SplitCount* first;     ///< [claim] sums of the counts before it, and of all

  CLEAVE_HD Index claims() const { return facets * Element::facet_nodes; }
  CLEAVE_HD FanEntry* fan_of(Index at) const { return fans + static_cast<std::size_t>(at) * most_elements; }
};

/// Cuts facets: both sides still have the same nodes, which are claimed.
template <class Element>
struct CutFacets {
  static constexpr const char* name = "insertion";
  std::uint8_t* touches;  ///< [element] 1 when a facet of it is cohesive
  SplitPass<Element> pass;

  CLEAVE_HD Index size() const { return pass.facets; }
  CLEAVE_HD void operator()(Index facet) const {
    if (facet == 0) pass.first[pass.claims()] = {};
    const ElementTable<Element>& elements = pass.elements;
    const Index c = pass.first_cohesive + facet;
    const Index code = elements.cohesive_facet(c, 0), other = elements.cohesive_facet(c, 1);
    const Index e = element_of(code);
    const int k = facet_of(code);
    Index node[Element::facet_nodes];
    for (int part = 0; part < Element::facet_nodes; ++part) node[part] = elements.facet_node(e, k, part);
    elements.neighbour(e, k) = elements.neighbour(element_of(other), facet_of(other)) = cohesive_code(c);
    touches[e] = touches[element_of(other)] = 1;
    for (int part = 0; part < Element::facet_nodes; ++part) {
      elements.cohesive_node(c, 0, part) = elements.cohesive_node(c, 1, part) = node[part];
      atomic_min(pass.claim[node[part]], facet * Element::facet_nodes + part);
    }
  }
};

/// Groups the elements of claimed nodes by the facets that still join them, and counts what the groups need.
template <class Element>
struct GroupElements {
  static constexpr const char* name = "groups around nodes";
  static constexpr int team_size = 8;
  SplitPass<Element> pass;

  CLEAVE_HD Index size() const { return pass.claims() + 1; }
  CLEAVE_HD void operator()(Index at, Team team) const {
    const bool leads = team.first == 0;
    if (at == pass.claims()) {
      if (leads) pass.count[at] = {};
      return;
    }
    const Index code = pass.elements.cohesive_facet(pass.first_cohesive + at / Element::facet_nodes, 0);
    const Index element = element_of(code);
    const Index node = pass.elements.facet_node(element, facet_of(code), static_cast<int>(at % Element::facet_nodes));
    if (pass.claim[node] != at) {
      if (!leads) return;
      pass.count[at] = {};
      pass.claimed[at] = {};
      return;
    }
    const ClaimedNode claimed{node, element, pass.range[node]};
    const bool interior = pass.incidence.is_interior(node);
    const Index* entries = pass.incidence.entries(interior, element) + claimed.range.begin;
    FanEntry* fan = pass.fan_of(at);
    for (int j = team.first; j < claimed.elements(); j += team.size)
      fan[j] = joined(entries, claimed.elements(), j, is_mid_side(at));
    team.sync();
    if (!leads) return;
    for (int j = 0; j < claimed.elements(); ++j) fan[j].group = group_of(fan, claimed.elements(), j);
    const SplitCount count = share_out(fan, claimed.elements(), interior);
    pass.claimed[at] = claimed;
    pass.count[at] = count;
    if (pass.by_counter && count.copies > 0) {
      SplitCount& all = pass.first[pass.claims()];
      pass.first[at] = {atomic_add(all.copies, count.copies), atomic_add(all.slots, count.slots)};
    }
  }

  /// Nothing else than the cut facet joins the two elements of a mid-side node.
  CLEAVE_HD static bool is_mid_side(Index at) { return Element::facet_nodes == 3 && at % 3 == 1; }

  CLEAVE_HD FanEntry joined(const Index* entries, int number, int j, bool mid_side) const {
    FanEntry fan;
    fan.entry = entries[j];
    if (mid_side) return fan;
    const Index e = fan.entry / 8;
    const int corner = static_cast<int>(fan.entry % 8);
    const Index behind[2] = {pass.elements.neighbour(e, (corner + 1) % 3),
                             pass.elements.neighbour(e, (corner + 2) % 3)};
    for (int side = 0; side < 2; ++side) fan.next[side] = position_of(behind[side], entries, number);
    return fan;
  }

  /// Position of the element on the other side of an intact facet.
  CLEAVE_HD static Index position_of(Index code, const Index* entries, int number) {
    if (!is_intact(code)) return -1;
    for (int at = 0; at < number; ++at)
      if (entries[at] / 8 == element_of(code)) return at;
    return -1;
  }

  /// Smallest position that is joined with j; groups of smaller positions are known. A walk leaves every element on the
  /// same side, as all of them are numbered counter-clockwise, and ends at a gap or where it began.
  CLEAVE_HD static Index group_of(const FanEntry* fan, int number, Index j) {
    for (int side = 0; side < 2; ++side) {
      Index at = fan[j].next[side];
      for (int passed = 1; passed < number && at >= 0; ++passed) {
        if (at < j) return fan[at].group;
        at = fan[at].next[side];
      }
    }
    return j;
  }

  /// Copies are numbered, and slots shared out, group by group; that of the largest element keeps the node and comes
  /// last. Elements that leave an interior node get slots in memory.
  CLEAVE_HD static SplitCount share_out(FanEntry* fan, int number, bool interior) {
    const Index kept = fan[number - 1].group;
    SplitCount count;
    Index slot = 0;
    for (int first = 0; first < number; ++first) {
      if (fan[first].group != first || first == kept) continue;
      for (int j = first; j < number; ++j) {
        if (fan[j].group != first) continue;
        fan[j].slot() = slot++;
        fan[j].copy() = count.copies;
      }
      ++count.copies;
    }
    if (interior) {
      count.slots = slot;
      slot = 0;
    }
    for (int j = kept; j < number; ++j) {
      if (fan[j].group != kept) continue;
      fan[j].slot() = slot++;
      fan[j].copy() = -1;
    }
    return count;
  }
};

/// Gives every group of a claimed node its node and its slots, and cohesive rows their nodes. The group of the
/// largest element keeps the node.
template <class Element>
struct SplitNodes {
  static constexpr const char* name = "node duplication";
  static constexpr int team_size = 8;
  SplitPass<Element> pass;
  const LiveCounts* live;  ///< before the pass
  SlotTable<Element> slots;
  const Real* element_mass;  ///< [element], kg
  NodeCopier copy;
  Vec2* load_force;  ///< [load][load_stride], N
  int loads;
  Index load_stride;
  Real* mass;           ///< [node], kg
  Real* inverse_mass;   ///< [node], 1/kg
  std::uint8_t* flags;  ///< [node] NodeFlag
  Index* loaded;        ///< set to 1 when a loaded node splits, as its loads must be added anew

  CLEAVE_HD Index size() const { return pass.claims(); }
  CLEAVE_HD void operator()(Index at, Team team) const {
    const ClaimedNode claimed = pass.claimed[at];
    if (claimed.node < 0) return;
    if (team.first == 0) pass.claim[claimed.node] = SplitPass<Element>::unclaimed;
    if (pass.count[at].copies == 0) return;
    const SplitCount before = pass.first[at];
    const FanEntry* fan = pass.fan_of(at);
    const bool interior = pass.incidence.is_interior(claimed.node);
    for (int j = team.first; j < claimed.elements(); j += team.size) {
      FanEntry own = fan[j];
      const bool stays = own.copy() < 0, leaves_block = interior && !stays;
      const Index node = stays ? claimed.node : live->nodes + before.copies + own.copy();
      const Index first_slot = leaves_block ? live->slots + before.slots : claimed.range.begin;
      if (leaves_block || own.slot() != j)
        give_slot(own.entry, first_slot + own.slot(), interior && stays, claimed.element);
      if (!stays) rename(own.entry / 8, static_cast<int>(own.entry % 8), node);
      if (own.group == j) begin_node(claimed, node, first_slot + own.slot(), fan, j);
    }
  }

  CLEAVE_HD void give_slot(Index entry, Index slot, bool interior, Index element) const {
    pass.incidence.entries(interior, element)[slot] = entry;
    slots.slot(entry / 8, static_cast<int>(entry % 8)) = interior ? -1 - slot : slot;
  }

  /// Node i of element e is `node` from now on, also in the rows of its cohesive facets.
  CLEAVE_HD void rename(Index e, int i, Index node) const {
    const ElementTable<Element>& elements = pass.elements;
    for (int k = 0; k < 3; ++k) {
      const int position = Element::facet_position(k, i);
      if (position < 0) continue;
      const Index code = elements.neighbour(e, k);
      if (!is_cohesive(code)) continue;
      const Index c = cohesive_of(code);
      if (elements.cohesive_facet(c, 0) == facet_code(e, k))
        elements.cohesive_node(c, 0, position) = node;
      else
        elements.cohesive_node(c, 1, Element::facet_nodes - 1 - position) = node;
    }
    elements.node(e, i) = node;
  }

  /// What the node of a group holds, whose first element is the one at `first`.
  CLEAVE_HD void begin_node(const ClaimedNode& claimed, Index node, Index slot, const FanEntry* fan, int first) const {
    Real m = 0;
    Index end = slot;
    for (int j = first; j < claimed.elements(); ++j) {
      if (fan[j].group != first) continue;
      m += Element::mass_fraction(static_cast<int>(fan[j].entry % 8)) * element_mass[fan[j].entry / 8];
      ++end;
    }
    const std::uint8_t flag = flags[claimed.node];
    if (node != claimed.node) {
      copy(claimed.node, node, flag & constrained_node);
      flags[node] = flag;
    }
    pass.range[node] = {slot, end};
    mass[node] = m;
    inverse_mass[node] = 1 / m;
    for (int l = 0; l < loads; ++l) load_force[static_cast<std::size_t>(l) * load_stride + node] = Vec2{};
    if (flag & loaded_node) atomic_write(*loaded, 1);
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

/// 1/m and flags of all nodes.
struct InverseMasses {
  static constexpr const char* name = "node constants";
  Index count;
  const Real* mass;
  const std::uint8_t* motion_x;
  const std::uint8_t* motion_y;
  int loads;
  const Vec2* load_force;  ///< [load][load_stride], N
  Index load_stride;
  Real* inverse_mass;   ///< [node], 1/kg
  std::uint8_t* flags;  ///< [node] NodeFlag

  CLEAVE_HD Index size() const { return count; }
  CLEAVE_HD void operator()(Index n) const {
    inverse_mass[n] = 1 / mass[n];
    int flag = motion_x[n] != 0 || motion_y[n] != 0 ? constrained_node : 0;
    for (int l = 0; l < loads; ++l) {
      const Vec2 f = load_force[static_cast<std::size_t>(l) * load_stride + n];
      if (f.x != 0 || f.y != 0) flag |= loaded_node;
    }
    flags[n] = static_cast<std::uint8_t>(flag);
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
