#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

#include "cleave/mesh/topology.hpp"
#include "helpers.hpp"

using namespace cleave;
using namespace cleave::test;
using Catch::Matchers::Contains;

namespace {

struct Expected {
  Index elements, nodes, interior_facets, boundary_facets, euler;
};

void require_counts(const Mesh& mesh, const Expected& expected) {
  const MeshCounts counts = count(mesh);
  CHECK(counts.elements == expected.elements);
  CHECK(counts.nodes == expected.nodes);
  CHECK(counts.interior_facets == expected.interior_facets);
  CHECK(counts.boundary_facets == expected.boundary_facets);
  CHECK(counts.facets == expected.interior_facets + expected.boundary_facets);
  CHECK(counts.euler == expected.euler);
  CHECK(counts.components == 1);
  if (mesh.type == ElementType::t6) CHECK(counts.nodes == counts.corner_nodes + counts.facets);
}

}  // namespace

TEST_CASE("corner nodes are counted by their triangles") {
  // Two quads of four triangles: four corners of two, two nodes between the quads and two centres of four.
  for (const ElementType type : {ElementType::t3, ElementType::t6})
    CHECK(count(rectangle(type, {2, 1}, {2, 1})).corner_nodes_of == std::vector<Index>{0, 0, 4, 0, 4});
}

TEST_CASE("facet nodes are those of the element's triples") {
  const int t6[3][3] = {{1, 4, 2}, {2, 5, 0}, {0, 3, 1}};
  const int t3[3][2] = {{1, 2}, {2, 0}, {0, 1}};
  for (int k = 0; k < 3; ++k) {
    for (int i = 0; i < 3; ++i) CHECK(facet_node_slot(ElementType::t6, k, i) == t6[k][i]);
    for (int i = 0; i < 2; ++i) CHECK(facet_node_slot(ElementType::t3, k, i) == t3[k][i]);
  }
}

// Counts of A. Alhadeff et al., IJNME 103 (2015) 859.
TEST_CASE("notched rectangles have the published counts") {
  require_counts(coarse_strip(), {36864, 74257, 55032, 528, 1});
  require_counts(rectangle(ElementType::t6, {384, 96}, {16e-3, 4e-3}, {0, 0}, 2e-3), {147456, 295969, 220656, 1056, 1});
}

TEST_CASE("a rectangle without notch has 48 nodes less") {
  require_counts(rectangle(ElementType::t6, {192, 48}, {16e-3, 4e-3}), {36864, 74209, 55056, 480, 1});
}

TEST_CASE("rings have the published counts") {
  auto t6_ring = [](int radial, int around) { return ring(ElementType::t6, {radial, around}, 0.08, 0.15); };
  require_counts(t6_ring(20, 160), {12800, 25920, 19040, 320, 0});
  require_counts(t6_ring(30, 240), {28800, 58080, 42960, 480, 0});
  require_counts(t6_ring(40, 320), {51200, 103040, 76480, 640, 0});
  require_counts(t6_ring(96, 768), {294912, 591360, 441600, 1536, 0});
  require_counts(t6_ring(115, 787), {362020, 725614, 542243, 1574, 0});
}

