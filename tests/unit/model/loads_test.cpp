#include <catch2/catch.hpp>
#include <cmath>

#include "cleave/mesh/element.hpp"
#include "cleave/mesh/topology.hpp"
#include "cleave/solver/model.hpp"

using namespace cleave;
using Catch::Matchers::Contains;

namespace {

/// 4 x 2 quads of 1 m, with a region on the right.
Case plate() {
  Case c;
  c.file = "case.yaml";
  c.mesh.divisions = {4, 2};
  c.mesh.size = {4, 2};
  c.mesh.regions = {{"half", {2, 0, 4, 2}, 3}};
  c.material = {{"", {"linear_elastic", {1e9, 0.25, 1000, PlaneType::strain}}}};
  c.time.steps = 1;
  return c;
}

InitialGroup group(const std::string& on, const InitialCase& state, int line = 9) { return {on, state, line}; }

}  // namespace

TEST_CASE("groups start with their own state, of several the last one counts") {
  Case c = plate();
  c.initial.velocity = {1, 2};
  InitialCase right;
  right.strain.xx = 1e-3;
  right.velocity = {-3, 0};
  InitialCase edge;
  edge.velocity = {0, 7};
  c.initial_groups = {group("half", right), group("left", edge)};
  const Model m = make_model(c);
  int on_right = 0;
  for (std::size_t n = 0; n < m.mesh.nodes.size(); ++n) {
    const Point p = m.mesh.nodes[n], u = m.displacement[n], v = m.velocity[n];
    if (p.x >= 2) {
      ++on_right;
      CHECK(u.x == Approx(1e-3 * (p.x - 3)).margin(1e-18));  // about the centre of the group
      if (p.x > 2)
        CHECK((v.x == -3 && v.y == 0));
      else  // between both, as much of the one as of the other
        CHECK((v.x == Approx(-1).epsilon(1e-15) && v.y == Approx(1).epsilon(1e-15)));
    } else {
      CHECK((u.x == 0 && u.y == 0));
      CHECK((v.x == (p.x == 0 ? 0 : 1) && v.y == (p.x == 0 ? 7 : 2)));
    }
  }
  CHECK(on_right > 20);

  c.initial_groups = {group("hlaf", right, 12)};
  CHECK_THROWS_WITH(make_model(c), Contains("case.yaml:12: initial.0.on: the mesh has no group \"hlaf\"; did you "
                                            "mean \"half\"?"));
}

TEST_CASE("nodes between triangles of several initial velocities conserve momentum in any order of entries") {
  Case c = plate();
  c.mesh.element = GENERATE(ElementType::t3, ElementType::t6);
  c.mesh.perturbation_amplitude = 0.2;
  c.mesh.regions.push_back({"rest", {0, 0, 2, 2}, 4});
  MaterialEntry heavy = c.material.front();
  heavy.on = "half";
  heavy.properties.parameters.density = 5000;
  c.material.push_back(heavy);
  InitialCase flies, other;
  flies.velocity = {10, -4};
  flies.velocity_gradient = {0, 30, -20, 0};
  flies.origin = {{2, 1}};
  c.initial_groups = {group("half", flies)};
  const Model m = make_model(c);
  double momentum = 0, expected = 0;
  for (Index e = 0; e < m.mesh.element_count(); ++e) {
    const double mass = m.materials[m.element_material[e]].parameters.density * twice_area(m.mesh, e) / 2;
    const bool is_heavy = m.materials[m.element_material[e]].parameters.density == 5000;
    const int nodes = nodes_per_element(m.mesh.type);
    for (int i = 0; i < nodes; ++i) {
      const Index n = m.mesh.node(e, i);
      const double share = nodes == 3 ? T3::mass_fraction(i) : T6::mass_fraction(i);
      momentum += share * mass * m.velocity[n].x;
      if (is_heavy) expected += share * mass * (10 + 30 * (m.mesh.nodes[n].y - 1));
    }
  }
  CHECK(momentum == Approx(expected).epsilon(1e-13));

  for (const auto& told : {std::vector{group("rest", other), group("half", flies)},
                           std::vector{group("half", flies), group("rest", other)}}) {
    c.initial_groups = told;
    const Model again = make_model(c);
    for (std::size_t n = 0; n < m.velocity.size(); ++n) {
      CHECK(again.velocity[n].x == m.velocity[n].x);
      CHECK(again.velocity[n].y == m.velocity[n].y);
    }
  }
  // Whoever names nodes or sides means those.
  InitialCase edge;
  edge.velocity = {0, 7};
  c.initial_groups = {group("half", flies), group("bottom", edge)};
  const Model named = make_model(c);
  for (const Index n : named.mesh.find_group("bottom")->nodes)
    CHECK((named.velocity[n].x == 0 && named.velocity[n].y == 7));
}

