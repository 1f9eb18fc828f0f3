/// Groups of triangles that the case file defines by position (`mesh.regions`).
#pragma once

#include "cleave/config/case.hpp"

namespace cleave {

/// Adds the regions of a case to the groups of its mesh. Throws InputError with file, line and key if a region contains
/// no triangle or has the name of another group.
void add_regions(Mesh& mesh, const Case& c);

}  // namespace cleave
