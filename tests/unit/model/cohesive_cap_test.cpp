/// How far the stiffness cap is above what the laws need, by hand.
#include <catch2/catch.hpp>
#include <cmath>

#include "model/strength.hpp"

using namespace cleave;

namespace {

/// A square of 1 m cut by both diagonals: 4 triangles of 1/4 m^2, interior facets of sqrt(1/2) m.
Case square(ElementType type) {
  Case c;
  c.file = "case.yaml";
  c.mesh.element = type;
  c.mesh.divisions = {1, 1};
  c.mesh.size = {1, 1};
  c.material = {{"", {"linear_elastic", {1e9, 0.3, 1000, PlaneType::strain}}}};
  c.cohesive.emplace();
  c.cohesive->parameters.normal = {2e6, 300, 2};      // shape energy / strength^2 = 1.5e-10 m^3/N
  c.cohesive->parameters.tangential = {1e6, 100, 3};  // 3e-10
  c.time.steps = 1;
  return c;
}

}  // namespace

TEST_CASE("the contact stiffness of failed facets is limited by the step and by the penalty") {
  const auto [type, share] =
      GENERATE(table<ElementType, double>({{ElementType::t3, 2. / 3}, {ElementType::t6, 6. / 19}}));
  Case c = square(type);
  c.cohesive->stiffness_safety = 0.2;
  const Model m = make_model(c);
  // m* L is that of the lightest node; all four facets are alike.
  const double allowed = 2 * 0.2 * share * 1000 * 0.25 / (m.step * m.step) / 1e9;
  c.cohesive->contact_penalty = 1e6;
  CHECK(contact_stiffness(make_model(c)).least == Approx(allowed).epsilon(1e-12));
  CHECK(contact_stiffness(make_model(c)).largest == Approx(allowed).epsilon(1e-12));
  c.cohesive->contact_penalty = allowed / 2;
  CHECK(contact_stiffness(make_model(c)).least == allowed / 2);
  CHECK(contact_stiffness(make_model(c)).largest == allowed / 2);
  // Two triangles are twice as stiff: facets beside the others have the softer side's modulus.
  c.cohesive->contact_penalty = 1e6;
  Model two = make_model(c);
  two.materials.push_back(two.materials.front());
  two.materials.back().parameters.young_modulus *= 2;
  two.element_material = {1, 1, 0, 0};
  CHECK(contact_stiffness(two).least == Approx(allowed / 2).epsilon(1e-12));
  CHECK(contact_stiffness(two).largest == Approx(allowed).epsilon(1e-12));
  // Only facets that may break count.
  c.cohesive->insertion.box = {2, 2, 3, 3};
  CHECK(contact_stiffness(make_model(c)).largest == 0);
}

TEST_CASE("the least ratio of stiffness cap to strength over final opening is known") {
  // Lightest share of a facet node: T3 1/3 of the mass over 1/2 of the facet, T6 1/19 over 1/6.
  const auto [type, share] =
      GENERATE(table<ElementType, double>({{ElementType::t3, 2. / 3}, {ElementType::t6, 6. / 19}}));
  Case c = square(type);
  const double lightest = share * 1000 * 0.25 / std::sqrt(0.5);
  SECTION("at a given safety") {
    c.cohesive->stiffness_safety = 0.2;
    const Model m = make_model(c);
    CHECK(least_cap_ratio(m) == Approx(2 * 0.2 * lightest / (m.step * m.step) * 1.5e-10).epsilon(1e-12));
  }
  SECTION("at the safety that follows from the step") {
    c.time.safety = 0.9;
    const Model m = make_model(c);
    CHECK(stiffness_safety(m) == Approx(0.8 * (1 - 0.81)).epsilon(1e-12));
    CHECK(least_cap_ratio(m) == Approx(2 * 0.152 * lightest / (m.step * m.step) * 1.5e-10).epsilon(1e-12));
    c.time.safety = 0.25;
    CHECK(stiffness_safety(make_model(c)) == 0.6);
    c.cohesive->friction = 0.3;
    CHECK(stiffness_safety(make_model(c)) == 0.5);
  }
}
