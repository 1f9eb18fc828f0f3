#include <cmath>
#include <complex>

#include "cleave/mesh/topology.hpp"
#include "helpers.hpp"

using namespace cleave;
using namespace cleave::test;

namespace {

Mesh notched(ElementType type, std::uint64_t seed) {
  return delaunay(rectangle(ElementType::t3, {60, 40}, {6, 4}, {0, 0}, 2), type, seed);
}

double length(const Mesh& mesh, const std::vector<Index>& facets) {
  double sum = 0;
  for (const Index code : facets) {
    const Point a = mesh.nodes[mesh.node(element_of(code), (facet_of(code) + 1) % 3)];
    const Point b = mesh.nodes[mesh.node(element_of(code), (facet_of(code) + 2) % 3)];
    sum += std::hypot(a.x - b.x, a.y - b.y);
  }
  return sum;
}

}  // namespace

TEST_CASE("an unstructured mesh keeps region, counts, boundary and groups") {
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  const Mesh plain = rectangle(type, {60, 40}, {6, 4}, {0, 0}, 2), mesh = notched(type, 1);
  CHECK_NOTHROW(check_mesh(mesh, "delaunay"));
  Mesh again = mesh;
  connect(again);  // from scratch
  CHECK(again.neighbours == mesh.neighbours);
  const MeshCounts a = count(plain), b = count(mesh);
  CHECK(b.nodes == a.nodes);
  CHECK(b.elements == a.elements);
  CHECK(b.boundary_facets == a.boundary_facets);
  CHECK(b.euler == a.euler);
  CHECK(quality(mesh).area == Approx(24).epsilon(1e-13));
  CHECK(mesh.original_nodes.size() == mesh.nodes.size());
  CHECK(mesh.structured_colours.empty());
  REQUIRE(mesh.groups.size() == plain.groups.size());
  for (const Group& group : plain.groups) {
    INFO(group.name);
    const Group& kept = *mesh.find_group(group.name);
    CHECK(kept.nodes.size() == group.nodes.size());
    CHECK(length(mesh, kept.facets) == Approx(length(plain, group.facets)).epsilon(1e-13));
    for (const Index code : kept.facets) CHECK(mesh.neighbours[code] == boundary_facet);
  }
  for (const Index n : mesh.find_group("notch")->nodes) CHECK(mesh.nodes[n].y == 2);
}

TEST_CASE("an unstructured mesh obeys Delaunay's rule with well shaped triangles") {
  const Mesh mesh = notched(ElementType::t3, 1);
  // The two angles that face a facet add up to less than 180 degrees.
  const auto angle = [&](Index code) {
    const Point p = mesh.nodes[mesh.node(element_of(code), facet_of(code))];
    const Point a = mesh.nodes[mesh.node(element_of(code), (facet_of(code) + 1) % 3)];
    const Point b = mesh.nodes[mesh.node(element_of(code), (facet_of(code) + 2) % 3)];
    return std::atan2((a.x - p.x) * (b.y - p.y) - (a.y - p.y) * (b.x - p.x),
                      (a.x - p.x) * (b.x - p.x) + (a.y - p.y) * (b.y - p.y));
  };
  double worst = 0;
  for (Index code = 0; code < static_cast<Index>(mesh.neighbours.size()); ++code)
    if (is_intact(mesh.neighbours[code])) worst = std::max(worst, angle(code) + angle(mesh.neighbours[code]));
  CHECK(worst < M_PI * (1 + 1e-9));
  const MeshQuality q = quality(mesh);
  CHECK(q.smallest_angle > 15);
  CHECK(q.smallest_altitude > 0.1 * 0.2);  // the crossed quads' is half the cell, 0.05
}

TEST_CASE("facets of an unstructured mesh have no preferred direction") {
  const Mesh mesh = notched(ElementType::t3, 1);
  for (const int fold : {2, 4, 6, 8}) {
    std::complex<double> sum;
    int facets = 0;
    for (Index code = 0; code < static_cast<Index>(mesh.neighbours.size()); ++code) {
      if (mesh.neighbours[code] <= code) continue;  // interior facets, once
      const Point a = mesh.nodes[mesh.node(element_of(code), (facet_of(code) + 1) % 3)];
      const Point b = mesh.nodes[mesh.node(element_of(code), (facet_of(code) + 2) % 3)];
      sum += std::polar(1.0, fold * std::atan2(b.y - a.y, b.x - a.x));
      ++facets;
    }
    INFO("fold " << fold);
    // 14,000 random directions give about 0.01; those at the sides follow them. Crossed quads: 1 for fold 8.
    CHECK(std::abs(sum) / facets < 0.04);
  }
}

TEST_CASE("an unstructured mesh repeats with its seed and changes with it") {
  const Mesh a = notched(ElementType::t6, 1), b = notched(ElementType::t6, 1), c = notched(ElementType::t6, 2);
  CHECK(a.elements == b.elements);
  bool same = true;
  for (Index n = 0; n < a.node_count(); ++n)
    same = same && a.nodes[n].x == b.nodes[n].x && a.nodes[n].y == b.nodes[n].y;
  CHECK(same);
  CHECK(a.elements != c.elements);
}
