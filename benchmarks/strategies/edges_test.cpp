/// Neighbours and edges that are found by sorting, against those of the host and counted by hand.
#include <algorithm>
#include <catch2/catch.hpp>
#include <set>
#include <utility>

#include "backend/backend.hpp"
#include "backend/device_mesh.hpp"
#include "cleave/core/error.hpp"
#include "strategies/edges_run.hpp"

namespace cleave::test {
namespace {

struct Found {
  std::vector<Index> neighbours;
  std::vector<std::pair<Index, Index>> edges;
};

Found sorted(const Mesh& mesh) {
  Backend backend;
  SortedEdges<Backend> sorting(mesh);
  sorting.find(backend);
  Found found{sorting.neighbours(), {}};
  const std::vector<Index> corners = sorting.edges();
  for (std::size_t i = 0; i < corners.size(); i += 2) found.edges.emplace_back(corners[i], corners[i + 1]);
  return found;
}

}  // namespace

TEST_CASE("two triangles have five edges", "[edges]") {
  Mesh mesh;
  mesh.type = ElementType::t3;
  mesh.nodes = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
  mesh.elements = {0, 1, 2, 2, 3, 0};
  const Found found = sorted(mesh);
  // Facet 1 of each is opposite its second corner, on the diagonal from node 2 to node 0.
  CHECK(found.neighbours == std::vector<Index>{-1, 4, -1, -1, 1, -1});
  CHECK(found.edges == std::vector<std::pair<Index, Index>>{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {2, 3}});
}

TEST_CASE("sorting finds the neighbours of the host, and every edge once", "[edges]") {
  const auto type = GENERATE(ElementType::t3, ElementType::t6);
  const Mesh mesh = GENERATE_COPY(rectangle(type, {1, 1}, {1, 1}), rectangle(type, {8, 1}, {8, 1}),
                                  rectangle(type, {40, 26}, {4, 2.6}, {0, 0}, 1), ring(type, {8, 120}, 1, 1.3));
  const Found found = sorted(mesh);
  CHECK(found.neighbours == mesh.neighbours);
  std::set<std::pair<Index, Index>> expected;
  for (Index e = 0; e < mesh.element_count(); ++e)
    for (int k = 0; k < 3; ++k) expected.insert(std::minmax(mesh.node(e, k), mesh.node(e, (k + 1) % 3)));
  CHECK(found.edges == std::vector<std::pair<Index, Index>>(expected.begin(), expected.end()));
}

TEST_CASE("an edge of three triangles is no edge of a body", "[edges]") {
  Mesh mesh;
  mesh.type = ElementType::t3;
  mesh.nodes = {{0, 0}, {1, 0}, {1, 1}, {0, 1}, {2, 1}};
  mesh.elements = {0, 1, 2, 2, 3, 0, 0, 4, 2};
  CHECK_THROWS_AS(sorted(mesh), InputError);
}

TEST_CASE("no elements have no edges", "[edges]") { CHECK(sorted(Mesh{}).edges.empty()); }

}  // namespace cleave::test
