#include <algorithm>
#include <catch2/catch.hpp>

#include "cleave/core/error.hpp"
#include "cleave/solver/model.hpp"

using namespace cleave;

namespace {

/// A plate of 4 m x 2 m in quads of 1 m, of crooked triangles inside.
Case plate(ElementType type) {
  Case c;
  c.file = "case.yaml";
  c.mesh.element = type;
  c.mesh.divisions = {4, 2};
  c.mesh.size = {4, 2};
  c.mesh.perturbation_amplitude = 0.2;
  c.material = {{"", {"linear_elastic", {210e9, 0.3, 7850, PlaneType::strain}}}};
  c.time.steps = 1;
  return c;
}

BoundaryCase fixed(const char* group, bool x, bool y) {
  BoundaryCase b;
  b.on = group;
  b.x = x;
  b.y = y;
  return b;
}

}  // namespace

TEST_CASE("shape functions at a probe reproduce its position, and their gradients the identity") {
  Case c = plate(GENERATE(ElementType::t3, ElementType::t6));
  const auto at = GENERATE(values<std::array<double, 2>>({{0.3, 0.7}, {2.2, 1.9}, {0, 0}, {4, 1.37}, {1.5, 0}}));
  c.output.probes = {{"p", at, 4, 9}};
  const Model model = make_model(c);
  REQUIRE(model.probes.size() == 1);
  const ProbePoint& probe = model.probes[0];
  CHECK(probe.name == "p");
  CHECK(probe.every == 4);
  double one = 0, x = 0, y = 0, xx = 0, xy = 0, yx = 0, yy = 0;
  for (int i = 0; i < nodes_per_element(model.mesh.type); ++i) {
    const Point node = model.mesh.nodes[model.mesh.node(probe.element, i)];
    const double shape = probe.shape[i];
    const Point slope = probe.gradient[i];
    one += shape;
    x += shape * node.x;
    y += shape * node.y;
    xx += slope.x * node.x;
    xy += slope.y * node.x;
    yx += slope.x * node.y;
    yy += slope.y * node.y;
  }
  CHECK(one == Approx(1));
  CHECK(x == Approx(at[0]).margin(1e-12));
  CHECK(y == Approx(at[1]).margin(1e-12));
  CHECK(xx == Approx(1));
  CHECK(yy == Approx(1));
  CHECK(xy == Approx(0).margin(1e-12));
  CHECK(yx == Approx(0).margin(1e-12));
}

TEST_CASE("a probe on several elements belongs to the one with the smallest original id") {
  Case c = plate(ElementType::t6);
  c.mesh.perturbation_amplitude = 0;
  c.output.probes = {{"p", {2, 1}, 1, 9}};
  const Model model = make_model(c);
  Index lowest = model.mesh.element_count();
  for (Index e = 0; e < model.mesh.element_count(); ++e)
    for (int i = 0; i < 3; ++i) {
      const Point node = model.mesh.nodes[model.mesh.node(e, i)];
      if (node.x == 2 && node.y == 1) lowest = std::min(lowest, model.mesh.original_elements[e]);
    }
  CHECK(model.mesh.original_elements[model.probes[0].element] == lowest);
  CHECK(lowest != model.probes[0].element);  // or this would prove nothing
}

TEST_CASE("a probe outside the body or in its hole is reported with the nearest point") {
  Case c = plate(ElementType::t3);
  c.output.probes = {{"a", {5, 3}, 1, 9}, {"b", {1.25, -0.1}, 1, 10}};
  CHECK_THROWS_WITH(make_model(c),
                    "case.yaml:9: output.probes.0.at: (5, 3) lies outside the body; the nearest point of the mesh is "
                    "(4, 2)\ncase.yaml:10: output.probes.1.at: (1.25, -0.1) lies outside the body; the nearest point "
                    "of the mesh is (1.25, 0)");
  c.mesh.shape = MeshShape::ring;
  c.mesh.divisions = {2, 8};
  c.mesh.inner_radius = 1;
  c.mesh.outer_radius = 2;
  c.output.probes = {{"hole", {0.3, 0}, 1, 9}};
  CHECK_THROWS_WITH(make_model(c), Catch::Contains("output.probes.0.at: (0.3, 0) lies outside the body"));
}

TEST_CASE("a direction of a node counts for the group that prescribes it last") {
  Case c = plate(ElementType::t3);
  c.boundary = {fixed("left", true, true), fixed("bottom", false, true), fixed("left", true, false)};
  c.boundary[1].kind = BoundaryCase::Kind::velocity;
  c.boundary[1].velocity = {0, 3};
  const Model model = make_model(c);
  REQUIRE(model.held_groups.size() == 2);
  CHECK(model.held_groups[0].name == "left");
  CHECK(model.held_groups[1].name == "bottom");
  int corners = 0;
  for (const HeldGroup& group : model.held_groups) {
    const bool left = group.name == "left";
    for (std::size_t i = 0; i < group.nodes.size(); ++i) {
      const Point p = model.mesh.nodes[group.nodes[i]];
      const bool corner = p.x == 0 && p.y == 0;
      corners += corner;
      const int expected = corner ? (left ? HeldGroup::x : HeldGroup::y)
                           : left ? (HeldGroup::x | HeldGroup::y)
                                  : +HeldGroup::y;
      CHECK(group.directions[i] == expected);
    }
  }
  CHECK(corners == 2);
}
