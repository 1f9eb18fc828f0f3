#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "cleave/core/machine.hpp"
#include "cleave/core/parallel.hpp"
#include "cleave/mesh/topology.hpp"
#include "mesh/changes.hpp"

namespace cleave {
namespace {
constexpr std::size_t facets_at_once = 16384;  ///< number of facets or elements that a thread processes at once
}  // namespace

void add_mid_sides(Mesh& mesh) {
  const int threads = threads_for(0);
  const std::size_t elements = static_cast<std::size_t>(mesh.element_count()), facets = mesh.neighbours.size();
  // The smaller of the two codes of a facet has the node.
  const auto meets_first = [&](Index code) {
    return !is_intact(mesh.neighbours[code]) || mesh.neighbours[code] > code;
  };
  const auto count_new = [&](std::size_t begin, std::size_t end) {
    Index count = 0;
    for (auto code = static_cast<Index>(begin); code < static_cast<Index>(end); ++code) count += meets_first(code);
    return count;
  };
  std::vector<Index> next = parallel_results(threads, facets, facets_at_once, count_new);  // id of the next node
  next.push_back(0);
  std::exclusive_scan(next.begin(), next.end(), next.begin(), mesh.node_count());
  mesh.nodes.resize(static_cast<std::size_t>(next.back()));
  auto mid_of = parallel_vector<Index>(threads, facets);  // [facet code]
  parallel_for(threads, facets, facets_at_once, [&](std::size_t begin, std::size_t end) {
    Index node = next[begin / facets_at_once];
    for (auto code = static_cast<Index>(begin); code < static_cast<Index>(end); ++code) {
      if (!meets_first(code)) continue;
      mesh.nodes[node] = facet_middle(mesh, code);
      mid_of[code] = node++;
    }
  });
  auto rows = parallel_vector<Index>(threads, 6 * elements);
  parallel_for(threads, elements, facets_at_once, [&](std::size_t begin, std::size_t end) {
    for (auto e = static_cast<Index>(begin); e < static_cast<Index>(end); ++e) {
      Index* row = rows.data() + 6 * static_cast<std::size_t>(e);
      for (int slot = 0; slot < 3; ++slot) row[slot] = mesh.node(e, slot);
      for (int k = 0; k < 3; ++k) {
        const Index code = facet_code(e, k);
        row[facet_node_slot(ElementType::t6, k, 1)] = mid_of[meets_first(code) ? code : mesh.neighbours[code]];
      }
    }
  });
  mesh.type = ElementType::t6;
  mesh.elements = std::move(rows);
}

void straighten(Mesh& mesh) {
  constexpr double rounding = 1e-9, no_mid_side = 0.25;  // relative to the side
  const std::vector<Point> before = mesh.nodes;
  std::vector<bool> moved(mesh.nodes.size());
  for (Index e = 0; e < mesh.element_count(); ++e) {
    for (int k = 0; k < 3; ++k) {
      const Point a = before[mesh.node(e, (k + 1) % 3)], b = before[mesh.node(e, (k + 2) % 3)];
      const Point middle{(a.x + b.x) / 2, (a.y + b.y) / 2};
      const Index node = mesh.node(e, facet_node_slot(mesh.type, k, 1));
      const Point off{before[node].x - middle.x, before[node].y - middle.y};
      const double distance = std::hypot(off.x, off.y), side = cleave::distance(a, b);
      if (!(distance > rounding * side && distance <= no_mid_side * side)) continue;
      // A parabolic segment has 2/3 of the area of the parallelogram of its chord and height; the outside is to the
      // right of a side that goes around the element counter-clockwise. Segments between two elements cancel.
      mesh.straightened.area_change += 2.0 / 3 * ((b.x - a.x) * off.y - (b.y - a.y) * off.x);
      mesh.straightened.farthest = std::max(mesh.straightened.farthest, distance);
      mesh.straightened.nodes += moved[node] ? 0 : 1;
      moved[node] = true;
      mesh.nodes[node] = middle;
    }
  }
}

}  // namespace cleave
