/// Runs with friction, artificial viscosity, supports and erosion: energy while nodes split, threads, stopping and
/// output.
#include <catch2/catch.hpp>
#include <sstream>

#include "backend/models.hpp"
#include "backend/solver_backend.hpp"
#include "reference/same_bits.hpp"

namespace cleave::test {
namespace {

using reference::same_bits;

/// Rows are relative to the largest energy among those that were asked for.
bool same_row(HistoryRow a, const HistoryRow& b) {
  a.balance_error = b.balance_error;
  return same_bits(a, b);
}

/// One thread, two, stopped and resumed, and with rows on the way: the same bits and the identity.
HistoryRow check_runs(const Model& m, Step steps) {
  const auto solver = make_solver(m, 1);
  solver->advance(steps / 2);
  std::stringstream file;
  solver->save(file);
  for (int i = 0; i < 5; ++i) {
    solver->advance(steps / 10);
    CHECK(std::abs(solver->history().balance_error) < tolerance(m, 1e-11, 1e-4));
  }
  const HistoryRow row = solver->history();
  const auto resumed = make_solver(m, 2);
  resumed->load(file);
  resumed->advance(steps / 2);
  CHECK(same_row(row, resumed->history()));
  CHECK(same_bits(solver->snapshot(), resumed->snapshot()));
  const auto in_one = make_solver(m, 2);
  in_one->advance(steps);
  CHECK(same_bits(solver->snapshot(), in_one->snapshot()));
  return row;
}

Model plate(ElementType type) {
  Model m = busy_plate(type);
  m.assembly = Assembly::gather;
  m.precision = GENERATE(Precision::double_precision, Precision::single_precision);
  return m;
}

/// A strip of steel that flows, drawn by its ends until it erodes across.
/// @param speed  of each end, m/s; negative: it is pressed
Model drawn_strip(ElementType type, double speed = 30) {
  Model m = model_of(rectangle(type, {12, 2}, {12e-3, 2e-3}), PlaneType::strain, 0.4);
  m.assembly = Assembly::gather;
  MaterialCase steel = m.materials.front();
  steel.law = "j2";
  steel.values = {60e6};
  steel.hardening.linear = 100e6;
  steel.erosion.plastic_strain = 0.12;
  m.set_material(steel);
  prescribe(m, "left", 3, -speed);
  prescribe(m, "right", 3, speed);
  return m;
}

}  // namespace

TEST_CASE("a plate breaks with strength that grows with the rate", "[solver][rate]") {
  Model m = busy_plate(GENERATE(ElementType::t3, ElementType::t6));
  m.assembly = GENERATE(Assembly::gather, Assembly::coloured);
  m.cohesive->insertion.selection = GENERATE(Selection::all, Selection::local_maximum);
  const Model without = m;
  m.cohesive->rate = {300, 0.2};
  const HistoryRow row = check_runs(m, 400);
  REQUIRE(row.cohesive_elements > 10);
  const auto solver = make_solver(m, 1), weaker = make_solver(without, 1);
  solver->advance(400);
  for (const auto& facet : solver->snapshot().cohesive) CHECK(facet.strength_scale > 1);
  weaker->advance(400);
  for (const auto& facet : weaker->snapshot().cohesive) CHECK(facet.strength_scale == 1);
}

TEST_CASE("faces rub while others break", "[solver][friction]") {
  Model m = plate(GENERATE(ElementType::t3, ElementType::t6));
  const Model without = m;
  m.cohesive->friction = 0.4;
  const HistoryRow row = check_runs(m, 400);
  REQUIRE(row.failed_elements > 10);
  CHECK(row.friction_energy > 1e-6 * row.kinetic_energy);
  const auto smooth = make_solver(without, 1);
  smooth->advance(400);
  CHECK(smooth->history().friction_energy == 0);
  CHECK(!same_bits(smooth->snapshot(), make_solver(m, 1)->snapshot()));
}

TEST_CASE("a plate breaks with artificial viscosity", "[solver][viscosity]") {
  Model m = plate(GENERATE(ElementType::t3, ElementType::t6));
  if (GENERATE(false, true)) {
    m.kinematics = Kinematics::finite;
    m.materials.front().law = "st_venant_kirchhoff";
  }
  m.materials.front().viscosity = {0.1, 1.5};
  const HistoryRow row = check_runs(m, 400);
  REQUIRE(row.cohesive_elements > 10);
  CHECK(row.viscous_energy > 1e-4 * row.kinetic_energy);
  CHECK(row.body_work == 0);
}

TEST_CASE("artificial viscosity of a uniform compression has the forces computed by hand", "[solver][viscosity]") {
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  Model m = model_of(rectangle(type, {4, 4}, {8e-3, 8e-3}), PlaneType::strain, 0.01);
  m.assembly = Assembly::gather;
  m.materials.front().viscosity = {0.2, 3};
  const double rate = 4e4;
  add_velocity(m, {}, {-rate / 2, 0, 0, -rate / 2}, {4e-3, 4e-3});
  const auto solver = make_solver(m, 1);
  solver->advance(3);
  // rho h |d| (c1 c + c2 h |d|) over the strain of three steps; triangles are a quarter of a square of 2 mm.
  const ElasticParameters& p = m.materials.front().parameters;
  const double nu = p.poisson_ratio,
               wave = std::sqrt(p.young_modulus * (1 - nu) / ((1 + nu) * (1 - 2 * nu)) / p.density);
  const double h = 1e-3, pressure = p.density * h * rate * (0.2 * wave + 3 * h * rate);
  const double energy = pressure * rate * 3 * m.step * 64e-6 * m.thickness;
  CHECK(solver->history().viscous_energy == Approx(energy).epsilon(0.01));
  Model stretched = m;
  for (Point& v : stretched.velocity) v = {-v.x, -v.y};
  const auto other = make_solver(stretched, 1);
  other->advance(3);
  CHECK(std::abs(other->history().viscous_energy) < 1e-3 * energy);
}

TEST_CASE("a body whose nodes all rest on the same springs swings as one mass", "[solver][support]") {
  Model m = model_of(rectangle(GENERATE(ElementType::t3, ElementType::t6), {4, 4}, {8e-3, 8e-3}));
  m.assembly = Assembly::gather;
  const double rate = 0.01 / (m.step * m.step);  // stiffness over mass, 1/s^2
  m.support.assign(m.mesh.nodes.size(), rate);
  add_velocity(m, {3, -4}, {}, {});
  const auto solver = make_solver(m, 1);
  const int steps = 40;
  solver->advance(steps);
  double u = 0, v = 1;  // of a mass with that spring by the same steps, of unit velocity at the start
  for (int n = 0; n <= steps; ++n) {
    const double a = -rate * u;
    v += (n == 0 ? 0.5 : n == steps ? 0.0 : 1.0) * m.step * a;
    if (n < steps) u += m.step * v;
  }
  const Snapshot s = solver->snapshot();
  double kilograms = 0;
  for (std::size_t n = 0; n < s.displacement.size(); ++n) {
    kilograms += s.mass[n];
    CHECK(s.displacement[n].x == Approx(3 * u).epsilon(1e-9));
    CHECK(s.displacement[n].y == Approx(-4 * u).epsilon(1e-9));
  }
  const HistoryRow row = solver->history();
  CHECK(row.support_energy == Approx(0.5 * rate * kilograms * 25 * u * u).epsilon(1e-9));
  CHECK(std::abs(row.balance_error) < 1e-11);
}

TEST_CASE("a plate on springs breaks, with viscosity and without", "[solver][support]") {
  Model m = plate(GENERATE(ElementType::t3, ElementType::t6));
  if (GENERATE(false, true)) m.materials.front().viscosity = {0.1, 1.5};
  m.support.assign(m.mesh.nodes.size(), 0);
  for (const Index n : m.mesh.find_group("bottom")->nodes) m.support[n] = 0.02 / (m.step * m.step);
  const HistoryRow row = check_runs(m, 400);
  REQUIRE(row.cohesive_elements > 10);
  CHECK(row.support_energy > 0);
  CHECK((row.viscous_energy > 0) == m.materials.front().viscosity.any());
}

TEST_CASE("viscosity does not move held nodes", "[solver][viscosity]") {
  Model m = model_of(rectangle(ElementType::t6, {4, 2}, {8e-3, 4e-3}));
  m.assembly = Assembly::gather;
  m.materials.front().viscosity = {0.5, 3};
  prescribe(m, "left", 3, 0);
  prescribe(m, "right", 3, -5);
  const HistoryRow row = check_runs(m, 200);
  CHECK(row.viscous_energy > 0);
  CHECK(row.reaction_work > 0);
}

TEST_CASE("a strip erodes and keeps the balance of energy and mass", "[solver][erosion]") {
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  const Model m = drawn_strip(type);
  const auto solver = make_solver(m, 1);
  HistoryRow row = solver->history();
  double eroded = 0;
  std::stringstream file;
  Step saved = 0;
  for (int i = 0; i < 400 && row.fragments < 2; ++i) {
    solver->advance(20);
    row = solver->history();
    CHECK(row.eroded_energy >= eroded);
    eroded = row.eroded_energy;
    const double explained = row.strain_energy + row.plastic_energy + row.eroded_energy;
    CHECK(std::abs(row.internal_work - explained) < 1e-11 * row.internal_work);
    CHECK(std::abs(row.balance_error) < 1e-11);
    if (eroded > 0 && saved == 0) {
      saved = solver->step();
      file.str("");
      solver->save(file);
    }
  }
  REQUIRE(row.fragments >= 2);  // it may part at both ends
  REQUIRE(saved > 0);
  const Snapshot s = solver->snapshot();
  const double of_element = 1e-6 / 4 * m.thickness * m.materials.front().parameters.density;
  int gone = 0;
  for (std::size_t e = 0; e < s.fragment.size(); ++e) gone += s.fragment[e] < 0;
  CHECK(gone >= 4);
  CHECK(row.eroded_mass == Approx(gone * of_element).epsilon(1e-12));
  double mass = 0;
  for (const double of_node : s.mass) mass += of_node;
  CHECK(mass == Approx(24e-6 * m.thickness * m.materials.front().parameters.density).epsilon(1e-12));

  const auto resumed = make_solver(m, 2);
  resumed->load(file);
  resumed->advance(solver->step() - saved);
  CHECK(same_row(row, resumed->history()));
  CHECK(same_bits(s, resumed->snapshot()));
}

TEST_CASE("plastic flow by an initial strain is no plastic energy of the run", "[solver][plasticity]") {
  Model m = drawn_strip(GENERATE(ElementType::t3, ElementType::t6));
  auto steel = m.materials.front();
  steel.parameters.plane = GENERATE(PlaneType::stress, PlaneType::strain);
  m.set_material(steel);
  const double strain = 3 * steel.values.front() / steel.parameters.young_modulus;
  for (std::size_t n = 0; n < m.displacement.size(); ++n) m.displacement[n] = {strain * m.mesh.nodes[n].x, 0};
  const auto solver = make_solver(m, 1);
  const HistoryRow start = solver->history();
  REQUIRE(start.strain_energy > 0);
  CHECK(std::abs(start.plastic_energy) < tolerance(m, 1e-13, 1e-5) * start.strain_energy);
  solver->advance(200);
  const HistoryRow row = solver->history();
  CHECK(row.plastic_energy > 1e-3 * start.strain_energy);
  const double explained = row.strain_energy - start.strain_energy + row.plastic_energy + row.eroded_energy;
  CHECK(std::abs(row.internal_work - explained) < tolerance(m, 1e-11, 1e-4) * start.strain_energy);
}

TEST_CASE("an element that has eroded may turn inside out", "[solver][erosion]") {
  const Model m = drawn_strip(ElementType::t3, -30);
  const auto solver = make_solver(m, 1);
  bool turned = false;
  for (int i = 0; i < 200 && !turned; ++i) {
    solver->advance(50);
    const Snapshot s = solver->snapshot();
    for (std::size_t e = 0; e < s.fragment.size(); ++e) {
      Point x[3];
      for (int k = 0; k < 3; ++k) {
        const Index n = s.elements[3 * e + k];
        x[k] = {s.position[n].x + s.displacement[n].x, s.position[n].y + s.displacement[n].y};
      }
      const double area = (x[1].x - x[0].x) * (x[2].y - x[0].y) - (x[2].x - x[0].x) * (x[1].y - x[0].y);
      turned = turned || (s.fragment[e] < 0 && area < 0);
    }
  }
  CHECK(turned);
}

TEST_CASE("an element that has eroded has no part in the stresses of its nodes", "[solver][erosion]") {
  const Model m = drawn_strip(ElementType::t3);
  const auto solver = make_solver(m, 1);
  int mixed = 0;
  for (int i = 0; i < 400 && mixed == 0; ++i) {
    solver->advance(20);
    const Snapshot s = solver->snapshot();
    struct AtNode {
      int live = 0, gone = 0;
      double xx = 0, yy = 0;
    };
    std::vector<AtNode> at(s.position.size());
    for (std::size_t e = 0; e < s.fragment.size(); ++e)
      for (int k = 0; k < 3; ++k) {
        AtNode& node = at[s.elements[3 * e + k]];
        s.fragment[e] < 0 ? ++node.gone : ++node.live;
        if (s.fragment[e] < 0) continue;
        node.xx += s.element_stress[e].xx;
        node.yy += s.element_stress[e].yy;
      }
    for (std::size_t n = 0; n < at.size(); ++n) {
      if (at[n].gone == 0) continue;
      mixed += at[n].live > 0;
      const double live = std::max(at[n].live, 1);
      CHECK(std::abs(s.nodal_stress[n].xx - at[n].xx / live) < 1e-10 * 60e6);
      CHECK(std::abs(s.nodal_stress[n].yy - at[n].yy / live) < 1e-10 * 60e6);
    }
  }
  CHECK(mixed > 0);
}

TEST_CASE("nothing erodes without a limit or with a high one", "[solver][erosion]") {
  Model m = drawn_strip(ElementType::t3), high = m;
  m.materials.front().erosion = {};
  high.materials.front().erosion.plastic_strain = 10;
  const auto a = make_solver(m, 1), b = make_solver(high, 1);
  a->advance(200);
  b->advance(200);
  CHECK(a->history().plastic_energy > 0);
  CHECK(b->history().eroded_energy == 0);
  CHECK(same_bits(a->snapshot(), b->snapshot()));
}

}  // namespace cleave::test
