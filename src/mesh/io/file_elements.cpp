#include "mesh/io/file_elements.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace cleave {

namespace {

double twice_area_of(Point a, Point b, Point c) { return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x); }

/// Twice the signed area over the longest side squared.
double flatness(Point a, Point b, Point c) {
  const double longest = std::max({distance(a, b), distance(b, c), distance(c, a)});
  return longest > 0 ? twice_area_of(a, b, c) / (longest * longest) : 0;
}

}  // namespace

std::array<std::array<int, 6>, 2> halves_of_quad(const std::array<Point, 4>& corners) {
  constexpr double clearly = 1 + 1e-6;  // above rounding, so that equal quads are cut alike
  const auto [a, b, c, d] = corners;
  const double direction = twice_area_of(a, b, c) + twice_area_of(a, c, d) < 0 ? -1 : 1;
  const double first = std::min(direction * flatness(a, b, c), direction * flatness(a, c, d));
  const double second = std::min(direction * flatness(d, a, b), direction * flatness(d, b, c));
  if (second > 0 && second > clearly * first) return {{{3, 0, 1, 7, 4, 8}, {3, 1, 2, 8, 5, 6}}};
  return {{{0, 1, 2, 4, 5, 8}, {0, 2, 3, 8, 6, 7}}};
}

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
      const auto [a, b] = mesh.ends(facet_code(e, k));
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
