#include <algorithm>
#include <array>
#include <cmath>

#include "cleave/mesh/topology.hpp"
#include "cleave/solver/model.hpp"
#include "unit/mesh/helpers.hpp"

using namespace cleave;
using namespace cleave::test;
using Catch::Matchers::Contains;

namespace {

/// 4 x 2 quads of 1 m, numbered along the Hilbert curve, and one region.
Case with_region(const std::string& name, std::array<double, 4> box) {
  Case c;
  c.file = "case.yaml";
  c.mesh.divisions = {4, 2};
  c.mesh.size = {4, 2};
  c.mesh.regions = {{name, box, 7}};
  return c;
}

}  // namespace

TEST_CASE("a region holds the triangles whose centroid lies in its box") {
  // The lower left quad has its centroids at (1/2, 1/6), (5/6, 1/2), (1/2, 5/6), (1/6, 1/2).
  struct Expected {
    std::array<double, 4> box;
    std::size_t triangles;
  };
  for (const auto& [box, triangles] :
       {Expected{{0, 0, 4, 2}, 32}, Expected{{0, 0, 1, 1}, 4}, Expected{{1, 0, 3, 2}, 16},
        Expected{{0.2, 0.2, 0.9, 0.9}, 2}, Expected{{-10, -10, 0.51, 0.2}, 1}}) {
    const Mesh mesh = make_mesh(with_region("coating", box));
    const Group* group = mesh.find_group("coating");
    REQUIRE(group != nullptr);
    CHECK(group->elements.size() == triangles);
    CHECK(group->facets.empty());
    CHECK(group->nodes.empty());
    CHECK(std::is_sorted(group->elements.begin(), group->elements.end()));
    for (const Index e : group->elements) {
      const Point p = centroid(mesh, e);
      CHECK((p.x >= box[0] && p.x <= box[2] && p.y >= box[1] && p.y <= box[3]));
    }
  }
}

TEST_CASE("regions work on a mesh file and on a perturbed mesh") {
  Case c = with_region("half", {-1, -1, 1, 9});
  c.mesh.perturbation_amplitude = 0.3;
  const Mesh moved = make_mesh(c);  // chosen where the triangles are at the end
  for (Index e = 0; e < moved.element_count(); ++e) {
    const std::vector<Index>& elements = moved.find_group("half")->elements;
    CHECK(std::binary_search(elements.begin(), elements.end(), e) == (centroid(moved, e).x <= 1));
  }

  c = with_region("half", {-1, -1, 0.05, 1});
  c.mesh.shape = MeshShape::file;
  c.mesh.file = mesh_file("plate_t6.msh");
  const Mesh mesh = make_mesh(c);
  CHECK(mesh.find_group("plate")->elements.size() == 30);
  const std::size_t half = mesh.find_group("half")->elements.size();
  CHECK(half > 10);
  CHECK(half < 20);
}

TEST_CASE("wrong regions of a mesh are explained") {
  CHECK(input_error([] {
          make_mesh(with_region("empty", {0.6, 0.6, 0.7, 0.7}));
        }) ==
        "case.yaml:7: mesh.regions.empty: no triangle has its centroid in the box from (0.6, 0.6) to (0.7, 0.7): move "
        "it, or make it larger than an element");
  CHECK(input_error([] {
          make_mesh(with_region("left", {0, 0, 1, 1}));
        }) == "case.yaml:7: mesh.regions.left: the mesh has a group of that name: choose another");
  Case c = with_region("a", {9, 9, 10, 10});
  c.mesh.regions.push_back({"top", {0, 0, 1, 1}, 8});
  CHECK_THAT(input_error([&] { make_mesh(c); }),
             Contains("regions.a: ") && Contains("\ncase.yaml:8: mesh.regions.top"));
}