TEST_CASE("a large ring does not depend on the number of threads") {
  constexpr int radial = 90, around = 400;  // many times what a thread takes at once
  const auto [mesh, by_four] = on_one_and_four_threads([] {
    return ring(ElementType::t6, {radial, around}, 0.08, 0.15);
  });
  const auto same = [](Point a, Point b) { return a.x == b.x && a.y == b.y; };
  CHECK(std::ranges::equal(by_four.nodes, mesh.nodes, same));
  CHECK(by_four.elements == mesh.elements);
  CHECK(by_four.neighbours == mesh.neighbours);
  CHECK(by_four.structured_colours == mesh.structured_colours);
  CHECK(by_four.original_nodes == mesh.original_nodes);
  CHECK(by_four.original_elements == mesh.original_elements);

  // Nodes on radial lines, centres of quads, and mid-side nodes in the order in which elements first meet them.
  Index wrong = 0, next = (radial + 1) * around + radial * around;
  for (int i = 0; i <= radial; ++i)
    for (int j = 0; j < around; ++j) {
      const Point p = by_four.nodes[i * around + j];
      const double angle = 2 * std::numbers::pi * j / around, radius = 0.08 + 0.07 * i / radial;
      wrong += std::hypot(p.x - radius * std::cos(angle), p.y - radius * std::sin(angle)) > 1e-15;
    }
  for (Index e = 0; e < by_four.element_count(); ++e)
    for (int k = 0; k < 3; ++k) {
      const Index mid = by_four.node(e, facet_node_slot(ElementType::t6, k, 1));
      const Index start = by_four.node(e, (k + 1) % 3), end = by_four.node(e, (k + 2) % 3);
      const Point a = by_four.nodes[start], b = by_four.nodes[end];
      wrong += !same(by_four.nodes[mid], {(a.x + b.x) / 2, (a.y + b.y) / 2});
      wrong += mid > next;
      next += mid == next;
    }
  CHECK(wrong == 0);
  CHECK(next == by_four.node_count());
}

TEST_CASE("linear meshes have corner nodes only") {
  require_counts(coarse_strip(ElementType::t3), {36864, 193 * 49 + 192 * 48 + 24, 55032, 528, 1});
  require_counts(ring(ElementType::t3, {20, 160}, 0.08, 0.15), {12800, 160 * 41, 19040, 320, 0});
}

TEST_CASE("the smallest meshes are generated") {
  require_counts(rectangle(ElementType::t6, {1, 1}, {1, 1}), {4, 13, 4, 4, 1});
  require_counts(rectangle(ElementType::t3, {2, 2}, {1, 1}, {0, 0}, 0.5), {16, 14, 19, 10, 1});
  require_counts(ring(ElementType::t3, {1, 5}, 0.5, 1), {20, 15, 25, 10, 0});
}

TEST_CASE("generated meshes are connected, checked and placed") {
  const Mesh strip = rectangle(ElementType::t6, {8, 6}, {2, 0.9}, {-1, 3}, 0.75);
  const Mesh annulus = ring(ElementType::t6, {3, 12}, 1, 3);
  for (const Mesh* mesh : {&strip, &annulus}) {
    CHECK(neighbours_match(*mesh));
    CHECK(mid_sides_in_the_middle(*mesh));
    CHECK_NOTHROW(check_mesh(*mesh, "generated mesh"));
    for (Index e = 0; e < mesh->element_count(); ++e) CHECK(mesh->original_elements[e] == e);
    for (Index n = 0; n < mesh->node_count(); ++n) CHECK(mesh->original_nodes[n] == n);
  }
  CHECK(quality(strip).area == Approx(1.8));
  CHECK(quality(annulus).area == Approx(6 * (9 - 1) * std::sin(std::numbers::pi / 6)));  // 12 sided polygons
  CHECK(strip.nodes[0].x == -1);
  CHECK(strip.nodes[0].y == 3);
  CHECK(strip.nodes[8].x == 1);
  // Corner (i, j) = (2, 5) and the centre of quad (2, 5) of the ring.
  const double angle = 2 * std::numbers::pi / 12;
  CHECK(annulus.nodes[2 * 12 + 5].x == Approx((1 + 2 * 2. / 3) * std::cos(5 * angle)));
  CHECK(annulus.nodes[4 * 12 + 2 * 12 + 5].y == Approx((1 + 2 * 2.5 / 3) * std::sin(5.5 * angle)));
}

