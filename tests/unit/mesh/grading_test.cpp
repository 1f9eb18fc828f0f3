#include <algorithm>
#include <cmath>
#include <limits>

#include "cleave/mesh/topology.hpp"
#include "helpers.hpp"
#include "mesh/changes.hpp"
#include "mesh/groups.hpp"

using namespace cleave;
using namespace cleave::test;
using Catch::Matchers::Contains;

namespace {

constexpr Index any_number = std::numeric_limits<Index>::max() / 3;

double longest_side(const Mesh& mesh, Index e) {
  double longest = 0;
  for (int k = 0; k < 3; ++k) {
    const FacetGeometry facet = facet_geometry(mesh, facet_code(e, k));
    longest = std::max(longest, std::hypot(facet.normal.x, facet.normal.y));
  }
  return longest;
}

/// The longest side of the triangles that hold a point.
double size_at(const Mesh& mesh, Point x) {
  double longest = 0;
  for (Index e = 0; e < mesh.element_count(); ++e) {
    bool inside = true;
    for (int k = 0; k < 3; ++k) {
      const FacetGeometry facet = facet_geometry(mesh, facet_code(e, k));
      inside = inside && (x.x - facet.middle.x) * facet.normal.x + (x.y - facet.middle.y) * facet.normal.y <= 1e-12;
    }
    if (inside) longest = std::max(longest, longest_side(mesh, e));
  }
  REQUIRE(longest > 0);
  return longest;
}

double length_of(const Mesh& mesh, const std::vector<Index>& facets) {
  double length = 0;
  for (const Index code : facets) {
    const FacetGeometry facet = facet_geometry(mesh, code);
    length += std::hypot(facet.normal.x, facet.normal.y);
  }
  return length;
}

void require_conforming(const Mesh& mesh, const std::vector<std::string>& doubled) {
  CHECK_NOTHROW(check_mesh(mesh, "graded"));
  CHECK_NOTHROW(check_fit(mesh, doubled, "graded"));
  CHECK(neighbours_match(mesh));
  if (mesh.type == ElementType::t6) CHECK(mid_sides_in_the_middle(mesh));
  Mesh again = mesh;  // what is joined by nodes is joined by neighbours
  again.neighbours.clear();
  connect(again);
  CHECK(again.neighbours == mesh.neighbours);
}

}  // namespace

TEST_CASE("grading refines triangles to the size, and farther away to a longer one") {
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  const Mesh before = rectangle(type, {8, 4}, {2, 1}, {0, 0}, 0.75);
  const Point tip{0.75, 0.5};
  const Mesh mesh = graded(before, {{tip, 0.01, 0.25}}, any_number);
  require_conforming(mesh, {"notch"});
  CHECK(size_at(mesh, tip) <= 0.01);
  CHECK(size_at(mesh, tip) > 0.01 / std::sqrt(2) / 1.001);
  CHECK(size_at(mesh, {1.9, 0.9}) > 0.2);
  for (Index e = 0; e < mesh.element_count(); ++e) {
    const Point c = centroid(mesh, e);
    CHECK(longest_side(mesh, e) <= 0.01 + 0.25 * std::hypot(c.x - tip.x, c.y - tip.y));
  }
  CHECK(quality(mesh).smallest_angle == Approx(45));  // halves of right isosceles triangles are such triangles
  CHECK(quality(mesh).area == Approx(2));
  CHECK(count(mesh).euler == 1);
  CHECK(mesh.element_count() < 3000);
  for (const Group& group : before.groups) {
    const Group* after = mesh.find_group(group.name);
    REQUIRE(after != nullptr);
    CHECK(length_of(mesh, after->facets) == Approx(length_of(before, group.facets)));
    for (const Index code : after->facets) CHECK(mesh.neighbours[code] == boundary_facet);
  }
  const Mesh again = graded(before, {{tip, 0.01, 0.25}}, any_number);
  CHECK(again.elements == mesh.elements);
}

