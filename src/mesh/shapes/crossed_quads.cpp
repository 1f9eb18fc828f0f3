#include <cmath>

#include "cleave/mesh/facet.hpp"
#include "cleave/mesh/topology.hpp"

namespace cleave {
namespace {

bool lies_between(Point a, Point b, Point middle) {
  constexpr double straight = 0.05;  // sine of the angle: quads of a ring are nearly straight, and T3 there do not lock
  const double ax = a.x - middle.x, ay = a.y - middle.y, bx = b.x - middle.x, by = b.y - middle.y;
  const double most = straight * std::hypot(ax, ay) * std::hypot(bx, by);
  return ax * bx + ay * by < 0 && std::abs(ax * by - ay * bx) <= most;
}

/// Whether corner i of an element has four elements, whose sides there lie on two straight lines.
bool is_centre(const Mesh& mesh, Index element, int i) {
  const Index node = mesh.node(element, i);
  Index e = element;
  for (int turn = 0; turn < 4; ++turn) {
    const Point first = mesh.nodes[mesh.node(e, (i + 1) % 3)];
    const Index code = mesh.neighbour(e, (i + 1) % 3);  // the facet between the node and the corner before it
    if (code == boundary_facet) return false;
    e = element_of(code);
    i = 0;
    while (mesh.node(e, i) != node) ++i;
    if (!lies_between(first, mesh.nodes[mesh.node(e, (i + 2) % 3)], mesh.nodes[node])) return false;
  }
  return e == element;
}

}  // namespace

std::vector<std::uint8_t> elements_of_crossed_quads(const Mesh& mesh) {
  std::vector<std::uint8_t> found(mesh.element_count(), 0);
  for (Index e = 0; e < mesh.element_count(); ++e)
    for (int i = 0; i < 3 && found[e] == 0; ++i) found[e] = is_centre(mesh, e, i) ? 1 : 0;
  return found;
}

}  // namespace cleave
