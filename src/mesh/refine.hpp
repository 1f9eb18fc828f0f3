/// Meshes of smaller triangles.
#pragma once

#include <string>

#include "cleave/mesh/mesh.hpp"

namespace cleave {

/// A connected mesh with each triangle cut into four through the middles of its sides; of T6, through its mid-side
/// nodes. Groups keep what they hold: halves of their facets, quarters of their triangles; to nodes by themselves none
/// are added. Nodes of before keep their ids. Element e becomes 4 e + k, k = 0..2 at its corner k, 3 in the middle. The
/// input numbering is that of the positions. Throws InputError, whose report starts with `source`, when there would be
/// too many elements.
Mesh refined(const Mesh& mesh, const std::string& source);

}  // namespace cleave
