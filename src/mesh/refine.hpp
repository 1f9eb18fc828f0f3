/// Uniform refinement of meshes.
#pragma once

#include <string>

#include "cleave/mesh/mesh.hpp"

namespace cleave {

/// A connected mesh with each triangle divided into four at the middles of its sides; for T6, at its mid-side nodes.
/// Groups get the halves of their facets and the quarters of their triangles; groups of single nodes get no new nodes.
/// Old nodes keep their ids. Element e becomes 4 e + k, k = 0..2 at its corner k, 3 in the middle. The input numbering
/// is that of the positions. Throws InputError, whose report starts with `source`, if there would be too many elements.
Mesh refined(const Mesh& mesh, const std::string& source);

}  // namespace cleave
