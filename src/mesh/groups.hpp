/// Construction of the groups of a mesh, and the groups of each part, for formats in which a part has a single
/// reference.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "cleave/mesh/mesh.hpp"

namespace cleave {

/// The group of these facets (on the boundary and inside) with all their nodes, of single nodes, and of triangles.
/// Lists may have any order and repeats, and either code of an interior facet. Needs neighbours.
Group make_group(const Mesh& mesh, std::string name, std::vector<Index> facets, std::vector<Index> nodes = {},
                 std::vector<Index> elements = {}, std::vector<Index> inside = {});

/// The nodes of a group on none of its facets, ascending.
std::vector<Index> nodes_by_themselves(const Mesh& mesh, const Group& group);

/// Codes of the boundary facets with all nodes in `nodes`, ascending. Needs neighbours.
std::vector<Index> boundary_facets_of(const Mesh& mesh, const std::vector<Index>& nodes);

/// Indices in mesh.groups, ascending.
using GroupSet = std::vector<Index>;

/// By facet code, on the boundary or inside.
std::map<Index, GroupSet> groups_of_facets(const Mesh& mesh);

/// By node, for nodes in a group without a facet of that group.
std::map<Index, GroupSet> groups_of_nodes(const Mesh& mesh);

/// [element] Groups of each element.
std::vector<GroupSet> groups_of_elements(const Mesh& mesh);

}  // namespace cleave
