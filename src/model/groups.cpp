#include "model/groups.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

#include "cleave/core/nearest_name.hpp"

namespace cleave {

const Group* find_group(const Mesh& mesh, GroupParts parts, const std::string& name, CaseReport& report, int line,
                        const std::string& key) {
  const bool triangles = parts == GroupParts::triangles;
  const auto holds = [&](const Group& g) { return !(triangles ? g.elements : g.nodes).empty(); };
  const Group* group = mesh.find_group(name);
  if (group && holds(*group)) return group;

  std::vector<std::string> names;
  for (const Group& g : mesh.groups)
    if (holds(g)) names.push_back(g.name);
  const char* const what = triangles ? "triangles" : "nodes";
  const std::string nearest = nearest_name(name, names);
  const std::string hint = names.empty()     ? fmt::format("no group of the mesh holds {}", what)
                           : nearest.empty() ? fmt::format("groups with {}: {}", what, fmt::join(names, ", "))
                                             : fmt::format("did you mean \"{}\"?", nearest);
  report.add(line, key,
             group ? fmt::format("group \"{}\" holds no {}; {}", name, what, hint)
                   : fmt::format("the mesh has no group \"{}\"; {}", name, hint));
  return nullptr;
}

}  // namespace cleave
