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

/// An element node, and the position of the first one of its group.
struct GroupedEntry {
  Index entry;
  Index group;
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
  GroupedEntry* group;   ///< [claim][most_elements]
  SplitCount* count;     ///< [claim], and zero behind them
  SplitCount* first;     ///< [claim] sums of the counts before it, and of all

  CLEAVE_HD Index claims() const { return facets * Element::facet_nodes; }
  /// A node, and an element that it belongs to.
  struct Place {
    Index node;
    Index element;
  };
  CLEAVE_HD Place place(Index at) const {
    const Index code = elements.cohesive_facet(first_cohesive + at / Element::facet_nodes, 0);
    return {elements.facet_node(element_of(code), facet_of(code), static_cast<int>(at % Element::facet_nodes)),
            element_of(code)};
  }
};

/// Cuts facets: writes the cohesive rows, both sides still with the same nodes, and claims these.
template <class Element>
struct CutFacets {
  static constexpr const char* name = "insertion";
  ElementList list;               ///< elements with fractured facets
  const Index* first_facet;       ///< [list] number of fractured facets before this entry
  const std::uint8_t* fractured;  ///< [element] bit k: facet k breaks
  std::uint8_t* touches;          ///< [element] 1 when a facet of it is cohesive
  SplitPass<Element> pass;

  CLEAVE_HD Index size() const { return list.count; }
  CLEAVE_HD void operator()(Index entry) const {
    if (entry == 0) pass.first[pass.claims()] = {};
    const Index e = list[entry];
    Index facet = first_facet[entry];
    for (int k = 0; k < 3; ++k)
      if (fractured[e] >> k & 1) cut(e, k, facet++);
  }
  CLEAVE_HD void cut(Index e, int k, Index facet) const {
    const ElementTable<Element>& elements = pass.elements;
    const Index other = elements.neighbour(e, k), c = pass.first_cohesive + facet;
    elements.cohesive_facet(c, 0) = facet_code(e, k);
    elements.cohesive_facet(c, 1) = other;
    elements.neighbour(e, k) = elements.neighbour(element_of(other), facet_of(other)) = cohesive_code(c);
    touches[e] = touches[element_of(other)] = 1;
    for (int part = 0; part < Element::facet_nodes; ++part) {
      const Index node = elements.facet_node(e, k, part);
      elements.cohesive_node(c, 0, part) = node;
      elements.cohesive_node(c, 1, part) = node;
      atomic_min(pass.claim[node], facet * Element::facet_nodes + part);
    }
  }
};

/// Groups the elements of claimed nodes by the facets that still join them.
template <class Element>
struct GroupElements {
  static constexpr const char* name = "groups around nodes";
  SplitPass<Element> pass;

  CLEAVE_HD Index size() const { return pass.claims() + 1; }
  CLEAVE_HD void operator()(Index at) const {
    pass.count[at] = {};
    if (at == pass.claims()) return;
    const auto [node, element] = pass.place(at);
    if (pass.claim[node] != at) return;
    const bool interior = pass.incidence.is_interior(node);
    const SlotRange range = pass.range[node];
    const Index* entries = pass.incidence.entries(interior, element) + range.begin;
    const Index number = range.end - range.begin;
    GroupedEntry* group = pass.group + static_cast<std::size_t>(at) * pass.most_elements;
    for (Index j = 0; j < number; ++j) group[j] = {entries[j], j};
    if (!is_mid_side(at)) {
      for (Index j = 0; j < number; ++j) join_neighbours(group, number, j);
    }

    SplitCount count;
    for (Index j = 0; j < number; ++j) {
      const bool stays = group[j].group == group[number - 1].group;
      if (!stays && group[j].group == j) ++count.copies;
      if (!stays && interior) ++count.slots;
    }
    pass.count[at] = count;
    if (pass.by_counter && count.copies > 0) {
      SplitCount& all = pass.first[pass.claims()];
      pass.first[at] = {atomic_add(all.copies, count.copies), atomic_add(all.slots, count.slots)};
    }
  }

