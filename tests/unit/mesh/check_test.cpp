#include <cmath>
#include <limits>

#include "cleave/mesh/topology.hpp"
#include "helpers.hpp"

using namespace cleave;
using namespace cleave::test;
using Catch::Matchers::Contains;

namespace {

/// Two triangles on the unit square, with ids of the input that differ from positions.
Mesh square() {
  Mesh mesh;
  mesh.type = ElementType::t3;
  mesh.nodes = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
  mesh.elements = {0, 1, 2, 0, 2, 3};
  mesh.original_nodes = {100, 101, 102, 103};
  mesh.original_elements = {70, 71};
  return mesh;
}

std::string check_error(const Mesh& mesh) {
  return input_error([&] { check_mesh(mesh, "square.msh"); });
}

std::string connect_error(Mesh mesh) {
  return input_error([&] { connect(mesh, "square.msh"); });
}

}  // namespace

TEST_CASE("a good mesh passes") {
  Mesh mesh = square();
  CHECK(check_error(mesh).empty());
  connect(mesh);
  CHECK(mesh.neighbours == std::vector<Index>{-1, facet_code(1, 2), -1, -1, -1, facet_code(0, 1)});
  CHECK(twice_area(mesh, 1) == 1);
}

TEST_CASE("check_mesh names what is wrong") {
  Mesh mesh = square();
  SECTION("no elements") {
    mesh.elements.clear();
    CHECK_THAT(check_error(mesh), Contains("square.msh: ") && Contains("no elements"));
  }
  SECTION("not a number") {
    mesh.nodes[2].y = std::numeric_limits<double>::quiet_NaN();
    CHECK_THAT(check_error(mesh), Contains("node 102 at (1, nan)") && !Contains("node 101 at") && !Contains("element"));
  }
  SECTION("infinite") {
    mesh.nodes[1].x = std::numeric_limits<double>::infinity();
    CHECK_THAT(check_error(mesh), Contains("node 101 at (inf, 0)"));
  }
  SECTION("node id too large") {
    mesh.elements[5] = 4;
    CHECK_THAT(check_error(mesh), Contains("element 71: node 4 does not exist, there are 4 nodes"));
  }
  SECTION("negative node id") {
    mesh.elements[0] = -1;
    CHECK_THAT(check_error(mesh), Contains("element 70: node -1 does not exist"));
  }
  SECTION("repeated node") {
    mesh.elements[1] = 0;
    CHECK_THAT(check_error(mesh), Contains("element 70 has the same node twice") && !Contains("no area"));
  }
  SECTION("clockwise") {
    std::swap(mesh.elements[4], mesh.elements[5]);
    CHECK_THAT(check_error(mesh), Contains("element 71 (nodes 100, 103, 102) is clockwise") && !Contains("element 70"));
  }
  SECTION("no area") {
    mesh.nodes[3] = {0.5, 0.5 + 1e-14};
    CHECK_THAT(check_error(mesh), Contains("element 71 (nodes 100, 102, 103) has no area"));
  }
  SECTION("thin but valid") {
    mesh.nodes[3] = {0.5, 0.5 + 1e-6};
    CHECK(check_error(mesh).empty());
  }
  SECTION("unused node") {
    mesh.nodes.push_back({2, 2});
    mesh.original_nodes.push_back(104);
    CHECK_THAT(check_error(mesh), Contains("node 104 belongs to no element"));
  }
  SECTION("several at once") {
    std::swap(mesh.elements[4], mesh.elements[5]);
    mesh.nodes.push_back({2, 2});
    mesh.original_nodes.push_back(104);
    CHECK_THAT(check_error(mesh), Contains("element 71") && Contains("node 104"));
  }
  SECTION("positions when there are no original ids") {
    mesh.original_nodes.clear();
    mesh.original_elements.clear();
    std::swap(mesh.elements[4], mesh.elements[5]);
    CHECK_THAT(check_error(mesh), Contains("element 1 (nodes 0, 3, 2) is clockwise"));
  }
}

TEST_CASE("check_mesh lists ten problems and counts the rest") {
  Mesh mesh = rectangle(ElementType::t3, {4, 4}, {1, 1});
  for (std::size_t i = 0; i < mesh.elements.size(); i += 3) std::swap(mesh.elements[i], mesh.elements[i + 1]);
  const std::string error = check_error(mesh);
  CHECK_THAT(error, Contains("element 9 ") && !Contains("element 10 ") && Contains("and 54 more"));
}

