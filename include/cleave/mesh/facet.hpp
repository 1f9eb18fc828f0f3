/// How one integer says what lies behind a facet of a bulk element.
///
/// Facet k of a triangle is the one OPPOSITE corner k. The pair (element e, facet k) is the code 3e + k >= 0.
/// A neighbour entry holds the code of the facet on the other side, or says that there is none.
#pragma once

#include "cleave/core/types.hpp"

namespace cleave {

/// Neighbour entry of a facet on the boundary of the body (a notch is boundary too).
inline constexpr Index boundary_facet = -1;

CLEAVE_HD constexpr Index facet_code(Index element, int facet) { return 3 * element + facet; }
CLEAVE_HD constexpr Index element_of(Index code) { return static_cast<Index>(static_cast<std::uint32_t>(code) / 3); }
CLEAVE_HD constexpr int facet_of(Index code) { return static_cast<int>(static_cast<std::uint32_t>(code) % 3); }

/// Neighbour entry of a facet behind which cohesive element `c` was inserted, whose side `side` (0: a, 1: b) it is, and
/// its inverses.
CLEAVE_HD constexpr Index cohesive_code(Index c, int side) { return -2 - (2 * c + side); }
CLEAVE_HD constexpr bool is_cohesive(Index code) { return code <= -2; }
CLEAVE_HD constexpr Index cohesive_of(Index code) { return (-2 - code) >> 1; }
CLEAVE_HD constexpr int cohesive_side_of(Index code) { return static_cast<int>(-2 - code) & 1; }

/// True when the facet still joins two bulk elements.
CLEAVE_HD constexpr bool is_intact(Index code) { return code >= 0; }

}  // namespace cleave
