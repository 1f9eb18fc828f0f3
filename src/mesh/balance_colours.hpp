/// Colours made equal in size.
#pragma once

#include <vector>

#include "cleave/mesh/mesh.hpp"

namespace cleave {

/// Exchanges colours until no two differ by more than one element, or no exchange helps any more. The colouring stays
/// valid: two colours change places on a set of elements that are joined by shared nodes and by no element of these
/// colours to others (a Kempe chain, as in proofs of the four-colour theorem).
/// @param colour  [element] 0 .. count - 1, a valid colouring
void balance_colours(const Mesh& mesh, int count, std::vector<int>& colour);

}  // namespace cleave
