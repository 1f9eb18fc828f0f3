#include <cmath>
#include <map>
#include <numeric>

#include "cleave/mesh/topology.hpp"
#include "formats.hpp"
#include "mesh/changes.hpp"

using namespace cleave;
using namespace cleave::test;

namespace {

/// 4 x 4 quads on the unit square, whose corners lie at multiples of 1/4; centres between them.
Mesh plate(ElementType type) { return rectangle(type, {4, 4}, {1, 1}); }

/// The facets along a polyline through nodes.
std::vector<Index> along(const Mesh& mesh, const std::vector<Point>& path) {
  std::vector<Index> facets;
  const auto at = [](Point a, Point b) { return std::hypot(a.x - b.x, a.y - b.y) < 1e-12; };
  for (std::size_t i = 0; i + 1 < path.size(); ++i) {
    const std::size_t before = facets.size();
    for (Index code = 0; code < static_cast<Index>(mesh.neighbours.size()); ++code) {
      const Point a = mesh.nodes[mesh.node(element_of(code), (facet_of(code) + 1) % 3)];
      const Point b = mesh.nodes[mesh.node(element_of(code), (facet_of(code) + 2) % 3)];
      if (mesh.neighbours[code] > code &&
          ((at(a, path[i]) && at(b, path[i + 1])) || (at(b, path[i]) && at(a, path[i + 1]))))
        facets.push_back(code);
    }
    REQUIRE(facets.size() == before + 1);
  }
  return facets;
}

/// Copies by place, counted by hand: sectors of elements at each node, less one.
struct Crack {
  const char* what;
  std::vector<std::vector<Point>> paths;
  std::vector<std::pair<Point, int>> corner_copies;
  int components;
};

const std::vector<Crack> cracks{
    {"straight, inside at both ends", {{{.25, .5}, {.5, .5}, {.75, .5}}}, {{{.5, .5}, 1}}, 1},
    {"from the boundary to a tip inside", {{{0, .5}, {.25, .5}, {.5, .5}}}, {{{0, .5}, 1}, {{.25, .5}, 1}}, 1},
    {"through the body",
     {{{0, .5}, {.25, .5}, {.5, .5}, {.75, .5}, {1, .5}}},
     {{{0, .5}, 1}, {{.25, .5}, 1}, {{.5, .5}, 1}, {{.75, .5}, 1}, {{1, .5}, 1}},
     2},
    {"kinked",
     {{{.25, .25}, {.5, .25}, {.625, .375}, {.75, .5}, {.75, .75}}},
     {{{.5, .25}, 1}, {{.625, .375}, 1}, {{.75, .5}, 1}},
     1},
    {"a kink with both facets of one triangle", {{{.25, .5}, {.375, .375}, {.5, .5}}}, {{{.375, .375}, 1}}, 1},
    {"crossing inside", {{{.25, .5}, {.5, .5}, {.75, .5}}, {{.5, .25}, {.5, .5}, {.5, .75}}}, {{{.5, .5}, 3}}, 1},
    {"crossing along three lines",
     {{{.25, .5}, {.5, .5}, {.75, .5}}, {{.5, .25}, {.5, .5}, {.5, .75}}, {{.375, .375}, {.5, .5}, {.625, .625}}},
     {{{.5, .5}, 5}},
     1},
    {"one that ends on another",
     {{{.25, .5}, {.5, .5}, {.75, .5}}, {{.5, .5}, {.5, .75}, {.5, 1}}},
     {{{.5, .5}, 2}, {{.5, .75}, 1}, {{.5, 1}, 1}},
     1},
    {"two from the same place of the boundary",
     {{{.5, 0}, {.375, .125}, {.25, .25}}, {{.5, 0}, {.5, .25}}},
     {{{.5, 0}, 2}, {{.375, .125}, 1}},
     1},
    {"closed",
     {{{.25, .25}, {.5, .25}, {.5, .5}, {.25, .5}, {.25, .25}}},
     {{{.25, .25}, 1}, {{.5, .25}, 1}, {{.5, .5}, 1}, {{.25, .5}, 1}},
     2},
    {"two apart", {{{0, .25}, {.25, .25}}, {{1, .75}, {.75, .75}}}, {{{0, .25}, 1}, {{1, .75}, 1}}, 1},
};

}  // namespace

