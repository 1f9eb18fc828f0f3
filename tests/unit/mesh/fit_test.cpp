#include <cmath>

#include "cleave/mesh/contact_depth.hpp"
#include "cleave/mesh/topology.hpp"
#include "helpers.hpp"

using namespace cleave;
using namespace cleave::test;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

/// Triangles, with ids of the input that differ from positions: nodes from 100, elements from 70.
Mesh mesh_of(std::vector<Point> nodes, std::vector<Index> elements) {
  Mesh mesh;
  mesh.type = ElementType::t3;
  mesh.nodes = std::move(nodes);
  mesh.elements = std::move(elements);
  for (Index n = 0; n < mesh.node_count(); ++n) mesh.original_nodes.push_back(100 + n);
  for (Index e = 0; e < mesh.element_count(); ++e) mesh.original_elements.push_back(70 + e);
  check_mesh(mesh, "plate.msh");
  connect(mesh);
  return mesh;
}

std::string fit_error(const Mesh& mesh, const std::vector<std::string>& doubled = {}) {
  return input_error([&] { check_fit(mesh, doubled, "plate.msh"); });
}

/// A square on the left, elements 70 and 71, and one on the right, 72 and 73, whose lower left corner is at (x, y).
Mesh two_squares(double x, double y) {
  return mesh_of({{0, 0}, {1, 0}, {1, 1}, {0, 1}, {x, y}, {x + 1, y}, {x + 1, y + 1}, {x, y + 1}},
                 {0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7});
}

}  // namespace

TEST_CASE("bodies that fit, or are apart, pass", "[fit]") {
  CHECK(fit_error(two_squares(1.01, 0)).empty());
  CHECK(fit_error(two_squares(1 + 2 * fit_tolerance, 0.5)).empty());
  CHECK(fit_error(ring(ElementType::t6, {3, 24}, 0.5, 1)).empty());
  CHECK(fit_error(delaunay(rectangle(ElementType::t3, {12, 8}, {3, 2}), ElementType::t6, 1)).empty());
  CHECK(fit_error(read_mesh(mesh_file("plate_t6.msh"))).empty());
  // Elements that touch in one node.
  CHECK(fit_error(mesh_of({{0, 0}, {1, -1}, {1, 1}, {-1, 1}, {-1, -1}}, {0, 1, 2, 0, 3, 4})).empty());
  // A thin layer on a coarse body.
  CHECK(fit_error(rectangle(ElementType::t3, {2, 1}, {1, 2e-3})).empty());
}

TEST_CASE("nodes at one place are found within the tolerance for any size and position", "[fit]") {
  const double gap = GENERATE(0.0, 0.5 * fit_tolerance, -0.5 * fit_tolerance);
  CHECK_THAT(fit_error(two_squares(1 + gap, 0)),
             StartsWith("plate.msh: elements lie on each other without being joined (tolerance: 0.0001 of a facet)") &&
                 Contains("\n  pairs of nodes at one place: 2; merge them") && Contains("mesh.doubled") &&
                 Contains("\n  nodes 101 and 104 at (1, 0)\n  nodes 102 and 107 at (1, 1)") && !Contains("overlaps") &&
                 !Contains("facet that"));
  for (const double scale : {1e-6, 1e3}) {
    Mesh mesh = two_squares(1 + gap, 0);
    for (Point& p : mesh.nodes) p = {scale * (p.x + 100), scale * (p.y - 100)};
    CHECK_THAT(fit_error(mesh), Contains("pairs of nodes at one place: 2"));
  }
}

TEST_CASE("mid-side nodes at one place are found", "[fit]") {
  const Mesh notched = rectangle(ElementType::t6, {4, 2}, {4, 2}, {0, 0}, 2);
  CHECK_THAT(fit_error(notched), Contains("pairs of nodes at one place: 4"));  // two corners, two mid-sides
  CHECK(fit_error(notched, {"notch"}).empty());
  CHECK_THAT(fit_error(notched, {"bottom"}), Contains("pairs of nodes at one place: 4"));
}

