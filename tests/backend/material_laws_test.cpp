/// Runs of bodies of every material law: energies, threads, checkpoints, and bodies that turn while they break.
#include "cleave/material/material_laws.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <sstream>

#include "backend/models.hpp"
#include "backend/solver_backend.hpp"

namespace cleave::test {
namespace {

/// The plate of models.hpp with another law, which flows or damps in the motion that it makes.
Model plate_of(ElementType type, const char* law, PlaneType plane = PlaneType::strain) {
  Model m = busy_plate(type, plane);
  MaterialCase c{law, m.materials.front().parameters, {}, {}};
  if (c.law == KelvinVoigt::name) c.values = {20, 5};
  if (c.law == J2::name) {
    c.values = {9e6};
    c.hardening.linear = 1e8;
  }
  m.set_material(c);
  if (MaterialLaws::is_finite(law)) {
    m.kinematics = Kinematics::finite;
    for (PressureLoad& load : m.loads) load.follows = true;
  }
  return m;
}
const char* any_law() { return GENERATE("kelvin_voigt", "j2", "st_venant_kirchhoff", "neo_hookean"); }

void check_same(const HistoryRow& a, const HistoryRow& b) {
  CHECK(a.kinetic_energy == b.kinetic_energy);
  CHECK(a.strain_energy == b.strain_energy);
  CHECK(a.cohesive_work == b.cohesive_work);
  CHECK(a.plastic_energy == b.plastic_energy);
  CHECK(a.viscous_energy == b.viscous_energy);
  CHECK(a.cohesive_elements == b.cohesive_elements);
}

/// A plate that breaks in tension, all of it turning at `rate`.
Model spinning_plate(ElementType type, double rate) {
  Model m = model_of(plate_mesh(type, {16, 8}), PlaneType::strain, 0.4);
  m.set_material({"st_venant_kirchhoff", m.materials.front().parameters, {}, {}});
  m.kinematics = Kinematics::finite;
  m.cohesive = brittle(5);
  add_velocity(m, {0, 0}, {2500, -rate, rate, 1500}, {8e-3, 4e-3});
  return m;
}

}  // namespace

TEST_CASE("energies of every material law add up while a plate breaks", "[material][solver]") {
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  const std::string law = any_law();
  CAPTURE(law);
  const auto solver = make_solver(plate_of(type, law.c_str()), 1);
  double largest = 0;
  for (int i = 0; i < 10; ++i) {
    solver->advance(40);
    const HistoryRow row = solver->history();
    largest = std::max(largest, std::abs(row.internal_work) + row.kinetic_energy);
    CHECK(std::abs(row.balance_error) < 1e-12);
    CHECK(std::abs(row.dissipated_energy - row.law_dissipation) < 1e-11 * largest);
    const double start =
        law == "kelvin_voigt" || law == "j2" ? 1e-11 : 1e-4;  // theirs is exact, of the others the step's
    CHECK(std::abs(row.internal_work - row.strain_energy - row.plastic_energy - row.viscous_energy) < start * largest);
  }
  const HistoryRow row = solver->history();
  CHECK(row.cohesive_elements > 5);
  CHECK((row.plastic_energy > 1e-3 * row.strain_energy) == (law == "j2"));
  CHECK((row.viscous_energy > 1e-3 * row.strain_energy) == (law == "kelvin_voigt"));
  CHECK(solver->snapshot().finite == MaterialLaws::is_finite(law));
}

TEST_CASE("material laws give the same bits on any number of threads and from a checkpoint", "[material][solver]") {
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  const std::string law = any_law();
  CAPTURE(law);
  const Model m = plate_of(type, law.c_str());
  const auto one = make_solver(m, 1), two = make_solver(m, 2), resumed = make_solver(m, 1);
  one->advance(150);
  std::stringstream saved;
  one->save(saved);
  one->advance(150);
  two->advance(300);
  resumed->load(saved);
  resumed->advance(150);
  const HistoryRow row = one->history();
  check_same(row, two->history());
  check_same(row, resumed->history());
  REQUIRE(row.cohesive_elements > 0);
}

TEST_CASE("a metal hardens by a table of many rows as by the line that they lie on", "[material][solver]") {
  Model linear = plate_of(GENERATE(ElementType::t3, ElementType::t6), J2::name);
  linear.cohesive.reset();
  Model tabled = linear;
  MaterialCase metal = linear.materials.front();
  for (double strain = 0; strain < 1; strain = 1.05 * strain + 1e-7)
    metal.hardening.table.rows.push_back({strain, metal.values.front() + metal.hardening.linear * strain});
  metal.hardening.linear = 0;
  REQUIRE(metal.hardening.table.rows.size() > 200);
  tabled.set_material(metal);
  const auto by_line = make_solver(linear, 1), by_table = make_solver(tabled, 1);
  by_line->advance(300);
  by_table->advance(300);
  const HistoryRow line = by_line->history(), table = by_table->history();
  CHECK(line.plastic_energy > 1e-3 * line.strain_energy);
  CHECK(table.plastic_energy == Approx(line.plastic_energy).epsilon(1e-9));
  CHECK(table.strain_energy == Approx(line.strain_energy).epsilon(1e-9));
  // Frames have stresses that the host finds from the strain and the table.
  const std::vector<StressTensor> of_line = by_line->snapshot().element_stress,
                                  of_table = by_table->snapshot().element_stress;
  REQUIRE(of_line.size() == of_table.size());
  REQUIRE(!of_line.empty());
  for (std::size_t e = 0; e < of_line.size(); ++e) CHECK(of_table[e].xx == Approx(of_line[e].xx).margin(1));
}

TEST_CASE("a body under a pressure that follows its sides rests where Cauchy's stress is that pressure",
          "[material][solver]") {
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  const PlaneType plane = GENERATE(PlaneType::strain, PlaneType::stress);
  Model m = model_of(plate_mesh(type), plane);
  const MaterialCase c{"st_venant_kirchhoff", m.materials.front().parameters, {}, {}};
  m.set_material(c);
  m.kinematics = Kinematics::finite;
  const double stretch = 0.9;
  StVenantKirchhoff::State none;
  const Gradient g{Real(stretch - 1), 0, 0, Real(stretch - 1)};
  const double pressure = -true_stress<StVenantKirchhoff>(StVenantKirchhoff::make(c).update(g, none, 0), g).xx;
  for (std::size_t n = 0; n < m.displacement.size(); ++n)
    m.displacement[n] = {(stretch - 1) * m.mesh.nodes[n].x, (stretch - 1) * m.mesh.nodes[n].y};
  for (const char* side : {"left", "right", "bottom", "top"})
    m.loads.push_back({pressure, Curve{}, m.mesh.find_group(side)->facets, false, true});
  const auto solver = make_solver(m, 1);
  solver->advance(200);
  const HistoryRow row = solver->history();
  CHECK(row.kinetic_energy < 1e-20 * row.strain_energy);
  CHECK(std::abs(row.balance_error) < 1e-12);
}

TEST_CASE("a body with two laws behaves as its parts", "[material][solver]") {
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  // Metal that does not yield is linear elastic but for rounding.
  const Model plain = [&] {
    Model m = model_of(plate_mesh(type, {24, 12}));
    add_velocity(m, {0, 0}, {500, 300, -200, 400}, {8e-3, 4e-3});
    return m;
  }();
  Model mixed = plain;
  MaterialCase metal{"j2", plain.materials.front().parameters, {1e12}, {}};
  const Index elements = mixed.mesh.element_count(), half = elements / 2 / 128 * 128;
  REQUIRE(half > 0);
  mixed.materials = {plain.materials.front(), metal};
  mixed.material_ranges = {0, half, elements};
  for (Index e = half; e < elements; ++e) mixed.element_material[e] = 1;
  const auto a = make_solver(plain, 1), b = make_solver(mixed, 1);
  a->advance(300);
  b->advance(300);
  const Snapshot one = a->snapshot(), other = b->snapshot();
  double off = 0, scale = 0;
  for (std::size_t n = 0; n < one.displacement.size(); ++n) {
    off = std::max(off, std::hypot(one.displacement[n].x - other.displacement[n].x,
                                   one.displacement[n].y - other.displacement[n].y));
    scale = std::max(scale, std::hypot(one.displacement[n].x, one.displacement[n].y));
  }
  CHECK(off < 1e-12 * scale);
  CHECK(b->history().plastic_energy == 0);
}

TEST_CASE("a body that turns breaks as one that does not", "[material][finite]") {
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  // Half a turn in 400 steps would strain it by its spin: so slowly that this is 1 % of what breaks it.
  const Model still = spinning_plate(type, 0);
  const double rate = 0.1 * 2500;
  const Model turning = spinning_plate(type, rate);
  const auto a = make_solver(still, 1), b = make_solver(turning, 1);
  for (int i = 0; i < 8; ++i) {
    a->advance(100);
    b->advance(100);
  }
  const HistoryRow row = a->history(), turned = b->history();
  REQUIRE(row.cohesive_elements > 100);
  CHECK(std::abs(turned.cohesive_elements - row.cohesive_elements) < 0.05 * row.cohesive_elements);
  CHECK(turned.law_dissipation == Approx(row.law_dissipation).epsilon(0.05));
  CHECK(std::abs(turned.balance_error) < 1e-12);
  CHECK(std::abs(turned.dissipated_energy - turned.law_dissipation) < 1e-11 * turned.kinetic_energy);
}

}  // namespace cleave::test
