#include "cleave/mesh/node_stars.hpp"

#include <vector>

#include "cleave/mesh/topology.hpp"
#include "helpers.hpp"

using namespace cleave;
using namespace cleave::test;

namespace {

/// T3 of a few nodes, whose places do not matter.
Mesh triangles(Index nodes, const std::vector<Index>& elements) {
  Mesh mesh;
  mesh.type = ElementType::t3;
  mesh.nodes.resize(nodes);
  mesh.elements = elements;
  connect(mesh);
  return mesh;
}

}  // namespace

TEST_CASE("elements around a node are counted counter-clockwise, from the boundary on", "[stars]") {
  // A square 0 1 2 3 with node 4 in its middle: elements below, above, on the right, on the left.
  const Mesh mesh = triangles(5, {0, 1, 4, 2, 3, 4, 1, 2, 4, 4, 3, 0});
  CHECK(star_positions(mesh) == std::vector<std::uint8_t>{0, 1, 0, 0, 1, 2, 0, 1, 1, 3, 0, 1});
}

TEST_CASE("elements that touch in a node only follow each other", "[stars]") {
  const Mesh mesh = triangles(5, {0, 1, 2, 2, 3, 4});
  CHECK(star_positions(mesh) == std::vector<std::uint8_t>{0, 0, 0, 1, 0, 0});
}

TEST_CASE("of the elements at a mid-side the smaller comes first", "[stars]") {
  const Mesh mesh = rectangle(ElementType::t6, {6, 4}, {6, 4});
  const std::vector<std::uint8_t> position = star_positions(mesh);
  std::vector<int> seen(mesh.node_count(), 0);
  bool in_order = true;
  for (Index e = 0; e < mesh.element_count(); ++e)
    for (int i = 3; i < 6; ++i) in_order = in_order && position[6 * e + i] == seen[mesh.node(e, i)]++;
  CHECK(in_order);
}