TEST_CASE("triangle k of a quad lies on its side k") {
  const Mesh mesh = rectangle(ElementType::t3, {3, 2}, {3, 2});
  const Point outward[4] = {{0, -1}, {1, 0}, {0, 1}, {-1, 0}};
  for (Index e = 0; e < mesh.element_count(); ++e) {
    const FacetGeometry side = facet_geometry(mesh, facet_code(e, 2));
    CHECK(side.normal.x == Approx(outward[e % 4].x).margin(1e-14));
    CHECK(side.normal.y == Approx(outward[e % 4].y).margin(1e-14));
    CHECK(side.middle.x == Approx(e / 4 % 3 + 0.5 + outward[e % 4].x / 2).margin(1e-14));
    CHECK(side.middle.y == Approx(e / 12 + 0.5 + outward[e % 4].y / 2).margin(1e-14));
  }
}

TEST_CASE("groups of a notched rectangle hold the right facets") {
  for (ElementType type : {ElementType::t3, ElementType::t6}) {
    const Mesh mesh = rectangle(type, {8, 4}, {2, 1}, {0, 0}, 0.75);
    const int per_facet = type == ElementType::t6 ? 2 : 1;
    struct Side {
      const char* name;
      std::size_t facets;
      Point outward;
    };
    std::set<Index> seen;
    for (const Side& side :
         {Side{"left", 4, {-1, 0}}, {"right", 4, {1, 0}}, {"bottom", 8, {0, -1}}, {"top", 8, {0, 1}}}) {
      const Group* group = mesh.find_group(side.name);
      REQUIRE(group != nullptr);
      CHECK(group->facets.size() == side.facets);
      // The doubled node at the mouth of the notch parts the left side.
      CHECK(group->nodes.size() == side.facets * per_facet + 1 + (std::string(side.name) == "left" ? 1 : 0));
      CHECK(std::is_sorted(group->facets.begin(), group->facets.end()));
      CHECK(std::is_sorted(group->nodes.begin(), group->nodes.end()));
      for (Index code : group->facets) {
        const FacetGeometry facet = facet_geometry(mesh, code);
        CHECK(facet.normal.x == Approx(0.25 * side.outward.x).margin(1e-14));
        CHECK(facet.normal.y == Approx(0.25 * side.outward.y).margin(1e-14));
        if (side.outward.x != 0) CHECK(facet.middle.x == (side.outward.x > 0 ? 2 : 0));
        if (side.outward.y != 0) CHECK(facet.middle.y == (side.outward.y > 0 ? 1 : 0));
        CHECK(mesh.neighbours[code] == boundary_facet);
        CHECK(seen.insert(code).second);
      }
    }
    const Group* notch = mesh.find_group("notch");
    REQUIRE(notch != nullptr);
    CHECK(notch->facets.size() == 6);
    CHECK(notch->nodes.size() == static_cast<std::size_t>(type == ElementType::t6 ? 13 : 7));
    int upward = 0;
    for (Index code : notch->facets) {
      const FacetGeometry facet = facet_geometry(mesh, code);
      CHECK(facet.middle.y == 0.5);
      CHECK(facet.middle.x < 0.75);
      CHECK(mesh.neighbours[code] == boundary_facet);
      if (facet.normal.y > 0) ++upward;
      CHECK(seen.insert(code).second);
    }
    CHECK(upward == 3);  // the lower body's face looks up
    CHECK(seen.size() == static_cast<std::size_t>(count(mesh).boundary_facets));
  }
}

TEST_CASE("a notch lies at the given height and divides the left side") {
  const Mesh mesh = rectangle(ElementType::t6, {4, 5}, {4, 5}, {10, 20}, 2, 1.0);
  for (const Index n : mesh.find_group("notch")->nodes) {
    CHECK(mesh.nodes[n].y == 21);
    CHECK(mesh.nodes[n].x <= 12);
  }
  CHECK(mesh.find_group("left_below")->facets.size() == 1);
  CHECK(mesh.find_group("left_above")->facets.size() == 4);
  for (const Index n : mesh.find_group("left_below")->nodes) CHECK(mesh.nodes[n].y <= 21);
  for (const Index n : mesh.find_group("left_above")->nodes) CHECK(mesh.nodes[n].y >= 21);
  for (const double height : {0.0, 5.0, 1.5, -1.0})
    CHECK_THAT(input_error([&] {
                 rectangle(ElementType::t3, {4, 5}, {4, 5}, {0, 0}, 2, height);
               }),
               Contains("notch height is"));
}