TEST_CASE("grading an unstructured mesh around several points halves no angle below half of the smallest") {
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  const int seed = GENERATE(1, 2, 3);
  const Mesh before = delaunay(ring(ElementType::t3, {4, 32}, 0.5, 1), type, static_cast<std::uint64_t>(seed));
  const Mesh mesh =
      graded(before, {{{0.5, 0}, 0.004, 0.2}, {{-0.6, 0.4}, 0.01, 0.1}, {{0, -0.9}, 0.02, 0}}, any_number);
  require_conforming(mesh, {});
  CHECK(quality(mesh).smallest_angle >= quality(before).smallest_angle / 2 * (1 - 1e-9));
  CHECK(quality(mesh).area == Approx(quality(before).area));
  CHECK(size_at(mesh, {0.5, 0}) <= 0.004);
  CHECK(size_at(mesh, {-0.6, 0.4}) <= 0.01);
  CHECK(quality(mesh).longest_facet <= 0.02);  // without growth the whole mesh has that size
  CHECK(count(mesh).euler == 0);
  CHECK(length_of(mesh, mesh.find_group("inner")->facets) ==
        Approx(length_of(before, before.find_group("inner")->facets)));
}

TEST_CASE("grading keeps lines inside, triangles and single nodes of groups") {
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  Mesh before = rectangle(type, {4, 4}, {4, 4});
  std::vector<Index> inside, lower, points;
  for (Index e = 0; e < before.element_count(); ++e) {
    if (centroid(before, e).y < 2) lower.push_back(e);
    for (int k = 0; k < 3; ++k) {
      const FacetGeometry facet = facet_geometry(before, facet_code(e, k));
      if (facet.middle.y == 2 && facet.normal.x == 0) inside.push_back(facet_code(e, k));
    }
  }
  // A corner, and for T6 the middles of a side that is cut and of one that is not.
  std::vector<Point> places{{1, 1}};
  if (type == ElementType::t6) places.insert(places.end(), {{0.5, 0}, {3.5, 4}});
  for (const Point place : places)
    for (Index n = 0; n < before.node_count(); ++n)
      if (before.nodes[n].x == place.x && before.nodes[n].y == place.y) points.push_back(n);
  REQUIRE(points.size() == places.size());
  before.groups.push_back(make_group(before, "line", {}, {}, {}, inside));
  before.groups.push_back(make_group(before, "lower", {}, {}, lower));
  before.groups.push_back(make_group(before, "points", {}, points));

  const Mesh mesh = graded(before, {{{0, 0}, 0.05, 0.3}}, any_number);
  require_conforming(mesh, {});
  const Group& line = *mesh.find_group("line");
  CHECK(line.facets.empty());
  CHECK(line.inside.size() > before.find_group("line")->inside.size());
  CHECK(length_of(mesh, line.inside) == Approx(4));
  for (const Index n : line.nodes) CHECK(mesh.nodes[n].y == 2);
  double area = 0;
  for (const Index e : mesh.find_group("lower")->elements) {
    area += twice_area(mesh, e) / 2;
    CHECK(centroid(mesh, e).y < 2);
  }
  CHECK(area == Approx(8));
  const Group& single = *mesh.find_group("points");
  REQUIRE(single.nodes.size() == places.size());
  for (const Point place : places)
    CHECK(std::any_of(single.nodes.begin(), single.nodes.end(),
                      [&](Index n) { return mesh.nodes[n].x == place.x && mesh.nodes[n].y == place.y; }));
}

TEST_CASE("grading keeps a mesh that is fine enough, and stops at the largest number of triangles") {
  const Mesh before = rectangle(ElementType::t3, {4, 4}, {1, 1});
  const Mesh mesh = graded(before, {{{0.5, 0.5}, 0.3, 0}}, any_number);
  CHECK(mesh.element_count() == before.element_count());
  CHECK(quality(mesh).longest_facet == quality(before).longest_facet);
  CHECK_THAT(input_error([&] {
               graded(before, {{{0.5, 0.5}, 0.01, 0}}, 1000);
             }),
             Contains("more than 1000 triangles are needed"));
}
