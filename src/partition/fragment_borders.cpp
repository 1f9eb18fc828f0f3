#include "cleave/partition/fragment_borders.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <unordered_map>

namespace cleave {

FragmentBorders::FragmentBorders(const std::vector<std::vector<BorderFacet>>& facets) : names_(facets.size()) {
  std::unordered_map<Index, Side> by_code;
  for (std::size_t r = 0; r < facets.size(); ++r)
    for (std::size_t i = 0; i < facets[r].size(); ++i) by_code[facets[r][i].own] = {static_cast<int>(r), 1 + i};
  for (const std::vector<BorderFacet>& of_rank : facets)
    for (const BorderFacet& facet : of_rank) {
      const auto other = by_code.find(facet.other);
      if (other == by_code.end()) throw std::logic_error("a facet between two ranks is known to one of them alone");
      if (facet.own < facet.other) facets_.emplace_back(by_code.at(facet.own), other->second);
    }
}

Index FragmentBorders::join(const std::vector<std::vector<Index>>& of_ranks) {
  Index count = 0;
  std::vector<Index> all;  // labels, ascending
  for (const std::vector<Index>& labels : of_ranks) {
    count += labels.front();
    all.insert(all.end(), labels.begin() + 1, labels.end());
  }
  const auto sort_once = [](std::vector<Index>& labels) {
    std::sort(labels.begin(), labels.end());
    labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
  };
  sort_once(all);
  std::vector<Index> parent(all.size());
  std::iota(parent.begin(), parent.end(), 0);
  const auto place_of = [&](Index label) {
    return static_cast<Index>(std::lower_bound(all.begin(), all.end(), label) - all.begin());
  };
  const auto root_of = [&](Index i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
  };
  for (const auto& [a, b] : facets_) {
    const Index label_a = of_ranks[a.rank][a.label], label_b = of_ranks[b.rank][b.label];
    if (label_a < 0 || label_b < 0) continue;
    const auto [low, high] = std::minmax({root_of(place_of(label_a)), root_of(place_of(label_b))});
    if (low != high) --count;
    parent[high] = low;
  }
  for (std::size_t r = 0; r < of_ranks.size(); ++r) {
    std::vector<Index> labels(of_ranks[r].begin() + 1, of_ranks[r].end());
    sort_once(labels);
    names_[r].clear();
    for (const Index label : labels) {
      const Index name = all[root_of(place_of(label))];
      if (name != label) names_[r].push_back({label, name});
    }
  }
  return count;
}

}  // namespace cleave
