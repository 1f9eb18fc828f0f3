/// Building the named groups of a mesh.
#pragma once

#include <string>
#include <vector>

#include "cleave/mesh/mesh.hpp"

namespace cleave {

/// The group of these facets with all their nodes, of the nodes named by themselves, and of these triangles; any order,
/// repeats allowed.
Group make_group(const Mesh& mesh, std::string name, std::vector<Index> facets, std::vector<Index> nodes = {},
                 std::vector<Index> elements = {});

/// Codes of the boundary facets whose nodes all are among `nodes`, ascending. Needs neighbours.
std::vector<Index> boundary_facets_of(const Mesh& mesh, const std::vector<Index>& nodes);

}  // namespace cleave