TEST_CASE("the dashpots of a side have the impedances of its material") {
  Case c = plate();
  c.mesh.element = GENERATE(ElementType::t3, ElementType::t6);
  BoundaryCase absorbs;
  absorbs.kind = BoundaryCase::Kind::absorb;
  absorbs.on = "right";
  c.boundary = {absorbs, absorbs};  // once is enough
  const Model m = make_model(c);
  REQUIRE(m.damping.size() == m.mesh.nodes.size());
  // Mass times rate adds up to impedance times length.
  double across = 0, along = 0, between = 0;
  for (Index e = 0; e < m.mesh.element_count(); ++e)
    for (int i = 0; i < nodes_per_element(m.mesh.type); ++i) {
      const double mass = 1000 * twice_area(m.mesh, e) / 2 *
                          (m.mesh.type == ElementType::t3 ? T3::mass_fraction(i) : T6::mass_fraction(i));
      const PlaneTensor& rate = m.damping[m.mesh.node(e, i)];
      across += mass * rate.xx;
      along += mass * rate.yy;
      between += mass * rate.xy;
      if (m.mesh.nodes[m.mesh.node(e, i)].x < 4) CHECK((rate.xx == 0 && rate.yy == 0 && rate.xy == 0));
    }
  CHECK(across == Approx(2 * std::sqrt(1000 * 1.2e9)).epsilon(1e-12));
  CHECK(along == Approx(2 * std::sqrt(1000 * 0.4e9)).epsilon(1e-12));
  CHECK(std::abs(between) < 1e-9 * across);

  c.boundary.clear();
  CHECK(make_model(c).damping.empty());
  absorbs.on = "half";
  absorbs.line = 20;
  c.boundary = {absorbs};
  CHECK_THROWS_WITH(make_model(c), Contains("case.yaml:20: boundary.0.on: group \"half\" holds no nodes"));
}

TEST_CASE("springs of a side are shared out to its nodes and shorten the critical step") {
  Case c = plate();
  c.mesh.element = GENERATE(ElementType::t3, ElementType::t6);
  const double alone = make_model(c).critical_step;
  CHECK(make_model(c).support.empty());
  c.support = {{"right", 3e9, 20}, {"right", 1e9, 21}};
  const Model m = make_model(c);
  REQUIRE(m.support.size() == m.mesh.nodes.size());
  // Mass times rate adds up to stiffness times length.
  double stiffness = 0, stiffest = 0;
  for (Index e = 0; e < m.mesh.element_count(); ++e)
    for (int i = 0; i < nodes_per_element(m.mesh.type); ++i) {
      const double mass = 1000 * twice_area(m.mesh, e) / 2 *
                          (m.mesh.type == ElementType::t3 ? T3::mass_fraction(i) : T6::mass_fraction(i));
      const Index n = m.mesh.node(e, i);
      stiffness += mass * m.support[n];
      stiffest = std::max(stiffest, m.support[n]);
      if (m.mesh.nodes[n].x < 4) CHECK(m.support[n] == 0);
    }
  CHECK(stiffness == Approx(2 * 4e9).epsilon(1e-12));
  const double omega2 = 4 / (alone * alone);  // by power iteration, to 1e-10
  CHECK(4 / (m.critical_step * m.critical_step) == Approx(omega2 + stiffest).epsilon(1e-10));
  // With a damping time: (omega^2 + stiffness) dt^2 + 2 (damping time) omega^2 dt = 4.
  c.material.front().properties.viscosity = {0.5, 2};
  const double on_springs = make_model(c).critical_step;
  c.support.clear();
  const double damped = make_model(c).critical_step, twice_time = (4 - omega2 * damped * damped) / (omega2 * damped);
  CHECK((omega2 + stiffest) * on_springs * on_springs + twice_time * omega2 * on_springs == Approx(4).epsilon(1e-10));
  c.support = {{"half", 1e9, 20}};
  CHECK_THROWS_WITH(make_model(c), Contains("case.yaml:20: support.0.on: group \"half\" holds no nodes"));
}

TEST_CASE("a case with errors is not told that its steps cannot be counted") {
  Case c = plate();
  c.time.end = 1e-6;
  BoundaryCase held;
  held.on = "lefft";
  c.boundary = {held};
  CHECK_THROWS_WITH(make_model(c), Contains("no group \"lefft\"") && !Contains("time.end"));
}

TEST_CASE("a body force follows its curve") {
  Case c = plate();
  CHECK_FALSE(make_model(c).has_body_force());
  c.body_force = {{0, -9.81}, "pulse"};
  c.curves["pulse"] = Curve::half_sine(2);
  const Model m = make_model(c);
  CHECK(m.has_body_force());
  CHECK(m.body_acceleration == std::array<double, 2>{0, -9.81});
  CHECK(m.body_curve.value(1) == 1);
}