TEST_CASE("an intact rectangle has no notch group") {
  CHECK(rectangle(ElementType::t3, {2, 2}, {1, 1}).find_group("notch") == nullptr);
}

TEST_CASE("groups of a ring face away from the body") {
  const Mesh mesh = ring(ElementType::t6, {4, 24}, 0.08, 0.15);
  for (const auto& [name, radius, sign] : {std::tuple{"inner", 0.08, -1}, {"outer", 0.15, 1}}) {
    const Group* group = mesh.find_group(name);
    REQUIRE(group != nullptr);
    CHECK(group->facets.size() == 24);
    CHECK(group->nodes.size() == 48);
    for (Index code : group->facets) {
      const FacetGeometry facet = facet_geometry(mesh, code);
      CHECK(std::hypot(facet.middle.x, facet.middle.y) == Approx(radius * std::cos(std::numbers::pi / 24)));
      CHECK(sign * (facet.normal.x * facet.middle.x + facet.normal.y * facet.middle.y) > 0);
    }
  }
}

TEST_CASE("right-angled isosceles triangles have known quality") {
  const MeshQuality q = quality(rectangle(ElementType::t6, {4, 2}, {4, 2}));
  CHECK(q.smallest_angle == Approx(45));
  CHECK(q.largest_angle == Approx(90));
  CHECK(q.smallest_altitude == Approx(0.5));
  CHECK(q.shortest_facet == Approx(std::sqrt(0.5)));
  CHECK(q.longest_facet == Approx(1));
  CHECK(q.area == Approx(8));
}

TEST_CASE("wrong sizes of generated meshes are explained") {
  auto rectangle_error = [](std::array<int, 2> divisions, std::array<double, 2> size, double notch) {
    return input_error([&] { rectangle(ElementType::t3, divisions, size, {0, 0}, notch); });
  };
  CHECK_THAT(rectangle_error({0, 2}, {1, 1}, 0), Contains("divisions are 0 x 2"));
  CHECK_THAT(rectangle_error({30000, 30000}, {1, 1}, 0), Contains("178956970 quads"));
  CHECK_THAT(rectangle_error({2, 2}, {1, -1}, 0), Contains("size is 1 x -1 m"));
  CHECK_THAT(rectangle_error({2, 2}, {1, NAN}, 0), Contains("size"));
  CHECK_THAT(rectangle_error({4, 3}, {1, 1}, 0.5), Contains("3 rows are odd"));
  CHECK_THAT(rectangle_error({4, 4}, {1, 1}, 0.3), Contains("notch length is 0.3 m") && Contains("0.25 m"));
  CHECK_THAT(rectangle_error({4, 4}, {1, 1}, 1), Contains("notch length is 1 m"));
  CHECK_THAT(rectangle_error({4, 4}, {1, 1}, -0.25), Contains("notch length is -0.25 m"));
  CHECK_THAT(rectangle_error({4, 4}, {1, 1}, NAN), Contains("notch length is nan m"));

  auto ring_error = [](std::array<int, 2> divisions, double inner, double outer) {
    return input_error([&] { ring(ElementType::t3, divisions, inner, outer); });
  };
  CHECK_THAT(ring_error({2, 2}, 1, 2), Contains("divisions are 2 x 2"));
  CHECK_THAT(ring_error({2, 20}, 2, 1), Contains("inner radius is 2 m"));
  CHECK_THAT(ring_error({2, 20}, 0, 1), Contains("inner radius is 0 m"));
  CHECK_THAT(ring_error({20, 10}, 0.08, 0.15), Contains("10 quads around are too few") && Contains("more than 20"));
  CHECK(ring_error({20, 21}, 0.08, 0.15).empty());
  CHECK_NOTHROW(check_mesh(ring(ElementType::t3, {20, 21}, 0.08, 0.15), "ring"));
}
