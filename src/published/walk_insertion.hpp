/// Insertion of cohesive elements by walks around nodes, in the coloured assembly: the facet is cut and the nodes that
/// this sets free are duplicated.
///
/// Elements of one launch have one colour, hence no common node: every thread reads and writes entries about its own
/// nodes and facets only, and a launch sees the result of those before it.
#pragma once

#include "body/node_copier.hpp"
#include "cleave/core/fault.hpp"
#include "cleave/lockstep/kernel.hpp"
#include "fracture/facet_list.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Source of new node ids. A copy lives in a slot; id = first + slot until `RenumberCopies` closes the gaps.
struct CopySlots {
  Index first;    ///< number of nodes before the pass
  Index facets;   ///< number of facets that break in the pass
  Index* origin;  ///< [slot] the node before the pass that the copy is one of
  Index* used;    ///< [slot] 1 when taken

  /// Takes a slot for a copy of `node`: `part` 0 and 1 are the facet's end nodes, 2 its mid-side node.
  CLEAVE_HD Index take(Index facet, int part, Index node) const {
    const Index slot = part * facets + facet;
    origin[slot] = node < first ? node : origin[node - first];
    used[slot] = 1;
    return first + slot;
  }
};

/// Cuts the facets of the elements of one colour in a list that is sorted by colour.
template <class Element>
struct InsertCohesive {
  static constexpr KernelTraits traits{.name = "insertion", .has_in_use = true};
  static constexpr int longest_walk = 4096;  ///< elements around a node; more means the table is broken
  ElementTable<Element> elements;
  ElementList list;               ///< elements with fractured facets
  const Index* first_facet;       ///< [list] number of fractured facets before this entry
  const std::uint8_t* fractured;  ///< [element] bit k: facet k breaks
  const Index* offsets;           ///< [colour] where its elements begin in the list
  int colour;
  Index first_cohesive;  ///< number of cohesive elements before the pass
  CopySlots copies;
  FaultRecord* fault;
  Step step;

  CLEAVE_HD Index size() const { return list.count; }
  CLEAVE_HD Index in_use() const { return offsets[colour + 1] - offsets[colour]; }
  CLEAVE_HD void operator()(Index i) const { cut_all(offsets[colour] + i); }

  CLEAVE_HD void cut_all(Index entry) const {
    const Index e = list[entry];
    Index facet = first_facet[entry];
    for (int k = 0; k < 3; ++k)
      if (fractured[e] >> k & 1) cut(e, k, facet++);
  }

  CLEAVE_HD void cut(Index e, int k, Index facet) const {
    const Index other = elements.neighbour(e, k);
    // Both ends before the facet is marked as cohesive: a walk from the far side must still cross it.
    for (int end = 0; end < 2; ++end) {
      const int corner = (k + 1 + end) % 3;
      if (!stays_joined(e, k, corner)) {
        const Index node = elements.node(e, corner);
        replace_along_walk(e, k, corner, copies.take(facet, end, node));
      }
    }
    if constexpr (Element::facet_nodes == 3) {
      Index& mid = elements.facet_node(e, k, 1);
      mid = copies.take(facet, 2, mid);
    }
    elements.neighbour(e, k) = cohesive_code(first_cohesive + facet, 0);
    elements.neighbour(element_of(other), facet_of(other)) = cohesive_code(first_cohesive + facet, 1);
  }

  /// A place on the walk around a node: an element, the node's corner in it, and the facet to leave through.
  struct Place {
    Index element;
    int corner;
    int exit;
  };
  /// Start of the walk around `corner` of e away from facet k.
  CLEAVE_HD static Place start(Index e, int k, int corner) { return {e, corner, 3 - corner - k}; }
  /// Crosses the exit facet; false at the boundary or at a cohesive element.
  CLEAVE_HD bool cross(Place& at) const {
    const Index next = elements.neighbour(at.element, at.exit);
    if (!is_intact(next)) return false;
    const int entry = facet_of(next);
    // The neighbour sees the shared facet in the opposite direction: its start is our end.
    const bool node_is_start = at.corner == (at.exit + 1) % 3;
    const int corner = node_is_start ? (entry + 2) % 3 : (entry + 1) % 3;
    at = {element_of(next), corner, 3 - corner - entry};
    return true;
  }

