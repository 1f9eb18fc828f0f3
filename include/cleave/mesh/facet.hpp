/// Facet codes: one integer names a facet, or tells what lies behind it.
///
/// Facet k of a triangle is OPPOSITE corner k. Facet k of element e has the code 3e + k >= 0.
///
///               2            corners in counter-clockwise order
///              / \           facets opposite to them
///     facet 1 /   \ facet 0
///            /  e  \         facet k has the code 3e + k
///           0-------1
///            facet 2
///
/// An entry of Mesh::neighbours, at the place of a facet's code, tells what lies behind the facet:
///     >= 0    another element: the code of the same facet in that element
///     -1      the outside: the facet is on the boundary
///     <= -2   cohesive element c, of which the facet is side s (0: a, 1: b): -2 - (2c + s)
///
/// Example: facet 1 of element 4 (code 13) is facet 2 of element 7 (code 23).
///     intact                              neighbours[13] = 23    neighbours[23] = 13
///     broken, with cohesive element 5     neighbours[13] = -12   neighbours[23] = -13
#pragma once

#include "cleave/core/types.hpp"

namespace cleave {

/// Neighbour entry of a facet on the boundary of the body, including notches.
inline constexpr Index boundary_facet = -1;

inline constexpr int facets_per_element = 3;

CLEAVE_HD constexpr Index facet_code(Index element, int facet) { return facets_per_element * element + facet; }
CLEAVE_HD constexpr Index element_of(Index code) {
  return static_cast<Index>(static_cast<std::uint32_t>(code) / facets_per_element);
}
CLEAVE_HD constexpr int facet_of(Index code) {
  return static_cast<int>(static_cast<std::uint32_t>(code) % facets_per_element);
}

/// Neighbour entry of the facet that is side `side` (0: a, 1: b) of cohesive element `c`, and the inverse functions.
CLEAVE_HD constexpr Index cohesive_code(Index c, int side) { return -2 - (2 * c + side); }
CLEAVE_HD constexpr bool is_cohesive(Index code) { return code <= -2; }
CLEAVE_HD constexpr Index cohesive_of(Index code) { return (-2 - code) >> 1; }
CLEAVE_HD constexpr int cohesive_side_of(Index code) { return static_cast<int>(-2 - code) & 1; }

/// True if the facet still joins two bulk elements.
CLEAVE_HD constexpr bool is_intact(Index code) { return code >= 0; }

}  // namespace cleave