TEST_CASE("check_mesh reports the same errors of a large mesh on any number of threads") {
  Mesh mesh = rectangle(ElementType::t3, {200, 200}, {1, 1});
  for (const Index e : {150'000, 70'000, 5, 70'001}) std::swap(mesh.elements[3 * e], mesh.elements[3 * e + 1]);
  mesh.nodes[60'000].x = std::numeric_limits<double>::quiet_NaN();
  mesh.nodes.insert(mesh.nodes.end(), 2, {0.5, 0.5});
  mesh.original_nodes.insert(mesh.original_nodes.end(), {90'000, 90'001});
  const auto [text, text_by_four] =
      on_one_and_four_threads([&] { return input_error([&] { check_mesh(mesh, "large"); }); });
  CHECK(text_by_four == text);
  std::size_t at = 0;
  for (const char* named : {"node 60000 at (nan", "element 5 ", "element 70000 ", "element 70001 ", "element 150000 ",
                            "node 90000 belongs to no element", "node 90001 belongs to no element"}) {
    CAPTURE(named, text);
    at = text.find(named, at);
    REQUIRE(at != std::string::npos);
  }
}

TEST_CASE("check_mesh checks mid-side nodes") {
  Mesh mesh = rectangle(ElementType::t6, {2, 2}, {1, 1});
  REQUIRE(check_error(mesh).empty());
  SECTION("off the middle") {
    const Index mid = mesh.node(5, 3);
    mesh.nodes[mid].y += 0.01;
    CHECK_THAT(check_error(mesh), Contains("element 5: mid-side node " + std::to_string(mid) + " is 0.02 of the side"));
  }
  SECTION("in the wrong order") {
    std::swap(mesh.elements[6 * 3 + 3], mesh.elements[6 * 3 + 4]);
    CHECK_THAT(check_error(mesh), Contains("element 3: mid-side node"));
  }
  SECTION("written with seven digits") {
    for (Point& p : mesh.nodes) p = {static_cast<float>(p.x * 0.7) / 0.7, static_cast<float>(p.y * 0.7) / 0.7};
    CHECK(check_error(mesh).empty());
  }
  SECTION("a corner in the middle of a neighbour's side") {
    // One large triangle on the side that two small ones share with it.
    mesh.nodes = {{0, 0}, {2, 0}, {0, 2}, {1, 0}, {1, 1}, {0, 1}, {1, -2}, {0.5, 0}, {1, -1}, {0.5, -1}};
    mesh.elements = {0, 1, 2, 3, 4, 5, 6, 3, 0, 8, 7, 9};
    CHECK_THAT(check_error(mesh), Contains("node 3 is a corner of one element and a mid-side node of another"));
  }
}

TEST_CASE("connect names elements that do not fit together") {
  Mesh mesh = square();
  SECTION("three at one facet") {
    mesh.elements.insert(mesh.elements.end(), {2, 0, 1});
    mesh.original_elements.push_back(72);
    CHECK_THAT(connect_error(mesh),
               Contains("square.msh: ") && Contains("belongs to 3 elements, 70, 71, 72") && Contains("100"));
  }
  SECTION("two on one side") {
    mesh.nodes.push_back({0.2, 0.9});
    mesh.original_nodes.push_back(104);
    mesh.elements = {0, 2, 3, 0, 2, 4};
    mesh.nodes.erase(mesh.nodes.begin() + 1);
    mesh.original_nodes.erase(mesh.original_nodes.begin() + 1);
    mesh.elements = {0, 1, 2, 0, 1, 3};
    CHECK_THAT(connect_error(mesh),
               Contains("elements 70 and 71 lie on the same side") && Contains("nodes 100 and 102"));
  }
  SECTION("different mid-side nodes") {
    Mesh t6 = rectangle(ElementType::t6, {1, 1}, {1, 1});
    const Index shared = t6.node(0, 4);  // on the facet from element 0 to 1
    t6.nodes.push_back(t6.nodes[shared]);
    t6.original_nodes.push_back(13);
    t6.elements[4] = 13;
    CHECK_THAT(connect_error(t6),
               Contains("elements 0 and 1 share the corners") && Contains("(13 and " + std::to_string(shared) + ")"));
  }
}

TEST_CASE("counts distinguish bodies") {
  Mesh mesh = square();
  connect(mesh);
  CHECK(count(mesh).components == 1);
  CHECK(count(mesh).euler == 1);
  // The same triangles with nodes of their own.
  mesh.nodes = {{0, 0}, {1, 0}, {1, 1}, {0, 0}, {1, 1}, {0, 1}};
  mesh.elements = {0, 1, 2, 3, 4, 5};
  mesh.original_nodes.clear();
  connect(mesh);
  const MeshCounts counts = count(mesh);
  CHECK(counts.components == 2);
  CHECK(counts.euler == 2);
  CHECK(counts.interior_facets == 0);
  CHECK(counts.boundary_facets == 6);
}
