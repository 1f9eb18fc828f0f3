/// Places of the stress sums of each material among those of a node (NodalStressRows).
#pragma once

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "cleave/mesh/mesh.hpp"

namespace cleave {

/// A place for each material: the first that no earlier material has that meets it at a node.
/// @param material   [element]
/// @param materials  number of them
inline std::vector<Index> material_places(const Mesh& mesh, const std::vector<Index>& material, std::size_t materials) {
  std::vector<std::pair<Index, Index>> at;  // node, material
  for (Index e = 0; e < mesh.element_count(); ++e)
    for (int i = 0; i < nodes_per_element(mesh.type); ++i) at.emplace_back(mesh.node(e, i), material[e]);
  std::sort(at.begin(), at.end());
  at.erase(std::unique(at.begin(), at.end()), at.end());

  std::vector<std::set<Index>> earlier(materials);  // of those that meet it
  for (std::size_t i = 0; i < at.size(); ++i)
    for (std::size_t j = i + 1; j < at.size() && at[j].first == at[i].first; ++j)
      earlier[at[j].second].insert(at[i].second);
  std::vector<Index> place(materials, 0);
  for (std::size_t m = 0; m < materials; ++m) {
    std::set<Index> taken;
    for (const Index other : earlier[m]) taken.insert(place[other]);
    while (taken.count(place[m]) > 0) ++place[m];
  }
  return place;
}

}  // namespace cleave
