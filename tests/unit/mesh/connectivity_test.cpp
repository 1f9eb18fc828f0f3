/// Edges of a mesh, against those of a small one by hand and those of larger ones from sets of pairs.
#include "cleave/mesh/connectivity.hpp"

#include <catch2/catch.hpp>
#include <map>
#include <utility>

#include "cleave/mesh/generators.hpp"
#include "cleave/mesh/topology.hpp"

namespace cleave {

TEST_CASE("the edges of two triangles are those of the sketch", "[mesh]") {
  Mesh mesh;
  mesh.type = ElementType::t3;
  mesh.nodes = {{0, 1}, {1, 1}, {0, 0}, {1, 0}};
  mesh.elements = {3, 1, 2, 0, 2, 1};
  connect(mesh);
  const Edges edges(mesh);
  using Pair = std::array<Index, 2>;
  REQUIRE(edges.count() == 5);
  const Pair corners[] = {{0, 1}, {0, 2}, {1, 2}, {1, 3}, {2, 3}};
  const Pair facets[] = {{4, boundary_facet}, {5, boundary_facet}, {0, 3}, {2, boundary_facet}, {1, boundary_facet}};
  for (Index i = 0; i < 5; ++i) {
    CHECK(edges.corners(i) == corners[i]);
    CHECK(edges.facets(i) == facets[i]);
  }
  CHECK((edges.of_facet(3) == 2 && edges.of_facet(0) == 2));
  const CornerIncidence around(mesh);
  CHECK((around.at(0).size() == 1 && around.at(0)[0] == 1));
  CHECK((around.at(1).size() == 2 && around.at(1)[0] == 0 && around.at(1)[1] == 1));
}

TEST_CASE("every edge has one number, in the order of its corners", "[mesh]") {
  const auto type = GENERATE(ElementType::t3, ElementType::t6);
  const Mesh mesh = GENERATE_COPY(rectangle(type, {1, 1}, {1, 1}), rectangle(type, {90, 60}, {9, 6}, {0, 0}, 1),
                                  ring(type, {8, 120}, 1, 1.3));
  std::map<std::pair<Index, Index>, std::vector<Index>> expected;  // corners, facets
  for (Index code = 0; code < static_cast<Index>(mesh.neighbours.size()); ++code)
    expected[std::minmax(mesh.ends(code)[0], mesh.ends(code)[1])].push_back(code);
  const Edges edges(mesh);
  REQUIRE(edges.count() == static_cast<Index>(expected.size()));
  CHECK(edges.count() == facet_count(mesh));
  Index edge = 0;
  bool right = true;
  for (const auto& [corners, facets] : expected) {
    right = right && edges.corners(edge) == std::array<Index, 2>{corners.first, corners.second};
    for (const Index code : facets) right = right && edges.of_facet(code) == edge;
    const auto [one, other] = edges.facets(edge++);
    right = right && one == facets.front() && other == (facets.size() == 1 ? boundary_facet : facets.back());
  }
  CHECK(right);
}

}  // namespace cleave
