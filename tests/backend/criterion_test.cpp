/// What breaks under both modes together (cohesive.insertion.criterion), and what the laws bear after that.
#include <catch2/catch.hpp>
#include <cmath>

#include "backend/models.hpp"
#include "backend/solver_backend.hpp"
#include "cleave/material/energy_account.hpp"
#include "cleave/material/strength_ratio.hpp"
#include "cleave/material/traction_laws.hpp"

namespace cleave::test {
namespace {

constexpr double mode_strength = 10e6, mode_energy = 80;

/// A body with a seam across it that carries the same normal and tangential traction everywhere, and may break.
Model loaded_seam(ElementType type, const std::string& law, double normal, double tangential) {
  constexpr double cell = 1e-3;
  Model m = model_of(rectangle(type, {8, 4}, {8 * cell, 4 * cell}), PlaneType::stress, 0.1);
  CohesiveCase c;
  c.law = law;
  c.parameters.normal = c.parameters.tangential = {mode_strength, mode_energy, 2};
  c.insertion.every = 1;
  c.insertion.box = std::array<double, 4>{3 * cell, 1.9 * cell, 5 * cell, 2.1 * cell};  // its middle
  m.cohesive = c;
  const ElasticParameters& of = m.materials.front().parameters;
  const double stretch = normal / of.young_modulus, shear = 2 * (1 + of.poisson_ratio) * tangential / of.young_modulus;
  for (std::size_t n = 0; n < m.displacement.size(); ++n) {
    const Point at = m.mesh.nodes[n];
    m.displacement[n] = {shear * at.y - of.poisson_ratio * stretch * at.x, stretch * at.y};
  }
  return m;
}

/// The largest ratio of traction to strength when a point that was inserted at `start` opens at 45 degrees.
template <class Law>
double peak_of(Criterion criterion, Vec2 start) {
  const Law law = make_traction_law<Law>({{mode_strength, mode_energy, 2}, {mode_strength, mode_energy, 2}, {0.01}},
                                         0);  // `exponential` asks
  const Real cap = Real(1e15);
  const CohesivePoint point{cap, cap, law.offset(start, cap)};
  typename Law::State state = law.start(start, point);
  Vec2 at{}, acted = law.respond(at, point, state).traction;
  Real account = -law.respond(at, point, state).stored;
  double largest = 0;
  for (int i = 1; i <= 4000; ++i) {
    const Vec2 to{Real(i * 1e-11), Real(i * 1e-11)};
    acted = step_point(law, {at, to, point}, acted, state, account).traction;
    at = to;
    const Vec2 own = law.respond(at, point, state).traction;  // without what the account adds
    largest =
        std::max(largest, double(strength_ratio(criterion, own.x / Real(mode_strength), own.y / Real(mode_strength))));
  }
  return largest;
}

}  // namespace

TEST_CASE("a facet breaks at the ellipse of both modes, or where one mode reaches its strength", "[fracture][solver]") {
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  const std::string law = GENERATE(std::string("ppr"), std::string("linear"));
  const Assembly assembly = GENERATE(Assembly::gather, Assembly::coloured);
  CAPTURE(law);
  const auto breaks = [&](Criterion criterion, double normal, double tangential) {
    Model m = loaded_seam(type, law, normal * mode_strength, tangential * mode_strength);
    m.assembly = assembly;
    m.cohesive->insertion.criterion = criterion;
    const auto solver = make_solver(m, 1);
    solver->advance(2);
    return solver->history().cohesive_elements > 0;
  };
  const double c = std::cos(0.7), s = std::sin(0.7);
  CHECK(!breaks(Criterion::ellipse, 0.98 * c, 0.98 * s));
  CHECK(breaks(Criterion::ellipse, 1.02 * c, 1.02 * s));
  CHECK(!breaks(Criterion::max, 0.98, -0.98));
  for (const Criterion criterion : {Criterion::ellipse, Criterion::max}) {
    CHECK(breaks(criterion, 1.02, 0));
    CHECK(breaks(criterion, 0, -1.02));
    CHECK(breaks(criterion, -3, 1.02));  // compression across a facet counts for nothing
    CHECK(!breaks(criterion, 0.98, 0));
    CHECK(!breaks(criterion, -3, 0.98));
  }
}

TEST_CASE("after insertion at 45 degrees `linear` bears the ellipse, `ppr` each mode's strength", "[fracture]") {
  const auto part = static_cast<Real>(mode_strength * std::sqrt(0.5)), whole = static_cast<Real>(mode_strength);
  CHECK(peak_of<LinearIrreversible>(Criterion::ellipse, {part, part}) == Approx(1).epsilon(1e-3));
  CHECK(peak_of<Exponential>(Criterion::ellipse, {part, part}) == Approx(1).epsilon(1e-3));
  CHECK(peak_of<Ppr>(Criterion::ellipse, {part, part}) == Approx(std::sqrt(2)).epsilon(2e-3));
  CHECK(peak_of<Ppr>(Criterion::max, {whole, whole}) == Approx(1).epsilon(1e-3));
}

}  // namespace cleave::test
