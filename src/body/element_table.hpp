/// The element table: a row for each bulk element, a row for each cohesive element.
#pragma once

#include <limits>

#include "cleave/core/atomic.hpp"
#include "cleave/core/table.hpp"
#include "cleave/mesh/element.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// The place of an element at a node, in the gather assembly. Elements at a node have theirs in the order in which they
/// follow each other around it. They write stresses there: a block slot lies in the shared memory of the element's
/// block, an interface slot in memory. Forces have slots of their own, see PackedBlocks.
struct Slot {
  Index code = 0;  ///< position of an interface slot; -1 - position of a block slot

  CLEAVE_HD static constexpr Slot of_interface(Index position) { return {position}; }
  CLEAVE_HD static constexpr Slot of_block(Index position) { return {-1 - position}; }
  CLEAVE_HD constexpr bool in_block() const { return code < 0; }
  CLEAVE_HD constexpr Index position() const { return in_block() ? -1 - code : code; }
  /// Sets the value of the slot. Each kind has a store of its own: a GPU takes several times as long for one through
  /// an address that may be in either memory.
  template <class T>
  CLEAVE_HD_INLINE void set(T* block_slots, T* interface_slots, const T& value) const {
    if (in_block())
      block_slots[-1 - code] = value;
    else
      interface_slots[code] = value;
  }
  /// Adds to it.
  template <class T>
  CLEAVE_HD_INLINE void add(T* block_slots, T* interface_slots, const T& value) const {
    if (in_block())
      block_slots[-1 - code] += value;
    else
      interface_slots[code] += value;
  }
};

/// The same memory for a CPU, where one address is as good as another: chosen without a branch, which would be
/// mispredicted too often.
template <class T>
struct SlotMemory {
  T* of_kind[2];  ///< interface slots, block slots

  CLEAVE_HD_INLINE T& operator[](Slot slot) const {
    const auto all_if_block = static_cast<std::uint32_t>(slot.code >> 31);
    return of_kind[all_if_block & 1u][static_cast<std::uint32_t>(slot.code) ^ all_if_block];
  }
};

/// A node of a bulk element with the element's slot at it. In a file: the node alone, see SlotsOfSectors.
struct alignas(2 * sizeof(Index)) ElementNode {
  Index node = 0;
  Slot slot{};
  ElementNode in_file() const { return {node, {}}; }
};

/// Sources of force on an element's nodes besides its volume.
enum class ElementFlag : std::uint8_t { cohesive_sides = 1, loaded_facets = 2, eroded = 4 };
CLEAVE_HD constexpr bool operator&(std::uint8_t flags, ElementFlag flag) {
  return (flags & static_cast<std::uint8_t>(flag)) != 0;
}
CLEAVE_HD constexpr std::uint8_t& operator|=(std::uint8_t& flags, ElementFlag flag) {
  return flags |= static_cast<std::uint8_t>(flag);
}
/// Sets a flag that other workers may set at the same time. No worker changes another flag meanwhile.
CLEAVE_HD inline void set_flag(std::uint8_t& flags, ElementFlag flag) {
  atomic_write(flags, static_cast<std::uint8_t>(atomic_read(flags) | static_cast<std::uint8_t>(flag)));
}

/// Bulk elements that follow each other.
struct ElementRange {
  Index begin = 0;
  Index end = 0;
  CLEAVE_HD Index size() const { return end - begin; }
  CLEAVE_HD bool has(Index e) const { return e >= begin && e < end; }
};
inline constexpr ElementRange all_elements{0, std::numeric_limits<Index>::max()};

/// A cohesive row: the facet nodes of side a (the smaller bulk id) in its counter-clockwise order, then those of side b
/// that face them, then the facet codes of both sides.
template <class Element>
struct alignas(Element::facet_nodes == 3 ? 32 : 8) CohesiveRow {
  Index nodes[2][Element::facet_nodes];
  Index facets[2];

  /// Whether one of the two triangles is among those.
  CLEAVE_HD bool touches(ElementRange range) const {
    return range.has(element_of(facets[0])) || range.has(element_of(facets[1]));
  }
};