namespace {

/// A plate of 4 m x 2 m with a round hole of radius 0.5 m in the middle, and one group by place.
Case with_group(const PlaceCase& place) {
  Case c;
  c.file = "case.yaml";
  c.mesh.shape = MeshShape::plate_with_hole;
  c.mesh.cell_size = 0.2;
  c.mesh.size = {4, 2};
  c.mesh.hole_radius = 0.5;
  c.mesh.groups = {place};
  return c;
}

/// The same members, but for the name.
bool same_members(const Group& a, const Group& b) {
  return a.facets == b.facets && a.nodes == b.nodes && a.elements == b.elements && a.inside == b.inside;
}

PlaceCase place_of(PlaceCase::Rule rule) {
  PlaceCase place;
  place.name = "mine";
  place.rule = rule;
  place.line = 5;
  return place;
}

PlaceCase sides_facing(double x, double y) {
  PlaceCase place = place_of(PlaceCase::Rule::sides_facing);
  place.normal = {x, y};
  place.within = 10;
  return place;
}

PlaceCase sides_on_circle(double radius) {
  PlaceCase place = place_of(PlaceCase::Rule::sides_on_circle);
  place.circle = {2, 1, radius};
  place.within = 1e-6;
  return place;
}

PlaceCase in_box(PlaceCase::Rule rule, std::array<double, 4> box) {
  PlaceCase place = place_of(rule);
  place.box = box;
  return place;
}

PlaceCase node_near(double x, double y) {
  PlaceCase place = place_of(PlaceCase::Rule::nearest_node);
  place.near = {x, y};
  return place;
}

}  // namespace

TEST_CASE("groups of sides by place are those that a shape names") {
  const double tiny = 1e-9;
  for (const ElementType type : {ElementType::t3, ElementType::t6}) {
    const auto check = [&](const PlaceCase& place, const std::string& name) {
      Case c = with_group(place);
      c.mesh.element = type;
      const Mesh mesh = make_mesh(c);
      CAPTURE(name);
      REQUIRE(mesh.find_group("mine") != nullptr);
      CHECK(same_members(*mesh.find_group("mine"), *mesh.find_group(name)));
    };
    check(in_box(PlaceCase::Rule::sides_in_box, {-tiny, -tiny, tiny, 2 + tiny}), "left");
    check(in_box(PlaceCase::Rule::sides_in_box, {1, 0.1, 3, 1.9}), "hole");
    check(sides_on_circle(0.5), "hole");
    check(in_box(PlaceCase::Rule::sides_in_box, {-1, -1, 5, 3}), outside_group);
  }
}

TEST_CASE("sides are chosen by their outward normal") {
  const Mesh mesh = make_mesh(with_group(sides_facing(0, 7)));
  const Group& top = *mesh.find_group("top");
  const std::vector<Index>& facets = mesh.find_group("mine")->facets;
  for (const Index code : top.facets) CHECK(std::binary_search(facets.begin(), facets.end(), code));
  // The lowest part of the hole faces up, too: normals within 10 degrees of up.
  CHECK(facets.size() > top.facets.size());
  for (const Index code : facets) {
    const FacetGeometry side = facet_geometry(mesh, code);
    if (side.middle.y > 1.9) continue;
    CHECK(side.middle.y < 0.6);
    CHECK(std::abs(side.middle.x - 2) <= 0.5 * std::sin(10.0 / 180 * 3.14159265358979) + 1e-9);
  }
}

TEST_CASE("nodes are chosen by place") {
  const Mesh corner = make_mesh(with_group(node_near(4.1, 2.2)));
  const Group& node = *corner.find_group("mine");
  REQUIRE(node.nodes.size() == 1);
  CHECK(node.facets.empty());
  CHECK(corner.nodes[node.nodes[0]].x == Approx(4).epsilon(1e-12));
  CHECK(corner.nodes[node.nodes[0]].y == Approx(2).epsilon(1e-12));

  const Mesh mesh = make_mesh(with_group(in_box(PlaceCase::Rule::nodes_in_box, {-1, -1, 1, 3})));
  const std::vector<Index>& nodes = mesh.find_group("mine")->nodes;
  for (Index n = 0; n < mesh.node_count(); ++n)
    CHECK(std::binary_search(nodes.begin(), nodes.end(), n) == (mesh.nodes[n].x <= 1));
  CHECK(mesh.find_group("mine")->facets.empty());
}

