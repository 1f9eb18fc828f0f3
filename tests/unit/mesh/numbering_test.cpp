#include "cleave/mesh/numbering.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <utility>

#include "cleave/mesh/topology.hpp"
#include "helpers.hpp"

using namespace cleave;
using namespace cleave::test;

namespace {

std::vector<Index> shuffled(Index count, unsigned seed) {
  std::vector<Index> order(count);
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), std::mt19937(seed));
  return order;
}

/// Mesh `b` is mesh `a` under the numbering that its original ids tell.
void require_same_mesh(const Mesh& a, const Mesh& b) {
  REQUIRE(b.node_count() == a.node_count());
  REQUIRE(b.element_count() == a.element_count());
  const int per_element = nodes_per_element(a.type);
  auto original_code = [&](Index code) {
    return code < 0 ? code : facet_code(b.original_elements[element_of(code)], facet_of(code));
  };
  bool positions = true;
  bool slots = true;
  bool neighbours = true;
  bool colours = true;
  for (Index n = 0; n < b.node_count(); ++n) {
    const Point p = a.nodes[b.original_nodes[n]];
    positions = positions && p.x == b.nodes[n].x && p.y == b.nodes[n].y;
  }
  for (Index e = 0; e < b.element_count(); ++e) {
    const Index old = b.original_elements[e];
    for (int s = 0; s < per_element; ++s) slots = slots && b.original_nodes[b.node(e, s)] == a.node(old, s);
    for (int k = 0; k < 3; ++k) neighbours = neighbours && original_code(b.neighbour(e, k)) == a.neighbour(old, k);
    colours = colours && b.structured_colours[e] == a.structured_colours[old];
  }
  CHECK(positions);
  CHECK(slots);
  CHECK(neighbours);
  CHECK(colours);
  REQUIRE(b.groups.size() == a.groups.size());
  for (std::size_t g = 0; g < a.groups.size(); ++g) {
    CHECK(b.groups[g].name == a.groups[g].name);
    CHECK(std::is_sorted(b.groups[g].facets.begin(), b.groups[g].facets.end()));
    CHECK(std::is_sorted(b.groups[g].nodes.begin(), b.groups[g].nodes.end()));
    CHECK(std::is_sorted(b.groups[g].elements.begin(), b.groups[g].elements.end()));
    std::vector<Index> facets, nodes, elements;
    for (Index code : b.groups[g].facets) facets.push_back(original_code(code));
    for (Index node : b.groups[g].nodes) nodes.push_back(b.original_nodes[node]);
    for (Index element : b.groups[g].elements) elements.push_back(b.original_elements[element]);
    std::sort(facets.begin(), facets.end());
    std::sort(nodes.begin(), nodes.end());
    std::sort(elements.begin(), elements.end());
    CHECK(facets == a.groups[g].facets);
    CHECK(nodes == a.groups[g].nodes);
    CHECK(elements == a.groups[g].elements);
  }
}

}  // namespace

TEST_CASE("the Hilbert curve visits each cell once in unit steps") {
  constexpr int side = 64;
  std::vector<std::pair<int, int>> cell(side * side, {-1, -1});
  for (int x = 0; x < side; ++x) {
    for (int y = 0; y < side; ++y) {
      const auto index = hilbert_index(6, x, y);
      REQUIRE(index < cell.size());
      REQUIRE(cell[index].first == -1);
      cell[index] = {x, y};
    }
  }
  for (std::size_t i = 1; i < cell.size(); ++i) {
    REQUIRE(std::abs(cell[i].first - cell[i - 1].first) + std::abs(cell[i].second - cell[i - 1].second) == 1);
  }
  const std::vector<std::pair<int, int>> start{{0, 0}, {1, 0}, {1, 1}, {0, 1}, {0, 2}};
  CHECK(std::equal(start.begin(), start.end(), cell.begin()));
}

TEST_CASE("the Hilbert index fills 32 bits on 2^16 cells") {
  CHECK(hilbert_index(16, 0, 0) == 0);
  CHECK(hilbert_index(16, 65535, 0) == 0xffffffff);
}

TEST_CASE("known numberings of the coarse strip have known quality") {
  Mesh mesh = coarse_strip();
  CHECK(numbering_figures(mesh).coalescing == Approx(0.568).margin(5e-4));
  Mesh hilbert = mesh;
  renumber_hilbert(hilbert);
  CHECK(numbering_figures(hilbert).coalescing == Approx(0.654).margin(5e-4));
  renumber(mesh, shuffled(mesh.node_count(), 1), shuffled(mesh.element_count(), 2));
  CHECK(numbering_figures(mesh).coalescing == Approx(0.126).margin(1e-3));
}

