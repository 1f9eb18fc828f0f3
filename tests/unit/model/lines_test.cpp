#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>

#include "cleave/core/error.hpp"
#include "cleave/solver/model.hpp"

using namespace cleave;
using Catch::Contains;

namespace {

/// A plate of 4 m x 2 m in quads of 1 m with a notch of 1 m, of crooked triangles inside.
Case cut_plate() {
  Case c;
  c.file = "case.yaml";
  c.mesh.divisions = {4, 2};
  c.mesh.size = {4, 2};
  c.mesh.notch_length = 1;
  c.mesh.perturbation_amplitude = 0.2;
  c.material = {{"", {"linear_elastic", {210e9, 0.3, 7850, PlaneType::strain}}}};
  c.time.steps = 1;
  return c;
}

LineCase straight(std::array<double, 2> from, std::array<double, 2> to, int points) {
  LineCase line;
  line.name = "straight";
  line.from = from;
  line.to = to;
  line.points = points;
  line.line = 9;
  return line;
}

LineCase on_group(const char* group, int points) {
  LineCase line;
  line.name = group;
  line.on = group;
  line.points = points;
  line.every = 7;
  line.line = 9;
  return line;
}

/// Where the shape functions of a probe are.
Point place_of(const Model& model, const ProbePoint& probe) {
  Point at;
  for (int i = 0; i < nodes_per_element(model.mesh.type); ++i) {
    const Point node = model.mesh.nodes[model.mesh.node(probe.element, i)];
    at = {at.x + probe.shape[i] * node.x, at.y + probe.shape[i] * node.y};
  }
  return at;
}

}  // namespace

TEST_CASE("points of lines are equidistant probes after those of the case") {
  Case c = cut_plate();
  c.mesh.element = GENERATE(ElementType::t3, ElementType::t6);
  c.output.probes = {{"p", {0.5, 0.5}, 4, 3}};
  c.output.lines = {straight({0, 0}, {4, 2}, 9), on_group("right", 5)};
  const Model model = make_model(c);
  REQUIRE(model.lines.size() == 2);
  REQUIRE(model.probes.size() == 1 + 9 + 5);
  CHECK(model.lines[1].every == 7);
  CHECK((!model.lines[0].touches && !model.lines[1].touches));
  std::size_t next = 1;
  for (const SampleLine& line : model.lines) {
    for (const SampleLine::Place& place : line.places) {
      const ProbePoint& probe = model.probes[next++];
      CHECK(probe.name == line.name);
      CHECK(probe.every == line.every);
      CHECK((probe.facet >= 0) == (line.name == model.lines[1].name));
      if (probe.facet >= 0)
        for (const Point end : model.mesh.end_points(facet_code(probe.element, probe.facet))) CHECK(end.x == 4);
      CHECK(place_of(model, probe).x == Approx(place.at.x).margin(1e-12));
      CHECK(place_of(model, probe).y == Approx(place.at.y).margin(1e-12));
    }
  }
  for (int i = 0; i < 9; ++i) {
    CHECK(model.lines[0].places[i].s == Approx(std::sqrt(20) * i / 8));
    CHECK(model.lines[0].places[i].at.x == Approx(4.0 * i / 8));
  }
  for (int i = 0; i < 5; ++i) {  // upwards: the body is on the left
    CHECK(model.lines[1].places[i].s == Approx(0.5 * i));
    CHECK(model.lines[1].places[i].at.x == 4);
    CHECK(model.lines[1].places[i].at.y == Approx(0.5 * i));
  }
}

TEST_CASE("points on the two faces of a notch lie in different elements") {
  Case c = cut_plate();
  c.output.lines = {on_group("notch", 9)};
  const Model model = make_model(c);
  const auto& places = model.lines[0].places;
  for (int i = 0; i < 9; ++i) {
    CHECK(places[i].s == Approx(0.25 * i));
    CHECK(places[i].at.y == 1);
    CHECK(places[i].at.x == Approx(1 - std::abs(0.25 * i - 1)).margin(1e-12));
    const Mesh& mesh = model.mesh;
    double middle = 0;
    for (int k = 0; k < 3; ++k) middle += mesh.nodes[mesh.node(model.probes[i].element, k)].y / 3;
    // With the body on the left the way to the tip is that along the upper face.
    if (i != 4) CHECK((middle > 1) == (i < 4));
  }
}

TEST_CASE("a closed outline begins and ends at its rightmost node") {
  Case c = cut_plate();
  c.mesh.notch_length = 0;
  c.mesh.shape = MeshShape::ring;
  c.mesh.divisions = {2, 16};
  c.mesh.inner_radius = 1;
  c.mesh.outer_radius = 2;
  c.output.lines = {on_group("outer", 17), on_group("inner", 17)};
  const Model model = make_model(c);
  for (const auto& [line, radius, turn] : {std::tuple{0, 2.0, 1}, std::tuple{1, 1.0, -1}}) {
    for (int i = 0; i < 17; ++i) {
      const Point at = model.lines[line].places[i].at;
      const double angle = turn * 2 * std::numbers::pi * i / 16;
      CHECK(at.x == Approx(radius * std::cos(angle)).margin(1e-9));
      CHECK(at.y == Approx(radius * std::sin(angle)).margin(1e-9));
    }
  }
}

TEST_CASE("lines that leave the body or follow several pieces are refused") {
  Case c = cut_plate();
  c.output.lines = {straight({0, 0}, {4, 3}, 4), on_group("left", 3), on_group("lfet", 3)};
  CHECK_THROWS_WITH(make_model(c),
                    Contains("case.yaml:9: output.lines.0: point 4 of 4, (4, 3) lies outside the body; the nearest "
                             "point of the mesh is (4, 2)") &&
                        Contains("output.lines.1.on: the facets of group \"left\" do not follow each other") &&
                        Contains("output.lines.2.on: the mesh has no group \"lfet\"; did you mean \"left\"?"));
}