  /// Nothing else than the cut facet joins the two elements of a mid-side node.
  CLEAVE_HD static bool is_mid_side(Index at) { return Element::facet_nodes == 3 && at % 3 == 1; }

  CLEAVE_HD void join_neighbours(GroupedEntry* group, Index number, Index j) const {
    const Index e = group[j].entry / 8;
    const int corner = static_cast<int>(group[j].entry % 8);
    for (int side = 1; side <= 2; ++side) {
      const Index code = pass.elements.neighbour(e, (corner + side) % 3);
      if (!is_intact(code) || element_of(code) < e) continue;  // each pair once
      for (Index other = j + 1; other < number; ++other) {
        if (group[other].entry / 8 != element_of(code)) continue;
        const Index a = group[j].group, b = group[other].group, low = a < b ? a : b, high = a < b ? b : a;
        for (Index m = 0; m < number && low != high; ++m)
          if (group[m].group == high) group[m].group = low;
      }
    }
  }
};

/// Gives every group of a claimed node its node and its slots, and cohesive rows their nodes. The group of the
/// largest element keeps the node.
template <class Element>
struct SplitNodes {
  static constexpr const char* name = "node duplication";
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
  CLEAVE_HD void operator()(Index at) const {
    const auto [node, element] = pass.place(at);
    if (pass.claim[node] != at) return;
    pass.claim[node] = SplitPass<Element>::unclaimed;
    const bool interior = pass.incidence.is_interior(node);
    const SlotRange range = pass.range[node];
    const Index number = range.end - range.begin;
    const GroupedEntry* group = pass.group + static_cast<std::size_t>(at) * pass.most_elements;
    const Index kept = group[number - 1].group;

    if (pass.count[at].copies == 0) return;
    const SplitCount before = pass.first[at];
    Index next = live->nodes + before.copies;
    // Slots in memory are shared out; elements that leave an interior node get new ones behind all others.
    Index begin = interior ? live->slots + before.slots : range.begin;
    if (flags[node] & loaded_node) {
      atomic_write(*loaded, 1);
      forget_loads(node);
    }
    for (Index g = 0; g < number; ++g) {
      if (group[g].group != g || g == kept) continue;
      copy(node, next);
      forget_loads(next);
      flags[next] = flags[node];
      begin = assign(group, number, g, next++, begin, false, element);
    }
    assign(group, number, kept, node, interior ? range.begin : begin, interior, element);
  }

  CLEAVE_HD void forget_loads(Index node) const {
    for (int l = 0; l < loads; ++l) load_force[static_cast<std::size_t>(l) * load_stride + node] = Vec2{};
  }

  /// Makes the elements of a group those of `node`, with slots from `begin` on; returns the slot behind them.
  CLEAVE_HD Index assign(const GroupedEntry* group, Index number, Index g, Index node, Index begin, bool interior,
                         Index element) const {
    Index* entries = pass.incidence.entries(interior, element);
    Real m = 0;
    Index at = begin;
    for (Index j = 0; j < number; ++j) {
      if (group[j].group != g) continue;
      const Index e = group[j].entry / 8;
      const int i = static_cast<int>(group[j].entry % 8);
      entries[at] = group[j].entry;
      slots.slot(e, i) = interior ? -1 - at : at;
      m += Element::mass_fraction(i) * element_mass[e];
      if (g != group[number - 1].group) rename(e, i, node);
      ++at;
    }
    pass.range[node] = {begin, at};
    mass[node] = m;
    inverse_mass[node] = 1 / m;
    return at;
  }

  /// Node i of element e is `node` from now on, also in the rows of its cohesive facets.
  CLEAVE_HD void rename(Index e, int i, Index node) const {
    const ElementTable<Element>& elements = pass.elements;
    elements.node(e, i) = node;
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
struct NodeConstants {
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
