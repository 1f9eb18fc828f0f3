/// Balancing of the sizes of colours.
#pragma once

#include <vector>

#include "cleave/mesh/mesh.hpp"

namespace cleave {

/// Exchanges colours until no two differ by more than one element, or no exchange helps. The colouring stays valid: two
/// colours are exchanged on a Kempe chain, a set of elements connected by shared nodes that no other elements of these
/// colours touch.
/// @param colour  [element] 0 .. count - 1, a valid colouring
void balance_colours(const Mesh& mesh, int count, std::vector<int>& colour);

}  // namespace cleave
