#include "mesh/io/line_facets.hpp"

#include <algorithm>
#include <tuple>

namespace cleave {

std::vector<std::optional<Index>> facets_between(const Mesh& mesh, const std::vector<std::pair<Index, Index>>& ends) {
  // Pairs sorted by their nodes; only facets from a marked smaller corner are looked up.
  std::vector<std::tuple<Index, Index, std::size_t>> sorted;
  std::vector<bool> marked(mesh.nodes.size());
  for (std::size_t i = 0; i < ends.size(); ++i) {
    const auto [low, high] = std::minmax(ends[i].first, ends[i].second);
    sorted.emplace_back(low, high, i);
    marked[low] = true;
  }
  std::sort(sorted.begin(), sorted.end());

  std::vector<std::optional<Index>> facets(ends.size());
  if (ends.empty()) return facets;
  for (Index e = 0; e < mesh.element_count(); ++e) {
    for (int k = 0; k < 3; ++k) {
      const Index a = mesh.node(e, (k + 1) % 3), b = mesh.node(e, (k + 2) % 3);
      const auto [low, high] = std::minmax(a, b);
      if (!marked[low]) continue;
      for (auto found = std::lower_bound(sorted.begin(), sorted.end(), std::tuple(low, high, std::size_t{0}));
           found != sorted.end() && std::get<0>(*found) == low && std::get<1>(*found) == high; ++found)
        if (!facets[std::get<2>(*found)]) facets[std::get<2>(*found)] = facet_code(e, k);
    }
  }
  return facets;
}

}  // namespace cleave
