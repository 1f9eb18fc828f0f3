/// Insertion in the gather assembly, first part: facets are cut.
#pragma once

#include "cleave/core/record.hpp"
#include "cleave/lockstep/kernel.hpp"
#include "kernels/incidence.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// What a node of a cut facet needs: new nodes, and slots in memory for elements that leave an interior node. Both in
/// one word: they are added up together, and words faster than records.
using SplitCount = unsigned long long;
CLEAVE_HD constexpr SplitCount split_count(Index copies, Index slots) {
  return static_cast<SplitCount>(slots) << 32 | static_cast<SplitCount>(copies);
}
CLEAVE_HD constexpr Index copies_of(SplitCount count) { return static_cast<Index>(count & 0xFFFFFFFF); }
CLEAVE_HD constexpr Index slots_of(SplitCount count) { return static_cast<Index>(count >> 32); }

/// An element around a claimed node, and where it goes.
struct alignas(sizeof(Real) == 8 ? 16 : 4) FanEntry {
  using Position = std::uint8_t;
  static constexpr int most = most_elements_at_node;
  static constexpr Position stays = most;
  Index entry = 0;       ///< see IncidenceTable
  Position slot = 0;     ///< among those of the node, or among those that leave an interior node
  Position copy = 0;     ///< which copy of the node gets it; `stays`: none
  Position members = 0;  ///< of its group, if it is the first one of it
  Real mass = 0;         ///< what its group gives to the node, if it is the first one of it, kg

  CLEAVE_HD bool is_first() const { return members != 0; }
};

/// The neighbour entries of its facets at the claimed node: that through which the element is left counter-clockwise,
/// and the other.
struct alignas(2 * sizeof(Index)) FanSides {
  Index behind[2];
};

/// The node of a claim; without slots if it does not split, or an earlier claim has it.
struct alignas(16) ClaimedNode {
  Index node;
  Index element;        ///< one of its elements
  Index first_slot;     ///< before the pass
  std::uint16_t slots;  ///< likewise
  std::uint16_t flags;  ///< NodeFlag
};

/// The facets of a pass and their nodes. Facet node `facet * facet_nodes + part` is node `part` of cohesive element
/// `first_cohesive + facet`, side a. Claim `2 * facet + end` is that of one end of a facet; of several claims of
/// a corner the first counts. Mid-sides have one facet only, and nobody to share it with.
template <class Element>
struct SplitPass {
  static constexpr int parts = Element::facet_nodes;
  static constexpr bool has_mid_sides = parts == 3;
  ElementTable<Element> elements;
  IncidenceTable<Element> incidence;
  NodeConstants* constants;  ///< [node]
  Index facets;
  Index first_cohesive;  ///< number of cohesive elements before the pass
  int most_elements;     ///< at one node
  ClaimedNode* claimed;  ///< [claim]
  FanEntry* fans;        ///< [claim][most_elements]
  FanSides* fan_sides;   ///< likewise
  SplitCount* count;     ///< [facet node]
  SplitCount* first;     ///< [facet] what facets before it need, then what all do
  Index* origin;         ///< [copy] the node that it is one of

  CLEAVE_HD Index facet_nodes() const { return parts * facets; }
  CLEAVE_HD Index node_of(Index facet, int part) const {
    return elements.cohesive_node(first_cohesive + facet, 0, part);
  }
  CLEAVE_HD Index claims() const { return 2 * facets; }
  CLEAVE_HD static Index facet_of_claim(Index at) { return at / 2; }
  CLEAVE_HD static int part_of_claim(Index at) { return static_cast<int>(at % 2) * (parts - 1); }
  CLEAVE_HD static Index facet_node_of_claim(Index at) { return facet_of_claim(at) * parts + part_of_claim(at); }
  CLEAVE_HD Index node_of_claim(Index at) const { return node_of(facet_of_claim(at), part_of_claim(at)); }
  CLEAVE_HD FanEntry* fan_of(Index at) const { return fans + static_cast<std::size_t>(at) * most_elements; }
  CLEAVE_HD FanSides* fan_sides_of(Index at) const { return fan_sides + static_cast<std::size_t>(at) * most_elements; }

  /// What the first parts of a facet need together, ...
  CLEAVE_HD SplitCount needs(Index facet, int parts_of_it) const {
    SplitCount sum = 0;
    for (int part = 0; part < parts_of_it; ++part) sum += count[facet * parts + part];
    return sum;
  }
  /// ... and with all facets before it.
  CLEAVE_HD SplitCount before(Index facet, int part) const { return first[facet] + needs(facet, part); }
};

/// What each facet needs, for a scan.
template <class Element>
struct FacetNeeds {
  SplitPass<Element> pass;
  CLEAVE_HD SplitCount operator()(Index facet) const { return facet < pass.facets ? pass.needs(facet, pass.parts) : 0; }
};

/// Numbers new nodes and slots in the order of an atomic counter instead of that of the facets.
template <class Element>
struct NumberByCounter {
  static constexpr const char* name = "counter";
  SplitPass<Element> pass;

  CLEAVE_HD Index size() const { return pass.facets; }
  CLEAVE_HD void operator()(Index facet) const {
    pass.first[facet] = atomic_add(pass.first[pass.facets], pass.needs(facet, pass.parts));
  }
};

/// Cuts facets: both sides still have the same nodes.
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
    if (facet == 0 && team.first == 0) pass.first[pass.facets] = 0;
    const ElementTable<Element>& elements = pass.elements;
    const Index c = pass.first_cohesive + facet, code = elements.cohesive_facet(c, 0);
    for (int part = team.first; part < pass.parts; part += team.size) {
      const Index node = elements.facet_node(element_of(code), facet_of(code), part);
      elements.cohesive_node(c, 0, part) = elements.cohesive_node(c, 1, part) = node;
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
    for (int side = 0; side < 2 && n == 0; ++side) {
      const Index e = element_of(elements.cohesive_facet(pass.first_cohesive + facet, side));
      fetch_line(elements.neighbour(e, 0));
      fetch_line(touches[e]);
    }
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
