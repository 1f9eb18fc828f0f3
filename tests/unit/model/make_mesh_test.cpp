#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>

#include "cleave/mesh/topology.hpp"
#include "cleave/solver/model.hpp"
#include "unit/mesh/helpers.hpp"

using namespace cleave;
using namespace cleave::test;
using Catch::Matchers::Contains;

TEST_CASE("make_mesh follows the case") {
  Case whole;
  MeshCase& c = whole.mesh;
  c.shape = MeshShape::ring;
  c.element = ElementType::t3;
  c.divisions = {2, 20};
  c.inner_radius = 0.8;
  c.outer_radius = 1;
  c.numbering = Numbering::as_given;
  const Mesh plain = make_mesh(whole);
  CHECK(plain.type == ElementType::t3);
  CHECK(plain.element_count() == 160);
  CHECK(plain.find_group("outer") != nullptr);

  c.perturbation_amplitude = 0.1;
  const Mesh moved = make_mesh(whole);
  c.numbering = Numbering::hilbert;
  const Mesh numbered = make_mesh(whole);
  CHECK(numbered.original_elements != plain.original_elements);
  bool differs = false;
  for (Index n = 0; n < numbered.node_count(); ++n) {
    const Index original = numbered.original_nodes[n];
    CHECK(numbered.nodes[n].x == moved.nodes[original].x);  // perturbed first, numbered then
    CHECK(numbered.nodes[n].y == moved.nodes[original].y);
    differs = differs || moved.nodes[original].x != plain.nodes[original].x;
  }
  CHECK(differs);

  c.shape = MeshShape::rectangle;
  c.element = ElementType::t6;
  c.divisions = {8, 4};
  c.size = {2, 1};
  c.origin = {5, 6};
  c.notch_length = 0.5;
  const Mesh strip = make_mesh(whole);
  CHECK(strip.element_count() == 128);
  CHECK(strip.find_group("notch") != nullptr);
  CHECK(std::min_element(strip.nodes.begin(), strip.nodes.end(), [](Point a, Point b) { return a.x < b.x; })->x == 5);

  c.shape = MeshShape::file;
  c.perturbation_amplitude = 0;
  c.file = mesh_file("plate.msh");
  CHECK(make_mesh(whole).element_count() == 30);
}

TEST_CASE("a body whose cracks could not be numbered is refused") {
  // Three Gauss points of 3/2 facets an element; slots of 6 nodes and of 3/2 copies of mid-sides.
  const auto numbered = [](ElementType type, std::int64_t elements) {
    const std::int64_t most = std::numeric_limits<Index>::max();
    return 3 * 3 * elements / 2 <= most && (type == ElementType::t3 || 15 * elements / 2 <= most);
  };
  Case c;
  for (const ElementType type : {ElementType::t3, ElementType::t6}) {
    const Index most = most_elements_of_body(type);
    CHECK((numbered(type, most) && !numbered(type, std::int64_t{most} + 2)));
    CHECK(input_error([&] { check_number_of_elements(c, type, most); }).empty());
    CHECK_THAT(input_error([&] { check_number_of_elements(c, type, most + 1); }),
               Contains(std::to_string(most + 1) + " triangles with") && Contains(std::to_string(most) + " of which"));
  }
  CHECK(most_elements_of_body(ElementType::t3) == 477'218'588);
  CHECK(most_elements_of_body(ElementType::t6) == 286'331'152);
}

TEST_CASE("a mesh that collapses in double precision is refused") {
  Case whole;
  MeshCase& c = whole.mesh;
  c.divisions = {2, 2};
  c.size = {1e-12, 1e-12};
  c.origin = {1e9, 0};
  CHECK_THAT(input_error([&] { make_mesh(whole); }), Contains("generated mesh") && Contains("has no area"));
}

TEST_CASE("make_mesh makes an unstructured ring") {
  Case whole;
  MeshCase& c = whole.mesh;
  c.shape = MeshShape::ring;
  c.pattern = MeshPattern::delaunay;
  c.divisions = {6, 48};
  c.inner_radius = 0.08;
  c.outer_radius = 0.15;
  const Mesh mesh = make_mesh(whole);
  CHECK(count(mesh).euler == 0);
  CHECK(count(mesh).nodes == count(ring(ElementType::t6, {6, 48}, 0.08, 0.15)).nodes);
  CHECK(mesh.find_group("inner")->facets.size() == 48);
  CHECK(mesh.find_group("outer")->facets.size() == 48);
}

TEST_CASE("shapes are refined, graded, cracked and perturbed by the case") {
  Case whole;
  whole.file = "case.yaml";
  MeshCase& c = whole.mesh;
  c.shape = MeshShape::compact_tension;
  c.width = 0.04;
  c.notch_length = 0.02;
  c.cell_size = 0.004;
  const Index coarse = make_mesh(whole).element_count();
  c.refine = 1;
  CHECK(make_mesh(whole).element_count() == 4 * coarse);
  c.refine = 0;
  c.grading = {{{0.02, 0}, 2e-4, 0.3, 3, 0}};
  c.perturbation_amplitude = 0.1;
  const Mesh mesh = make_mesh(whole);
  CHECK(mesh.element_count() > coarse);
  CHECK(quality(mesh).shortest_facet < 2e-4);
  CHECK(mesh.find_group("upper_pin") != nullptr);
  CHECK(mesh.find_group("notch")->facets.size() % 2 == 0);

  c.grading[0].at = {0.05, 0};
  CHECK_THAT(input_error([&] { make_mesh(whole); }),
             Contains("case.yaml:3: mesh.grading.0.at: (0.05, 0) lies outside the box around the body"));
  c.grading[0] = {{0.02, 0}, 1e-9, 0.3, 3, -1};
  CHECK_THAT(input_error([&] { make_mesh(whole); }), Contains("case.yaml:3: mesh.grading.size: 1e-09 m is less than"));
  c.grading.clear();
  c.notch_length = 0.0399;
  whole.line_of_mesh = 2;
  CHECK_THAT(input_error([&] { make_mesh(whole); }),
             Contains("case.yaml:2: mesh: its sides, holes and tips need lines"));
}

TEST_CASE("the colouring follows the case, with structured colours only if they exist") {
  Case whole;
  whole.file = "plate.yaml";
  whole.material = {{"", {"linear_elastic", {1e9, 0.3, 1000, PlaneType::strain}}}};
  whole.run.assembly = Assembly::coloured;
  MeshCase& c = whole.mesh;
  c.divisions = {8, 4};
  c.size = {2, 1};
  CHECK(make_model(whole).colouring.method == ColouringMethod::structured);
  for (const ColouringMethod method : {ColouringMethod::structured, ColouringMethod::welsh_powell,
                                       ColouringMethod::by_id, ColouringMethod::balanced}) {
    c.colouring = method;
    CHECK(make_model(whole).colouring.method == method);
  }
  c.pattern = MeshPattern::delaunay;
  CHECK(make_model(whole).colouring.method == ColouringMethod::balanced);
  c.colouring = ColouringMethod::structured;
  c.line_of_colouring = 7;
  CHECK_THAT(input_error([&] { make_mesh(whole); }), Contains("plate.yaml:7: mesh.colouring") && Contains("take auto"));
}
