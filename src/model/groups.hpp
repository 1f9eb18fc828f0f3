/// Groups that a case names, and those that it defines by position: boundary sides and nodes (`mesh.groups`), triangles
/// (`mesh.regions`).
#pragma once

#include <string>
#include <vector>

#include "cleave/case/case.hpp"
#include "cleave/case/case_report.hpp"
#include "cleave/mesh/mesh.hpp"

namespace cleave {

/// Parts of a group that a key of the case refers to.
enum class GroupParts { nodes, triangles, any };

/// The group of that name if it has such parts. Otherwise returns nullptr and reports the value of `key` on that line,
/// with the nearest name among the groups that have such parts.
const Group* find_group(const Mesh& mesh, GroupParts parts, const std::string& name, CaseReport& report, int line,
                        const std::string& key);

/// The nodes of a group and of its triangles; ascending, each once.
std::vector<Index> nodes_of(const Mesh& mesh, const Group& group);

/// Adds the group `outside`, unless the mesh has one of that name, and the sides and nodes of `mesh.groups`. Throws
/// InputError with file, line and key if a group is empty or has the name of another group.
void add_places(Mesh& mesh, const Case& c);

/// Adds the regions of a case to the groups of its mesh. Throws InputError with file, line and key if a region contains
/// no triangle or has the name of another group.
void add_regions(Mesh& mesh, const Case& c);

}  // namespace cleave
