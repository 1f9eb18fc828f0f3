/// The groups of each part of a mesh, for formats in which a part has a single reference.
#pragma once

#include <map>
#include <vector>

#include "cleave/mesh/mesh.hpp"

namespace cleave {

/// Indices in mesh.groups, ascending.
using GroupSet = std::vector<Index>;

/// By facet code, on the boundary or inside.
std::map<Index, GroupSet> groups_of_facets(const Mesh& mesh);

/// By node, for nodes in a group without a facet of that group.
std::map<Index, GroupSet> groups_of_nodes(const Mesh& mesh);

/// [element] Groups of each element.
std::vector<GroupSet> groups_of_elements(const Mesh& mesh);

}  // namespace cleave
