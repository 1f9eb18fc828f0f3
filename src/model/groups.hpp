/// Look-up of groups by the names in a case.
#pragma once

#include <string>
#include <vector>

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

}  // namespace cleave
