#include "model/critical_step.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "cleave/core/error.hpp"
#include "cleave/material/kelvin_voigt.hpp"
#include "cleave/material/law_list.hpp"
#include "cleave/material/user_law.hpp"

namespace cleave {
namespace {

/// As a user may write it: stress = C (strain + time * rate).
struct Viscous {
  static constexpr const char* name = "viscous";
  static constexpr bool finite = false;
  static constexpr Quantity dissipation = Quantity::viscous_energy;
  static constexpr LawParameter parameters[] = {
      {.key = "time", .unit = "s", .meaning = "of the damping", .at_least = 0}};
  struct alignas(2 * sizeof(Real)) State {
    Real xx = 0, yy = 0, shear = 0, unused = 0;
  };

  LinearElastic elastic;
  Real time = 0;

  static Viscous make(const MaterialCase& c) { return {LinearElastic::make(c), static_cast<Real>(c.values.at(0))}; }
  static double damping_time(const MaterialCase& c) { return c.values.at(0); }

  CLEAVE_HD_INLINE Response update(const Gradient& g, State& state, Real dt) const {
    LinearElastic::State none;
    const Real ahead = dt > 0 ? time / dt : Real(0);
    const Gradient led{g.xx + ahead * (g.xx - state.xx), g.shear() + ahead * (g.shear() - state.shear), 0,
                       g.yy + ahead * (g.yy - state.yy)};
    state = {g.xx, g.yy, g.shear(), 0};
    return elastic.update(led, none, dt);
  }
};
static_assert(Material<Viscous> && Damps<Viscous>);

/// A member of that name that nobody would ask is refused.
struct Misspelt : Viscous {
  static Misspelt make(const MaterialCase& c) { return {Viscous::make(c)}; }
  double damping_time() const { return 0; }
};
static_assert(!Material<Misspelt>);

using Laws = LawList<LinearElastic, KelvinVoigt, Viscous>;

/// A square of steel, 8 x 8 quads, with a law of Laws.
Model steel_square(ElementType type, const char* law, std::vector<double> values) {
  Case c;
  c.file = "case.yaml";
  c.mesh.element = type;
  c.mesh.divisions = {8, 8};
  c.mesh.size = {2, 2};
  c.mesh.perturbation_amplitude = 0.2;
  c.material = {{"", {"linear_elastic", {210e9, 0.3, 7850, PlaneType::strain}}}};
  c.time.steps = 1;
  Model model = make_model(c);
  model.materials[0].law = law;
  model.materials[0].values = std::move(values);
  return model;
}
double step_of(const Model& model) { return critical_step(model, {damping_time<Laws>(model.materials[0])}); }

/// How far 1 kg on a bar of 1 N/m, pushed once, is after many steps, by central differences as a run has them, m.
double swing(double time, double step) {
  const Viscous law = Viscous::make({"viscous", {1, 0, 1, PlaneType::strain}, {time}});
  Viscous::State state;
  double at = 0, speed = 1;
  for (int n = 0; n < 2000; ++n) {
    at += step * speed;
    speed -= step * law.update({at, 0, 0, 0}, state, step).stress.xx;
  }
  return std::abs(at);
}

}  // namespace

TEST_CASE("a law with damping shortens the critical step, also if user-defined") {
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  const double elastic = step_of(steel_square(type, "linear_elastic", {})), time = 3e-5;
  CHECK(elastic == critical_step(steel_square(type, "linear_elastic", {})));
  // omega^2 dt^2 + 2 (damping time) omega^2 dt = 4, with 2 / omega the step of elasticity.
  const double damped = step_of(steel_square(type, "viscous", {time}));
  CHECK(damped == Approx(std::hypot(time, elastic) - time).epsilon(1e-9));
  CHECK(damped < 0.8 * elastic);
  CHECK(step_of(steel_square(type, "viscous", {0})) == elastic);
  // The same material by a law of ours, which is asked in the same way.
  const Model ours = steel_square(type, "kelvin_voigt", {time * 210e9, 0});
  CHECK(step_of(ours) == Approx(damped).epsilon(1e-9));
  CHECK(critical_step(ours) == step_of(ours));
}

TEST_CASE("the critical step of a law with damping is the limit of stability") {
  const double time = 0.3, critical = std::hypot(time, 2) - time;  // 2 / omega is 2 s
  CHECK(swing(time, 0.99 * critical) < 1e-3);
  CHECK(!(swing(time, 1.01 * critical) < 1e3));
}

TEST_CASE("an invalid damping time is refused") {
  const Model model = steel_square(ElementType::t3, "viscous", {-1});
  CHECK_THROWS_WITH(step_of(model), "the law `viscous` says that its damping time is -1 s: expected a number >= 0");
  CHECK_THROWS_AS(checked_damping_time("viscous", std::numeric_limits<double>::infinity()), InputError);
  CHECK_THROWS_AS(checked_damping_time("viscous", std::numeric_limits<double>::quiet_NaN()), InputError);
}

TEST_CASE("the element that sets the step is found, with the step of usual elements") {
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  Model model = steel_square(type, "linear_elastic", {});
  const UsualSteps even = usual_steps(model);
  CHECK(even.median < 3 * model.critical_step);
  // One corner node moves close to the facet opposite to it in one of its elements, which becomes a sliver.
  const Index sliver = 100;
  Mesh& mesh = model.mesh;
  const Point a = mesh.nodes[mesh.node(sliver, 0)], b = mesh.nodes[mesh.node(sliver, 1)];
  Point& c = mesh.nodes[mesh.node(sliver, 2)];
  const Point middle{(a.x + b.x) / 2, (a.y + b.y) / 2};
  c = {middle.x + 0.01 * (c.x - middle.x), middle.y + 0.01 * (c.y - middle.y)};
  for (Index e = 0; type == ElementType::t6 && e < mesh.element_count(); ++e)
    for (int k = 0; k < 3; ++k) {
      const Point from = mesh.nodes[mesh.node(e, k)], to = mesh.nodes[mesh.node(e, (k + 1) % 3)];
      mesh.nodes[mesh.node(e, 3 + k)] = {(from.x + to.x) / 2, (from.y + to.y) / 2};
    }
  model.critical_step = critical_step(model);
  const UsualSteps found = usual_steps(model);
  CHECK(limiting_element(model) == sliver);
  CHECK(found.median == Approx(even.median).epsilon(0.1));
  CHECK(found.median > 20 * model.critical_step);
  CHECK(found.low > 5 * model.critical_step);
}

}  // namespace cleave
