/// Facets whose strengths differ.
#include <catch2/catch.hpp>
#include <sstream>

#include "backend/models.hpp"
#include "backend/solver_backend.hpp"
#include "cleave/mesh/topology.hpp"
#include "model/strength.hpp"
#include "reference/same_bits.hpp"

namespace cleave::test {
namespace {

using reference::same_bits;

Model random_plate(ElementType type, Assembly assembly, const std::string& law, std::uint64_t seed = 1) {
  Model m = busy_plate(type);
  m.assembly = assembly;
  m.cohesive->law = law;
  StrengthDistribution d;
  d.scale = m.cohesive->parameters.normal.strength;
  d.modulus = 5;
  d.seed = seed;
  m.cohesive->distribution = d;
  set_strengths(m);
  return m;
}

}  // namespace

TEST_CASE("random strengths keep the energy balance and the bits for any threads and stops", "[solver][strength]") {
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  const Assembly assembly = GENERATE(Assembly::gather, Assembly::coloured);
  const std::string law = GENERATE(std::string("ppr"), std::string("linear"));
  const Model m = random_plate(type, assembly, law);
  const auto solver = make_solver(m, 1);
  solver->advance(200);
  std::stringstream file;
  solver->save(file);
  solver->advance(200);
  const Snapshot s = solver->snapshot();
  const HistoryRow row = solver->history();
  REQUIRE(row.cohesive_elements > 20);
  REQUIRE(row.failed_elements > 0);
  CHECK(std::abs(row.balance_error) < 1e-11);
  CHECK(std::abs(row.law_dissipation - row.dissipated_energy) < 1e-11 * row.kinetic_energy);
  for (const auto& c : s.cohesive) CHECK(c.strength_scale == m.strength_scale[c.facet_a]);
  CHECK(s.strength_scale == m.element_strength_scale);

  const auto resumed = make_solver(m, 2);
  resumed->load(file);
  resumed->advance(200);
  CHECK(same_bits(s, resumed->snapshot()));
  CHECK(same_bits(row, resumed->history()));
  const auto other = make_solver(random_plate(type, assembly, law, 2), 1);
  other->advance(400);
  CHECK_FALSE(same_bits(row, other->history()));
}

TEST_CASE("factors of 1 change no bit", "[solver][strength]") {
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  Model m = busy_plate(type);
  m.assembly = GENERATE(Assembly::gather, Assembly::coloured);
  const auto plain = make_solver(m, 1);
  m.strength_scale.assign(m.mesh.neighbours.size(), 1);
  const auto scaled = make_solver(m, 1);
  for (auto* solver : {plain.get(), scaled.get()}) solver->advance(250);
  REQUIRE(plain->history().cohesive_elements > 20);
  CHECK(same_bits(plain->history(), scaled->history()));
  CHECK(same_bits(plain->snapshot(), scaled->snapshot()));
}

TEST_CASE("facets without a law hold under any load", "[solver][strength]") {
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  Model m = busy_plate(type);
  m.assembly = GENERATE(Assembly::gather, Assembly::coloured);
  m.cohesive->insertion.selection = GENERATE(Selection::all, Selection::local_maximum);
  if (GENERATE(false, true)) m.cohesive->rate = {1e3, 0.2};
  const auto everywhere = make_solver(m, 1);
  // Only facets across the middle may break.
  double left = 1e30, right = -1e30;
  for (const Point& p : m.mesh.nodes) left = std::min(left, p.x), right = std::max(right, p.x);
  const double middle = (left + right) / 2;
  m.strength_scale.assign(m.mesh.neighbours.size(), 1);
  for (Index e = 0; e < m.mesh.element_count(); ++e)
    for (int k = 0; k < 3; ++k) {
      const Index other = m.mesh.neighbour(e, k);
      if (other == boundary_facet) continue;
      if ((centroid(m.mesh, e).x < middle) == (centroid(m.mesh, element_of(other)).x < middle))
        m.strength_scale[facet_code(e, k)] = unbreakable;
    }
  const auto there = make_solver(m, 1);
  for (auto* solver : {everywhere.get(), there.get()}) solver->advance(400);
  const Snapshot s = there->snapshot();
  REQUIRE(s.cohesive.size() > 2);
  REQUIRE(everywhere->history().cohesive_elements > 2 * there->history().cohesive_elements);
  for (const auto& c : s.cohesive) {
    CHECK((centroid(m.mesh, element_of(c.facet_a)).x < middle) != (centroid(m.mesh, element_of(c.facet_b)).x < middle));
    CHECK(c.strength_scale >= 1);
    CHECK(c.strength_scale < 10);
  }
  CHECK(std::abs(there->history().balance_error) < 1e-11);
}

TEST_CASE("a uniform factor equals another strength and energy", "[solver][strength]") {
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  const Assembly assembly = GENERATE(Assembly::gather, Assembly::coloured);
  const std::string law = GENERATE(std::string("ppr"), std::string("linear"), std::string("exponential"));
  const bool finite = GENERATE(false, true);
  // Of strength and energy; powers of two, so that nothing rounds.
  const auto [strength, energy] = GENERATE(values<std::pair<double, double>>({{2, 1}, {2, 4}, {1, 0.5}}));
  CAPTURE(law, finite, strength, energy);
  if (finite && assembly != Assembly::gather) return;  // there only
  Model given = busy_plate(type), scaled = busy_plate(type);
  for (Model* m : {&given, &scaled}) {
    m->assembly = assembly;
    m->cohesive->law = law;
    m->cohesive->parameters.values = {0.0078125};  // of `exponential`
    if (!finite) continue;
    m->kinematics = Kinematics::finite;
    for (MaterialCase& material : m->materials) material.law = "st_venant_kirchhoff";
  }
  for (CohesiveMode* mode : {&given.cohesive->parameters.normal, &given.cohesive->parameters.tangential}) {
    mode->strength *= strength;
    mode->energy *= energy;
  }
  scaled.strength_scale.assign(scaled.mesh.neighbours.size(), strength);
  scaled.energy_scale.assign(scaled.mesh.neighbours.size(), energy);
  const auto a = make_solver(given, 1), b = make_solver(scaled, 1);
  for (auto* solver : {a.get(), b.get()}) solver->advance(350);
  const Snapshot s = a->snapshot(), t = b->snapshot();
  REQUIRE(s.cohesive.size() > 10);
  REQUIRE(s.cohesive.size() == t.cohesive.size());
  for (std::size_t c = 0; c < s.cohesive.size(); ++c) {
    // In finite kinematics the facet's change of length besides.
    if (!finite) REQUIRE(s.cohesive[c].strength_scale == 1);
    CHECK(t.cohesive[c].strength_scale == strength * s.cohesive[c].strength_scale);
    CHECK(t.cohesive[c].insertion_step == s.cohesive[c].insertion_step);
    CHECK(t.cohesive[c].opening_normal == s.cohesive[c].opening_normal);
    CHECK(t.cohesive[c].opening_tangential == s.cohesive[c].opening_tangential);
    CHECK(t.cohesive[c].traction_normal == s.cohesive[c].traction_normal);
    CHECK(t.cohesive[c].traction_tangential == s.cohesive[c].traction_tangential);
    CHECK(t.cohesive[c].damage == s.cohesive[c].damage);
    CHECK(t.cohesive[c].length == s.cohesive[c].length);
  }
  CHECK(same_bits(b->history(), a->history()));
}

TEST_CASE("pressure in cracks does not depend on factors", "[solver][strength][cracks]") {
  Model m = busy_plate(ElementType::t6);
  m.assembly = GENERATE(Assembly::gather, Assembly::coloured);
  m.loads.push_back({4e6, Curve{}, m.mesh.find_group("notch")->facets, true});
  Model scaled = m;
  for (CohesiveMode* mode : {&m.cohesive->parameters.normal, &m.cohesive->parameters.tangential}) {
    mode->strength /= 2;
    mode->energy *= 2;
  }
  scaled.strength_scale.assign(scaled.mesh.neighbours.size(), 0.5);
  scaled.energy_scale.assign(scaled.mesh.neighbours.size(), 2);
  const auto a = make_solver(m, 1), b = make_solver(scaled, 1);
  for (auto* solver : {a.get(), b.get()}) solver->advance(250);
  REQUIRE(a->history().failed_elements > 5);
  CHECK(b->history().external_work == Approx(a->history().external_work).epsilon(1e-6));
  CHECK(std::abs(b->history().balance_error) < 1e-11);
}

}  // namespace cleave::test
