/// Which elements every node has, in the gather assembly.
#pragma once

#include "kernels/gather_table.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// An incidence: node i of element e as one number.
CLEAVE_HD constexpr Index incidence_entry(Index e, int i) { return 8 * e + i; }
CLEAVE_HD constexpr Index element_of_entry(Index entry) { return entry >> 3; }
CLEAVE_HD constexpr int node_of_entry(Index entry) { return static_cast<int>(entry & 7); }

/// Which element nodes every node is, as incidence entries. They lie where the forces of these elements do
/// (ElementNode), in the order in which the elements follow each other around the node.
template <class Element>
struct IncidenceTable {
  static constexpr Index per_block = elements_per_block * Element::nodes;
  Index* block_entries;      ///< [block][slot in shared memory]
  Index* interface_entries;  ///< [slot in memory]
  Index first_interface;     ///< nodes before it have their slots in shared memory

  CLEAVE_HD bool is_interior(Index node) const { return node < first_interface; }
  /// The entries of the block of `element`, or those in memory.
  CLEAVE_HD Index* entries(bool in_block, Index element) const {
    return in_block ? block_entries + element / elements_per_block * per_block : interface_entries;
  }
};

/// Fills the incidence table from the slots.
template <class Element>
struct ListIncidence {
  static constexpr const char* name = "incidence";
  ElementTable<Element> elements;
  IncidenceTable<Element> incidence;

  CLEAVE_HD Index size() const { return elements.bulk; }
  CLEAVE_HD void operator()(Index e) const {
    for (int i = 0; i < Element::nodes; ++i) {
      const Slot at = elements.slot(e, i);
      incidence.entries(at.in_block(), e)[at.position()] = incidence_entry(e, i);
    }
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
