/// Groups by the names that a case gives.
#pragma once

#include <string>
#include <vector>

#include "cleave/config/case_report.hpp"
#include "cleave/mesh/mesh.hpp"

namespace cleave {

/// What a key of the case refers to.
enum class GroupParts { nodes, triangles, any };

/// The group of that name if it holds such parts. Else nullptr, and the report says what is wrong with the value of
/// `key` on that line, with the nearest name among the groups that hold some.
const Group* find_group(const Mesh& mesh, GroupParts parts, const std::string& name, CaseReport& report, int line,
                        const std::string& key);

/// The nodes of a group: its own, and those of its triangles; ascending, each once.
std::vector<Index> nodes_of(const Mesh& mesh, const Group& group);

}  // namespace cleave
