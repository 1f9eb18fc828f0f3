/// Description of a mesh as text.
#pragma once

#include <string>

#include "cleave/mesh/colouring.hpp"
#include "cleave/mesh/mesh.hpp"

namespace cleave {

/// Says on stderr how many triangles of a file were turned; nothing if there were none.
void tell_turned(const Mesh& mesh);

/// Prints counts, colours, groups, quality and numbering to stdout.
/// @param colouring  without colours: none are needed
void print_mesh(const Mesh& mesh, const Colouring& colouring);

/// Prints the groups and the numbers of their facets, nodes and triangles.
void print_groups(const Mesh& mesh);

/// "element 12 at (0.1, 0.2)", with the original id.
std::string place_of(const Mesh& mesh, Index element);

}  // namespace cleave
