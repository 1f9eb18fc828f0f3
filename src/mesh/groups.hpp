/// Building the named groups of a mesh.
#pragma once

#include <string>
#include <vector>

#include "cleave/mesh/mesh.hpp"

namespace cleave {

/// The group of these facets, on the boundary and inside, with all their nodes, of the nodes named by themselves, and
/// of these triangles; any order, repeats and either code of a facet inside allowed. Needs neighbours.
Group make_group(const Mesh& mesh, std::string name, std::vector<Index> facets, std::vector<Index> nodes = {},
                 std::vector<Index> elements = {}, std::vector<Index> inside = {});

/// The nodes of a group that are on none of its facets, ascending.
std::vector<Index> nodes_by_themselves(const Mesh& mesh, const Group& group);

/// Codes of the boundary facets whose nodes all are among `nodes`, ascending. Needs neighbours.
std::vector<Index> boundary_facets_of(const Mesh& mesh, const std::vector<Index>& nodes);

}  // namespace cleave
