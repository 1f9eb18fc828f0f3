/// The elements of every node, in the gather assembly.
#pragma once

#include "body/gather_table.hpp"
#include "cleave/lockstep/kernel.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// An incidence: node i of element e as one number. It uses all bits of an Index, so it may be negative.
CLEAVE_HD constexpr Index incidence_entry(Index e, int i) {
  return static_cast<Index>(8 * static_cast<std::uint32_t>(e) + static_cast<std::uint32_t>(i));
}
CLEAVE_HD constexpr Index element_of_entry(Index entry) {
  return static_cast<Index>(static_cast<std::uint32_t>(entry) >> 3);
}
CLEAVE_HD constexpr int node_of_entry(Index entry) { return static_cast<int>(entry & 7); }

/// The place where a copy of a node was made, as one number: a cohesive element, and its mid-side or one of its ends.
struct CopyMaker {
  static constexpr Index at_mid_side = 0, at_start = 1;  ///< the end follows
  CLEAVE_HD static constexpr Index of(Index cohesive, Index place) { return 3 * cohesive + place; }
  CLEAVE_HD static constexpr Index cohesive(Index maker) { return maker / 3; }
  CLEAVE_HD static constexpr Index place(Index maker) { return maker % 3; }
};

/// Incidence entries of every node. They lie where the stresses of these elements do (Slot), in the order in which the
/// elements follow each other around the node.
template <class Element>
struct IncidenceTable {
  Index* block_entries;      ///< [block slot]
  Index* interface_entries;  ///< [slot in memory]
  Index first_interface;     ///< nodes before it have their slots in shared memory

  CLEAVE_HD bool is_interior(Index node) const { return node < first_interface; }
  /// Entries by slot of a node.
  CLEAVE_HD Index* entries_of(Index node) const { return is_interior(node) ? block_entries : interface_entries; }
  /// The slot with that number, as elements of that node have it.
  CLEAVE_HD Slot slot_of(Index node, Index number) const {
    return is_interior(node) ? Slot::of_block(number % slots_per_block<Element>) : Slot::of_interface(number);
  }
};

/// Fills the incidence table from the slots.
template <class Element>
struct ListIncidence {
  static constexpr KernelTraits traits{.name = "incidence"};
  ElementTable<Element> elements;
  IncidenceTable<Element> incidence;
  const NodeAssembly* assembly;  ///< [node]

  CLEAVE_HD Index size() const { return elements.bulk; }
  CLEAVE_HD void operator()(Index e) const {
    for (int i = 0; i < Element::nodes; ++i) {
      const ElementNode own = elements.entry(e, i);
      const Index block_start = assembly[own.node].first_slot / slots_per_block<Element> * slots_per_block<Element>;
      const Index number = own.slot.position() + (own.slot.in_block() ? block_start : 0);
      incidence.entries_of(own.node)[number] = incidence_entry(e, i);
    }
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
