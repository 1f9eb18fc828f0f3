#include "mesh/mid_sides.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace cleave {

void add_mid_sides(Mesh& mesh) {
  const Index elements = mesh.element_count();
  std::vector<Index> rows(6 * static_cast<std::size_t>(elements));
  std::vector<Index> mid_of(mesh.neighbours.size());  // [facet code]
  for (Index e = 0; e < elements; ++e) {
    Index* row = rows.data() + 6 * static_cast<std::size_t>(e);
    for (int slot = 0; slot < 3; ++slot) row[slot] = mesh.node(e, slot);
    for (int k = 0; k < 3; ++k) {
      const Index code = facet_code(e, k);
      const Index other = mesh.neighbour(e, k);
      if (is_intact(other) && other < code) {
        mid_of[code] = mid_of[other];
      } else {
        mid_of[code] = mesh.node_count();
        mesh.nodes.push_back(facet_middle(mesh, e, k));
      }
      row[facet_node_slot(ElementType::t6, k, 1)] = mid_of[code];
    }
  }
  mesh.type = ElementType::t6;
  mesh.elements = std::move(rows);
}

void straighten(Mesh& mesh) {
  constexpr double rounding = 1e-9, no_mid_side = 0.25;  // of the side
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
      // A parabola's segment has 2/3 of the parallelogram of its chord and its height; outside is on the right of a
      // side that goes around the element counter-clockwise. Between two elements the segments cancel.
      mesh.straightened.area_change += 2.0 / 3 * ((b.x - a.x) * off.y - (b.y - a.y) * off.x);
      mesh.straightened.farthest = std::max(mesh.straightened.farthest, distance);
      mesh.straightened.nodes += moved[node] ? 0 : 1;
      moved[node] = true;
      mesh.nodes[node] = middle;
    }
  }
}

Point facet_middle(const Mesh& mesh, Index element, int facet) {
  const Point a = mesh.nodes[mesh.node(element, (facet + 1) % 3)];
  const Point b = mesh.nodes[mesh.node(element, (facet + 2) % 3)];
  return {(a.x + b.x) / 2, (a.y + b.y) / 2};
}

}  // namespace cleave
