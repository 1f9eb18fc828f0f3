#include "mesh/groups.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace cleave {

namespace {

void sort_unique(std::vector<Index>& ids) {
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
}

}  // namespace

std::vector<Index> nodes_by_themselves(const Mesh& mesh, const Group& group) {
  const std::vector<Index> on_facets = make_group(mesh, {}, group.facets, {}, {}, group.inside).nodes;
  std::vector<Index> nodes;
  std::set_difference(group.nodes.begin(), group.nodes.end(), on_facets.begin(), on_facets.end(),
                      std::back_inserter(nodes));
  return nodes;
}

Group make_group(const Mesh& mesh, std::string name, std::vector<Index> facets, std::vector<Index> nodes,
                 std::vector<Index> elements, std::vector<Index> inside) {
  for (Index& code : inside) code = std::min(code, mesh.neighbours[code]);
  for (const auto* codes : {&facets, &inside}) {
    for (const Index code : *codes) {
      for (int i = 0; i < nodes_per_facet(mesh.type); ++i) {
        nodes.push_back(mesh.facet_node(code, i));
      }
    }
  }
  sort_unique(facets);
  sort_unique(nodes);
  sort_unique(elements);
  sort_unique(inside);
  return {std::move(name), std::move(facets), std::move(nodes), std::move(elements), std::move(inside)};
}

std::vector<Index> boundary_facets_of(const Mesh& mesh, const std::vector<Index>& nodes) {
  std::vector<bool> member(mesh.node_count());
  for (Index node : nodes) member[node] = true;
  std::vector<Index> facets;
  for (Index e = 0; e < mesh.element_count(); ++e) {
    for (int k = 0; k < 3; ++k) {
      if (mesh.neighbour(e, k) != boundary_facet) continue;
      bool inside = true;
      for (int i = 0; i < nodes_per_facet(mesh.type); ++i) {
        inside = inside && member[mesh.node(e, facet_node_slot(mesh.type, k, i))];
      }
      if (inside) facets.push_back(facet_code(e, k));
    }
  }
  return facets;
}

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