/// View of the element table: a bulk row is its nodes, its 3 neighbour entries (facet.hpp) and its mass. Each lies by
/// itself, as steps read the nodes of all elements, and insertion the rest of some.
template <class Element>
struct ElementTable {
  using Nodes = Table<ElementNode, Element::nodes, 32>;  ///< interleaved: a warp reads one node of each element at once
  using Neighbours = Table<Index, Element::facets>;
  Nodes nodes{};
  Neighbours neighbours{};
  Real* masses = nullptr;  ///< [element], kg
  CohesiveRow<Element>* cohesive_rows = nullptr;
  Index bulk = 0;  ///< number of bulk elements

  CLEAVE_HD ElementNode& entry(Index e, int i) const { return nodes(e, i); }
  CLEAVE_HD Index& node(Index e, int i) const { return nodes(e, i).node; }
  CLEAVE_HD Slot& slot(Index e, int i) const { return nodes(e, i).slot; }
  CLEAVE_HD Index& neighbour(Index e, int facet) const { return neighbours(e, facet); }
  CLEAVE_HD Real& mass(Index e) const { return masses[e]; }

  CLEAVE_HD Index& cohesive_node(Index c, int side, int i) const { return cohesive_rows[c].nodes[side][i]; }
  CLEAVE_HD Index& cohesive_facet(Index c, int side) const { return cohesive_rows[c].facets[side]; }

  /// Node i of facet k of a bulk element, in its counter-clockwise order.
  CLEAVE_HD Index& facet_node(Index e, int k, int i) const { return node(e, Element::facet_slot(k, i)); }

  /// Values of the corners at the start and the end of a facet.
  template <class T>
  CLEAVE_HD T at_start(Index e, int k, const T* nodal) const {
    return nodal[facet_node(e, k, 0)];
  }
  template <class T>
  CLEAVE_HD T at_end(Index e, int k, const T* nodal) const {
    return nodal[facet_node(e, k, Element::facet_nodes - 1)];
  }
  /// Copies values of the nodes of an element, such as their positions.
  template <class T>
  CLEAVE_HD void gather(Index e, const T* nodal, T (&local)[Element::nodes]) const {
    for (int i = 0; i < Element::nodes; ++i) local[i] = nodal[node(e, i)];
  }
  /// Copies values of the nodes of a facet.
  template <class T>
  CLEAVE_HD void gather_facet(Index e, int k, const T* nodal, T (&local)[Element::facet_nodes]) const {
    for (int i = 0; i < Element::facet_nodes; ++i) local[i] = nodal[facet_node(e, k, i)];
  }
};

/// The elements of one colour, or any other list of bulk elements.
struct ElementList {
  const Index* ids = nullptr;
  Index count = 0;
  CLEAVE_HD Index in_use() const { return count; }
  CLEAVE_HD Index operator[](Index i) const { return ids[i]; }
};
/// The elements of one colour in a list that is sorted by colour, whose ranges lie in solver memory.
struct ColourOfList {
  const Index* ids;
  const Index* offsets;  ///< [colour] where its elements begin
  int colour;
  Index count;  ///< at most so many

  CLEAVE_HD Index in_use() const { return offsets[colour + 1] - offsets[colour]; }
  CLEAVE_HD Index operator[](Index i) const { return ids[offsets[colour] + i]; }
};

/// How elements add to their nodes: plainly when no two elements of a launch share a node, atomically otherwise.
template <bool Atomic>
struct Scatter {
  static constexpr bool atomic = Atomic;
  CLEAVE_HD static void add(Real& target, Real value) {
    if constexpr (Atomic)
      atomic_add(target, value);
    else
      target += value;
  }
  CLEAVE_HD static void add(Vec2& target, Vec2 value) {
    add(target.x, value.x);
    add(target.y, value.y);
  }
  /// The same in two parts, so that a worker reads the old value before it has the summand: `fetch` returns the old
  /// value, `put` takes the sum.
  template <class T>
  CLEAVE_HD static T fetch(const T& target) {
    if constexpr (Atomic) return T{};
    return target;
  }
  template <class T>
  CLEAVE_HD static void put(T& target, T fetched, T sum) {
    if constexpr (Atomic)
      add(target, sum - fetched);
    else
      target = sum;
  }
};
using ColouredScatter = Scatter<false>;
using AtomicScatter = Scatter<true>;

}  // namespace cleave::inline CLEAVE_PRECISION