  /// True when the elements around the corner still connect both sides of facet k the other way round.
  CLEAVE_HD bool stays_joined(Index e, int k, int corner) const {
    const Index other = element_of(elements.neighbour(e, k));
    Place at = start(e, k, corner);
    for (int n = 0; n < longest_walk; ++n) {
      if (!cross(at)) return false;
      if (at.element == other) return true;
    }
    fault->report(FaultCode::endless_walk, e, step);
    return true;
  }

  CLEAVE_HD void replace_along_walk(Index e, int k, int corner, Index node) const {
    Place at = start(e, k, corner);
    do elements.node(at.element, at.corner) = node;
    while (cross(at));
  }
};

/// All colours of a short list in one launch: one block, with a barrier between colours.
template <class Element>
struct InsertColourByColour {
  static constexpr KernelTraits traits{.name = "insertion by colour"};
  static constexpr int workers = 256;
  static constexpr Index longest_list = 2048;
  struct Shared {};
  InsertCohesive<Element> insert;  ///< its colour is not used
  int colours;

  CLEAVE_HD Index blocks() const { return insert.list.count > 0 ? 1 : 0; }

  template <class Worker>
  CLEAVE_HD void operator()(Worker const& worker, Shared&) const {
    ForEachIdx each{worker};
    for (int c = 0; c < colours; ++c) {
      each([&](Idx i) {
        for (Index entry = insert.offsets[c] + i; entry < insert.offsets[c + 1]; entry += workers)
          insert.cut_all(entry);
      });
      worker.sync();
    }
  }
};

/// Gives copies their final ids, which have no gaps.
template <class Element>
struct RenumberCopies {
  static constexpr KernelTraits traits{.name = "copy numbering"};
  ElementTable<Element> elements;
  Index first;        ///< number of nodes before the pass
  const Index* rank;  ///< [slot in use] number of its copy in the pass

  CLEAVE_HD Index size() const { return elements.bulk; }
  CLEAVE_HD void operator()(Index e) const {
    for (int slot = 0; slot < Element::nodes; ++slot) {
      Index& node = elements.node(e, slot);
      if (node >= first) node = first + rank[node - first];
    }
  }
};

/// Fills the copies of a pass.
struct CopyNodes {
  static constexpr KernelTraits traits{.name = "node copies"};
  Index slots;
  Index first;          ///< number of nodes before the pass
  const Index* used;    ///< [slot]
  const Index* rank;    ///< [slot]
  const Index* origin;  ///< [slot]
  NodeCopier copy;

  CLEAVE_HD Index size() const { return slots; }
  CLEAVE_HD void operator()(Index slot) const {
    if (!used[slot]) return;
    const Index from = origin[slot], to = first + rank[slot];
    copy(from, to, true);
  }
};

/// Start of each colour in a list of elements that is sorted by colour.
struct ColourOffsets {
  static constexpr KernelTraits traits{.name = "colour offsets"};
  int colours;
  const Index* list;
  const Index* count;    ///< of its elements, in solver memory
  const int* colour_of;  ///< [element]
  Index* offsets;        ///< [colours + 1]

  CLEAVE_HD Index size() const { return colours + 1; }
  CLEAVE_HD void operator()(Index colour) const {
    Index low = 0, high = *count;
    while (low < high) {
      const Index middle = low + (high - low) / 2;
      if (colour_of[list[middle]] < colour)
        low = middle + 1;
      else
        high = middle;
    }
    offsets[colour] = low;
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