TEST_CASE("known numberings of a ring have known quality") {
  Mesh mesh = ring(ElementType::t6, {40, 320}, 0.08, 0.15);
  CHECK(numbering_figures(mesh).coalescing == Approx(0.555).margin(5e-4));
  renumber_hilbert(mesh);
  CHECK(numbering_figures(mesh).coalescing == Approx(0.589).margin(5e-4));
}

TEST_CASE("quality counts lines of eight nodes by warp") {
  // 33 triangles over the same three nodes: two warps, each with one line at best. Nodes 0, 8, 16 touch three.
  Mesh mesh;
  mesh.type = ElementType::t3;
  mesh.nodes.resize(17);
  for (int e = 0; e < 33; ++e) mesh.elements.insert(mesh.elements.end(), {0, 8, 16});
  CHECK(numbering_figures(mesh).coalescing == 2.0 / 6.0);
  for (Index& node : mesh.elements) node /= 8;
  CHECK(numbering_figures(mesh).coalescing == 1);
}

TEST_CASE("line 16 replaces line 0 in a cache of 16 lines") {
  Mesh mesh;
  mesh.type = ElementType::t3;
  mesh.nodes.resize(257);
  mesh.elements = {0, 1, 15, 16, 0, 255};  // lines 0 0 0 1 0 15: three of six are there
  CHECK(numbering_figures(mesh).cache_hits == 3.0 / 6);
  mesh.elements = {0, 256, 0, 256, 0, 256};
  CHECK(numbering_figures(mesh).cache_hits == 0);
}

TEST_CASE("figures as given are those before the numbering") {
  const Mesh given = coarse_strip();
  Mesh mesh = given;
  renumber(mesh, shuffled(mesh.node_count(), 1), shuffled(mesh.element_count(), 2));
  REQUIRE(numbering_figures(mesh).coalescing < 0.2);
  CHECK(figures_as_given(mesh).coalescing == numbering_figures(given).coalescing);
  CHECK(figures_as_given(mesh).cache_hits == numbering_figures(given).cache_hits);
}

TEST_CASE("renumbering keeps the mesh") {
  for (ElementType type : {ElementType::t3, ElementType::t6}) {
    Mesh given = rectangle(type, {8, 4}, {2, 1}, {0, 0}, 0.75);
    given.groups.push_back({.name = "some", .elements = {0, 5, 17, 100, 127}});
    Mesh hilbert = given;
    renumber_hilbert(hilbert);
    CHECK(hilbert.original_elements != given.original_elements);
    CHECK(hilbert.original_nodes != given.original_nodes);
    require_same_mesh(given, hilbert);
    CHECK(neighbours_match(hilbert));

    Mesh twice = hilbert;
    renumber(twice, shuffled(twice.node_count(), 5), shuffled(twice.element_count(), 6));
    require_same_mesh(given, twice);

    Mesh connected = twice;
    connect(connected);
    CHECK(connected.neighbours == twice.neighbours);
  }
}

TEST_CASE("renumbering means new id i is old id order[i]") {
  Mesh mesh = rectangle(ElementType::t3, {1, 1}, {1, 1});
  const Mesh given = mesh;
  renumber(mesh, {4, 3, 2, 1, 0}, {2, 3, 0, 1});
  CHECK(mesh.original_nodes == std::vector<Index>{4, 3, 2, 1, 0});
  CHECK(mesh.original_elements == std::vector<Index>{2, 3, 0, 1});
  CHECK(mesh.nodes[1].x == given.nodes[3].x);
  CHECK(mesh.node(0, 2) == 0);  // the centre
}

TEST_CASE("Hilbert numbering sorts elements along the curve") {
  // 4 x 4 quads: the 16 triangles of each quadrant are consecutive, in the order of the curve.
  Mesh mesh = rectangle(ElementType::t3, {4, 4}, {1, 1});
  renumber_hilbert(mesh);
  const std::pair<bool, bool> quadrant[4] = {{false, false}, {false, true}, {true, true}, {true, false}};
  for (Index e = 0; e < 64; ++e) {
    Point centroid;
    for (int k = 0; k < 3; ++k) {
      centroid.x += mesh.nodes[mesh.node(e, k)].x / 3;
      centroid.y += mesh.nodes[mesh.node(e, k)].y / 3;
    }
    CHECK((centroid.x > 0.5) == quadrant[e / 16].first);
    CHECK((centroid.y > 0.5) == quadrant[e / 16].second);
  }
}
