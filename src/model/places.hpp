/// Groups that the case file defines by position: boundary sides and nodes (`mesh.groups`), triangles (`mesh.regions`).
#pragma once

#include "cleave/case/case.hpp"

namespace cleave {

/// Adds the group `outside`, unless the mesh has one of that name, and the sides and nodes of `mesh.groups`. Throws
/// InputError with file, line and key if a group is empty or has the name of another group.
void add_places(Mesh& mesh, const Case& c);

/// Adds the regions of a case to the groups of its mesh. Throws InputError with file, line and key if a region contains
/// no triangle or has the name of another group.
void add_regions(Mesh& mesh, const Case& c);

}  // namespace cleave