TEST_CASE("hanging nodes are found", "[fit]") {
  // Two small triangles on the right of a large facet.
  const Mesh mesh = mesh_of({{0, 0}, {1, 0}, {1, 1}, {1, 0.5}, {2, 0.5}}, {0, 1, 2, 1, 4, 3, 3, 4, 2});
  CHECK_THAT(fit_error(mesh),
             Contains("nodes on a facet that is not theirs: 1") &&
                 Contains("node 103 at (1, 0.5) on the facet between nodes 101 and 102 of element 70") &&
                 !Contains("one place") && !Contains("overlaps"));
  SECTION("also with nodes of their own") {
    CHECK_THAT(fit_error(two_squares(1, 0.5)),
               Contains("node 102 at (1, 1) on the facet between nodes 107 and 104 of element 73") &&
                   Contains("node 104 at (1, 0.5) on the facet between nodes 101 and 102 of element 70"));
  }
}

TEST_CASE("elements that overlap are found", "[fit]") {
  SECTION("two bodies") {
    CHECK_THAT(fit_error(two_squares(0.9, 0.3)),
               Contains("overlaps of elements: 3") && Contains("elements 70 and 73 at"));
    CHECK_THAT(fit_error(two_squares(1 - 1e-3, 0.3)), Contains("overlaps of elements"));
  }
  SECTION("one inside an element of the other") {
    const Mesh mesh = mesh_of({{0, 0}, {3, 0}, {0, 3}, {1, 1}, {1.2, 1}, {1, 1.2}}, {0, 1, 2, 3, 4, 5});
    CHECK_THAT(fit_error(mesh), Contains("overlaps of elements: 1") && Contains("elements 70 and 71 at (1, 1.1)"));
  }
  SECTION("declared groups do not allow it") {
    Mesh mesh = two_squares(0.9, 0.3);
    mesh.groups.push_back({"crack", {}, {0, 1, 2, 3, 4, 5, 6, 7}, {}});
    CHECK_THAT(fit_error(mesh, {"crack"}), Contains("overlaps of elements: 3"));
  }
  SECTION("around a node, twice") {
    // Eight triangles around the origin, each of 90 degrees: they are joined all around.
    std::vector<Point> nodes{{0, 0}};
    std::vector<Index> elements;
    for (int i = 0; i < 8; ++i) {
      const double angle = std::acos(0.0) * i + 0.3, radius = 1 + 0.1 * i;
      nodes.push_back({radius * std::cos(angle), radius * std::sin(angle)});
      elements.insert(elements.end(), {0, 1 + i, 1 + (i + 1) % 8});
    }
    CHECK_THAT(fit_error(mesh_of(nodes, elements)), Contains("the elements around node 100 at (0, 0)"));
  }
}

TEST_CASE("ten faults of each kind are named and all are counted", "[fit]") {
  const Mesh mesh = rectangle(ElementType::t3, {40, 2}, {40, 2}, {0, 0}, 30);
  CHECK_THAT(fit_error(mesh), Contains("pairs of nodes at one place: 30") && Contains("and 20 more"));
}

TEST_CASE("with contact, elements may lie in each other by a quarter of the altitude around", "[fit]") {
  const double limit = 0.25 * std::sqrt(0.5);
  const Mesh shallow = two_squares(1 - 0.9 * limit, 0.4), deep = two_squares(1 - 1.1 * limit, 0.4);
  const std::vector<double> depths = contact_depths(shallow);
  CHECK(depths == std::vector<double>(4, depths[0]));
  CHECK(depths[0] == Approx(limit));
  CHECK_NOTHROW(check_fit(shallow, {}, "plate.msh", depths));
  CHECK(deepest_element_overlap(shallow).depth == Approx(0.9 * limit));
  CHECK(deepest_element_overlap(shallow).place.x == Approx(1 - 0.9 * limit));
  CHECK(deepest_element_overlap(two_squares(1.1, 0.4)).depth == 0);
  CHECK_THAT(fit_error(shallow), Contains("overlaps of elements"));
  CHECK_THAT(input_error([&] { check_fit(deep, {}, "plate.msh", depths); }),
             Contains("overlaps of elements that are too deep for `contact`") && Contains("elements 70 and 7"));
}