TEST_CASE("a crack adds a copy of a node for each sector but one") {
  for (const ElementType type : {ElementType::t3, ElementType::t6}) {
    for (const Crack& crack : cracks) {
      INFO(crack.what << (type == ElementType::t3 ? ", T3" : ", T6"));
      Mesh mesh = plate(type);
      const Mesh before = mesh;
      std::vector<Index> facets;
      for (const auto& path : crack.paths) {
        const std::vector<Index> more = along(mesh, path);
        facets.insert(facets.end(), more.begin(), more.end());
      }
      mesh.groups.push_back({"crack", {}, {}, {}, facets});
      std::sort(mesh.groups.back().inside.begin(), mesh.groups.back().inside.end());
      CHECK(open_facets(mesh, facets).empty());

      std::map<std::pair<double, double>, int> copies, expected;
      for (Index n = before.node_count(); n < mesh.node_count(); ++n) ++copies[{mesh.nodes[n].x, mesh.nodes[n].y}];
      for (const auto& [at, count] : crack.corner_copies) expected[{at.x, at.y}] = count;
      if (type == ElementType::t6)
        for (const auto& path : crack.paths)
          for (std::size_t i = 0; i + 1 < path.size(); ++i)
            expected[{(path[i].x + path[i + 1].x) / 2, (path[i].y + path[i + 1].y) / 2}] = 1;
      CHECK(copies == expected);

      // The mesh is what its elements say, and all its groups are.
      check_mesh(mesh, "mesh");
      Mesh again = mesh;
      connect(again);
      CHECK(again.neighbours == mesh.neighbours);
      CHECK(count(mesh).components == crack.components);
      CHECK(count(mesh).boundary_facets == count(before).boundary_facets + 2 * static_cast<Index>(facets.size()));
      check_fit(mesh, {"crack"}, "mesh");
      const Group& both = *mesh.find_group("crack");
      CHECK(both.inside.empty());
      CHECK(both.facets.size() == 2 * facets.size());
      for (const char* side : {"left", "right", "bottom", "top"}) {
        const Group &group = *mesh.find_group(side), &old = *before.find_group(side);
        CHECK(group.facets == old.facets);
        std::size_t here = 0;
        for (Index n = 0; n < mesh.node_count(); ++n) {
          const Point p = mesh.nodes[n];
          here += (side[0] == 'l'   ? p.x == 0
                   : side[0] == 'r' ? p.x == 1
                   : side[0] == 'b' ? p.y == 0
                                    : p.y == 1)
                      ? 1
                      : 0;
        }
        // A sector at the boundary that has no facet of it is no part of the group.
        CHECK(group.nodes.size() == here - (std::string(crack.what).starts_with("two from") && side[0] == 'b' ? 1 : 0));
      }
      std::vector<Index> ids = mesh.original_nodes, all(mesh.nodes.size());
      std::iota(all.begin(), all.end(), 0);
      CHECK(ids == all);
    }
  }
}

TEST_CASE("an inner crack of one facet opens at mid-side nodes only") {
  Mesh t3 = plate(ElementType::t3), t6 = plate(ElementType::t6);
  const std::vector<Index> facet = along(t3, {{.25, .5}, {.5, .5}});
  CHECK(open_facets(t6, facet).empty());
  CHECK(t6.node_count() == plate(ElementType::t6).node_count() + 1);
  CHECK(open_facets(t3, facet) == facet);
  Mesh fine = plate(ElementType::t3);
  fine.groups.push_back({"crack", {}, {}, {}, facet});
  fine = refined(fine, "mesh");
  CHECK(fine.find_group("crack")->inside.size() == 2);
  CHECK(open_facets(fine, fine.find_group("crack")->inside).empty());
}

TEST_CASE("single nodes of groups on a crack keep all copies") {
  Mesh mesh = plate(ElementType::t3);
  const std::vector<Index> facets = along(mesh, {{0, .5}, {.25, .5}, {.5, .5}});
  const Index node = 2 * 5 + 1;  // at (.25, .5)
  mesh.groups.push_back({"point", {}, {node}});
  mesh.original_nodes.assign(mesh.nodes.size(), 0);
  std::iota(mesh.original_nodes.begin(), mesh.original_nodes.end(), 1000);
  open_facets(mesh, facets);
  CHECK(mesh.find_group("point")->nodes == std::vector<Index>{node, mesh.node_count() - 1});
  CHECK(mesh.original_nodes.back() == mesh.node_count() - 1 + 1000);
}

TEST_CASE("a refined mesh has four triangles for one and the same groups") {
  for (const ElementType type : {ElementType::t3, ElementType::t6}) {
    Mesh mesh = rectangle(type, {6, 4}, {3, 2}, {0, 0}, 1);
    mesh.groups.push_back({"crack", {}, {}, {}, along(mesh, {{1.5, 1}, {2, 1}, {2.5, 1}})});
    mesh.groups.push_back({"part", {}, {}, {3, 7}});
    std::sort(mesh.groups[mesh.groups.size() - 2].inside.begin(), mesh.groups[mesh.groups.size() - 2].inside.end());
    const Mesh fine = refined(mesh, "mesh");
    check_mesh(fine, "mesh");
    check_fit(fine, {"notch"}, "mesh");
    CHECK(neighbours_match(fine));
    CHECK(count(fine).elements == 4 * count(mesh).elements);
    CHECK(count(fine).euler == count(mesh).euler);
    CHECK(count(fine).boundary_facets == 2 * count(mesh).boundary_facets);
    CHECK(quality(fine).area == Approx(quality(mesh).area));
    CHECK(quality(fine).smallest_angle == Approx(quality(mesh).smallest_angle));
    if (type == ElementType::t6) CHECK(mid_sides_in_the_middle(fine));
    const auto length = [](const Mesh& m, const std::vector<Index>& codes) {
      double sum = 0;
      for (const Index code : codes)
        sum += std::hypot(facet_geometry(m, code).normal.x, facet_geometry(m, code).normal.y);
      return sum;
    };
    for (std::size_t g = 0; g < mesh.groups.size(); ++g) {
      const Group &old = mesh.groups[g], &now = fine.groups[g];
      INFO(old.name);
      CHECK(now.name == old.name);
      CHECK(now.facets.size() == 2 * old.facets.size());
      CHECK(now.inside.size() == 2 * old.inside.size());
      CHECK(now.elements.size() == 4 * old.elements.size());
      CHECK(length(fine, now.facets) == Approx(length(mesh, old.facets)));
      CHECK(length(fine, now.inside) == Approx(length(mesh, old.inside)));
      for (const Index code : now.facets) CHECK(fine.neighbours[code] == boundary_facet);
      for (const Index code : now.inside) CHECK(fine.neighbours[code] > code);
    }
  }
}