TEST_CASE("outside holds all sides of the mesh before cracks are opened") {
  Case c = with_group(node_near(0, 0));
  const Mesh plate = make_mesh(c);
  std::size_t sides = 0;
  for (const Index code : plate.neighbours) sides += code == boundary_facet;
  CHECK(plate.find_group(outside_group)->facets.size() == sides);

  c.mesh.shape = MeshShape::file;
  c.mesh.file = mesh_file("plate_t6.msh");
  c.mesh.groups.clear();
  c.mesh.cracks = {"seam"};
  const TemporaryDirectory directory;
  c.mesh.file = directory.write("seam.msh",
                                "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n1 1 \"seam\"\n"
                                "$EndPhysicalNames\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n$EndNodes\n"
                                "$Elements\n3\n1 1 2 1 1 1 3\n2 2 2 0 1 1 2 3\n3 2 2 0 1 1 3 4\n$EndElements\n");
  const Mesh parted = make_mesh(c);
  CHECK(parted.node_count() == 6);
  CHECK(parted.find_group("seam")->facets.size() == 2);
  CHECK(parted.find_group(outside_group)->facets.size() == 4);

  // A mesh may bring its own.
  c.mesh.cracks.clear();
  c.mesh.file = directory.write("own.msh",
                                "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n1 1 \"outside\"\n"
                                "$EndPhysicalNames\n$Nodes\n3\n1 0 0 0\n2 1 0 0\n3 1 1 0\n$EndNodes\n"
                                "$Elements\n2\n1 1 2 1 1 1 2\n2 2 2 0 1 1 2 3\n$EndElements\n");
  CHECK(make_mesh(c).find_group(outside_group)->facets.size() == 1);
}

TEST_CASE("doubled nodes of a file without groups may lie outside") {
  const TemporaryDirectory directory;
  Case c;
  c.mesh.shape = MeshShape::file;
  // Two squares that lie side by side, a crack between them.
  c.mesh.file = directory.write(
      "parted.msh",
      "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n8\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n5 1 0 0\n6 2 0 0\n7 2 1 0\n"
      "8 1 1 0\n$EndNodes\n$Elements\n4\n1 2 0 1 2 3\n2 2 0 1 3 4\n3 2 0 5 6 7\n4 2 0 5 7 8\n$EndElements\n");
  CHECK_THAT(input_error([&] { make_mesh(c); }), Contains("mesh.doubled, which may be [outside]"));
  c.mesh.doubled = {outside_group};
  CHECK(make_mesh(c).node_count() == 8);
}

TEST_CASE("wrong groups by place are explained") {
  const auto error = [](const PlaceCase& place) { return input_error([&] { make_mesh(with_group(place)); }); };
  const std::string reach = "; the body reaches from (0, 0) to (4, 2) m", at = "case.yaml:5: mesh.groups.mine: ";
  CHECK(error(in_box(PlaceCase::Rule::sides_in_box, {10, 0, 20, 1})) ==
        at + "no boundary side has both ends in the box from (10, 0) to (20, 1)" + reach);
  CHECK(error(in_box(PlaceCase::Rule::nodes_in_box, {10, 0, 20, 1})) ==
        at + "no node lies in the box from (10, 0) to (20, 1)" + reach);
  CHECK(error(sides_on_circle(0.6)) ==
        at + "no boundary side has both ends within 1e-06 m of the circle about (2, 1) with radius 0.6" + reach);
  PlaceCase exact = sides_facing(1, 3);
  exact.within = 0;
  CHECK(error(exact) == at + "no boundary side has its outward normal within 0 degrees of (1, 3)" + reach);
  PlaceCase taken = node_near(0, 0);
  taken.name = "left";
  CHECK(error(taken) == "case.yaml:5: mesh.groups.left: the mesh has a group of that name: choose another");
}

TEST_CASE("groups of nodes are held and driven, but not pressed on") {
  Case c = with_group(node_near(0, 0));
  c.material = {{"", {"linear_elastic", {1e9, 0.25, 1000, PlaneType::strain}}}};
  c.time.steps = 1;
  BoundaryCase condition;
  condition.on = "mine";
  condition.line = 9;
  condition.x = condition.y = true;
  c.boundary = {condition};
  const Model m = make_model(c);
  CHECK(std::count_if(m.motion_x.begin(), m.motion_x.end(), [](int motion) { return motion != 0; }) == 1);
  condition.kind = BoundaryCase::Kind::pressure;
  c.boundary = {condition};
  CHECK(input_error([&] { make_model(c); }) ==
        "case.yaml:9: boundary.0.on: group \"mine\" holds nodes only, and a pressure acts on sides, per length: name a "
        "group of sides, such as one of mesh.groups");
}
