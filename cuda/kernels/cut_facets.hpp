/// Insertion in the gather assembly, first part: facets are cut, and their nodes claimed.
#pragma once

#include "cleave/lockstep/kernel.hpp"
#include "kernels/incidence.hpp"

namespace cleave::inline CLEAVE_PRECISION {

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

}  // namespace cleave::inline CLEAVE_PRECISION
