/// Forces on the sides of elements behind which a cohesive element lies.
///
/// Terms that act between faces write them in each step, before the element blocks, which add them up and know nothing
/// of laws, couples or pressures. Loads on the boundary are no rows: a launch that wrote them would take a fifth of a
/// step of a small body.
///
///             o k = 2   o
///     e, left |         | f, right     row 2c:     side a, e's nodes of the facet in their order
///             o k = 0   o              row 2c + 1: side b, f's nodes of the facet in reverse order
#pragma once

#include <cstddef>

#include "body/element_table.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Forces on two nodes that lie opposite each other on sides a and b, N, with the sign of internal forces.
struct NodePair {
  Vec2 a, b;
};

/// The rows of a body. Node k of both sides of a cohesive element lie opposite each other.
template <class Element>
struct SideTable {
  static constexpr int nodes = Element::facet_nodes;
  Vec2* force = nullptr;  ///< [cohesive][side][k], N, with the sign of internal forces

  CLEAVE_HD Vec2* row(Index cohesive, int side) const {
    return force + nodes * (2 * static_cast<std::ptrdiff_t>(cohesive) + side);
  }
  CLEAVE_HD_INLINE void set(Index cohesive, int k, const NodePair& pair) const {
    row(cohesive, 0)[k] = pair.a;
    row(cohesive, 1)[k] = pair.b;
  }
  CLEAVE_HD_INLINE NodePair at(Index cohesive, int k) const { return {row(cohesive, 0)[k], row(cohesive, 1)[k]}; }

  /// Prefetches the row of a side.
  /// @param code  of the cohesive side, see is_cohesive
  CLEAVE_HD void fetch_lines(Index code) const {
    const Vec2* const first = row(cohesive_of(code), cohesive_side_of(code));
    fetch_line(first[0]);
    fetch_line(first[nodes - 1]);
  }
  /// Adds the rows of element e's sides to its nodal forces.
  CLEAVE_HD void add(const ElementTable<Element>& elements, Index e, Vec2 (&f)[Element::nodes]) const {
    const Index behind[Element::facets] = {elements.neighbour(e, 0), elements.neighbour(e, 1),
                                           elements.neighbour(e, 2)};
    CLEAVE_UNROLL
    for (int m = 0; m < Element::facets; ++m) {
      if (!is_cohesive(behind[m])) continue;
      const bool side_a = cohesive_side_of(behind[m]) == 0;
      const Vec2* const of_side = row(cohesive_of(behind[m]), side_a ? 0 : 1);
      // Two lines with places that the compiler knows, so that f stays in registers.
      for (int k = 0; k < nodes; ++k)
        if (side_a)
          f[Element::facet_slot(m, k)] += of_side[k];
        else
          f[Element::facet_slot(m, nodes - 1 - k)] += of_side[k];
    }
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
