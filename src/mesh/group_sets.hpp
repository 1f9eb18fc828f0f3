/// Which groups hold each part of a mesh, for formats where a part belongs to one thing.
#pragma once

#include <map>
#include <vector>

#include "cleave/mesh/mesh.hpp"

namespace cleave {

/// Positions in mesh.groups, ascending.
using GroupSet = std::vector<Index>;

/// By the code of the facet, on the boundary or inside.
std::map<Index, GroupSet> groups_of_facets(const Mesh& mesh);

/// By node, of those that are in a group without being on one of its facets.
std::map<Index, GroupSet> groups_of_nodes(const Mesh& mesh);

/// [element]
std::vector<GroupSet> groups_of_elements(const Mesh& mesh);

}  // namespace cleave
