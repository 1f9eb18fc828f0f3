/// Description of a mesh as text.
#pragma once

#include "cleave/mesh/colouring.hpp"
#include "cleave/mesh/mesh.hpp"

namespace cleave {

/// Prints counts, colours, groups, quality and numbering to stdout.
/// @param colouring  without colours: none are needed
void print_mesh(const Mesh& mesh, const Colouring& colouring);

}  // namespace cleave
