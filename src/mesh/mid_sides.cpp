#include "mesh/mid_sides.hpp"

#include <utility>

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

Point facet_middle(const Mesh& mesh, Index element, int facet) {
  const Point a = mesh.nodes[mesh.node(element, (facet + 1) % 3)];
  const Point b = mesh.nodes[mesh.node(element, (facet + 2) % 3)];
  return {(a.x + b.x) / 2, (a.y + b.y) / 2};
}

}  // namespace cleave
