#include "mesh/group_sets.hpp"

#include "mesh/groups.hpp"

namespace cleave {

std::map<Index, GroupSet> groups_of_facets(const Mesh& mesh) {
  std::map<Index, GroupSet> sets;
  for (std::size_t g = 0; g < mesh.groups.size(); ++g)
    for (const auto* codes : {&mesh.groups[g].facets, &mesh.groups[g].inside})
      for (const Index code : *codes) sets[code].push_back(static_cast<Index>(g));
  return sets;
}

std::map<Index, GroupSet> groups_of_nodes(const Mesh& mesh) {
  std::map<Index, GroupSet> sets;
  for (std::size_t g = 0; g < mesh.groups.size(); ++g)
    for (const Index node : nodes_by_themselves(mesh, mesh.groups[g])) sets[node].push_back(static_cast<Index>(g));
  return sets;
}

std::vector<GroupSet> groups_of_elements(const Mesh& mesh) {
  std::vector<GroupSet> sets(mesh.element_count());
  for (std::size_t g = 0; g < mesh.groups.size(); ++g)
    for (const Index e : mesh.groups[g].elements) sets[e].push_back(static_cast<Index>(g));
  return sets;
}

}  // namespace cleave
