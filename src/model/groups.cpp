#include "model/groups.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "cleave/core/nearest_name.hpp"

namespace cleave {

const Group* find_group(const Mesh& mesh, GroupParts parts, const std::string& name, CaseReport& report, int line,
                        const std::string& key) {
  const auto holds = [&](const Group& g) {
    return (parts != GroupParts::nodes && !g.elements.empty()) || (parts != GroupParts::triangles && !g.nodes.empty());
  };
  const Group* group = mesh.find_group(name);
  if (group && holds(*group)) return group;

  std::vector<std::string> names;
  for (const Group& g : mesh.groups)
    if (holds(g)) names.push_back(g.name);
  const char* const what = parts == GroupParts::nodes       ? "nodes"
                           : parts == GroupParts::triangles ? "triangles"
                                                            : "triangles or nodes";
  const std::string nearest = nearest_name(name, names);
  const std::string hint = names.empty()     ? fmt::format("no group of the mesh holds {}", what)
                           : nearest.empty() ? fmt::format("groups with {}: {}", what, fmt::join(names, ", "))
                                             : fmt::format("did you mean \"{}\"?", nearest);
  report.add(line, key,
             group ? fmt::format("group \"{}\" holds no {}; {}", name, what, hint)
                   : fmt::format("the mesh has no group \"{}\"; {}", name, hint));
  return nullptr;
}

std::vector<Index> nodes_of(const Mesh& mesh, const Group& group) {
  std::vector<Index> nodes = group.nodes;
  for (const Index e : group.elements)
    for (int i = 0; i < nodes_per_element(mesh.type); ++i) nodes.push_back(mesh.node(e, i));
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  return nodes;
}

}  // namespace cleave
