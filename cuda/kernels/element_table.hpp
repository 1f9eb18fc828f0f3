/// The element table: one array of rows, bulk elements first, cohesive elements right after.
#pragma once

#include "cleave/core/atomic.hpp"
#include "cleave/core/table.hpp"
#include "cleave/mesh/element.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Where the entries of a row lie. Nodes of 32 elements are interleaved, so that a warp reads one of each at once; the
/// entries behind them, which are read here and there, lie together.
template <class Element>
struct ElementRows {
  static constexpr int block = 32, interleaved = Element::nodes, together = Element::row - interleaved;
  Index* data = nullptr;

  CLEAVE_HD Index& operator()(Index row, int entry) const {
    return entry < interleaved ? node(row, entry) : rest(row)[entry - interleaved];
  }
  CLEAVE_HD Index& node(Index row, int i) const {
    const auto r = static_cast<std::uint32_t>(row);
    return data[static_cast<std::size_t>(r / block) * block * Element::row + i * block + r % block];
  }
  /// The entries behind the nodes.
  CLEAVE_HD Index* rest(Index row) const {
    const auto r = static_cast<std::uint32_t>(row);
    return data + static_cast<std::size_t>(r / block) * block * Element::row + interleaved * block +
           r % block * together;
  }
  /// Number of entries to store `rows` rows.
  static constexpr std::size_t extent(Index rows) {
    return (static_cast<std::size_t>(rows) + block - 1) / block * block * Element::row;
  }
};

/// View of the element table. Bulk row: the nodes, then the 3 neighbour entries (facet.hpp).
/// Cohesive row: the facet nodes of side a (the smaller bulk id) in its counter-clockwise order, then those of side b
/// that face them, then the facet codes of both sides.
template <class Element>
struct ElementTable {
  ElementRows<Element> rows;  ///< shape [bulk + cohesive][row]
  Index bulk = 0;             ///< number of bulk elements

  CLEAVE_HD Index& node(Index e, int slot) const { return rows.node(e, slot); }
  CLEAVE_HD Index& neighbour(Index e, int facet) const { return rows.rest(e)[facet]; }

  CLEAVE_HD Index& cohesive_node(Index c, int side, int i) const {
    return rows(bulk + c, side * Element::facet_nodes + i);
  }
  CLEAVE_HD Index& cohesive_facet(Index c, int side) const { return rows(bulk + c, 2 * Element::facet_nodes + side); }

  /// Node i of facet k of a bulk element, in its counter-clockwise order.
  CLEAVE_HD Index& facet_node(Index e, int k, int i) const { return node(e, Element::facet_slot(k, i)); }

  /// Copies what the nodes of an element hold, e.g. their positions.
  template <class T>
  CLEAVE_HD void gather(Index e, const T* nodal, T (&local)[Element::nodes]) const {
    for (int i = 0; i < Element::nodes; ++i) local[i] = nodal[node(e, i)];
  }
  /// Copies what the nodes of a facet hold.
  template <class T>
  CLEAVE_HD void gather_facet(Index e, int k, const T* nodal, T (&local)[Element::facet_nodes]) const {
    for (int i = 0; i < Element::facet_nodes; ++i) local[i] = nodal[facet_node(e, k, i)];
  }
};

/// The elements of one colour, or any other list of bulk elements.
struct ElementList {
  const Index* ids = nullptr;
  Index count = 0;
  CLEAVE_HD Index operator[](Index i) const { return ids[i]; }
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
};
using ColouredScatter = Scatter<false>;
using AtomicScatter = Scatter<true>;

}  // namespace cleave::inline CLEAVE_PRECISION
