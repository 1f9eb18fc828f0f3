/// Cases with known energies from the tests of another cohesive-element code, Akantu (N. Richart et al., JOSS 9 (2024)
/// 5253), for both cohesive laws.
#include <cmath>

#include "support.hpp"

namespace cleave::verification {
namespace {

CohesiveCase fracture(const std::string& law, double strength, double energy, std::array<double, 4> box) {
  CohesiveCase c;
  c.law = law;
  c.parameters.normal = c.parameters.tangential = {strength, energy, 2};
  c.insertion.every = 1;
  c.insertion.box = box;
  return c;
}

}  // namespace

TEST_CASE("a straight seam opens in modes I and II as published", "[published]") {
  CLEAVE_ON_EVERY_BACKEND();
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  const std::string law = GENERATE(std::string("ppr"), std::string("linear"));
  const bool opening = GENERATE(true, false);
  CAPTURE(law, opening, name_of(type));
  const double strength = 1e6, energy = 10, length = 2;
  const ElasticParameters material{1e9, 0.2, 1e3, PlaneType::strain};
  // The sudden release opens the seam by its final width of 20 um within about 10 us, 17 steps of 1 % of the critical.
  Model m = make_model(rectangle(type, {5, 2}, {2, 1}, {-1, -0.5}), material, 0.01);
  m.cohesive = fracture(law, strength, energy, {-2, -1e-3, 2, 1e-3});
  // Uniaxial strain or simple shear just below the strength, carried on by the upper and the lower side.
  const double modulus = material.density * std::pow(opening ? longitudinal_speed(material) : shear_speed(material), 2);
  const double strain = (1 - 1e-5) * strength / modulus, speed = 0.01;
  set_displacement(m, [&](Point p) { return opening ? Point{0, strain * p.y} : Point{strain * p.y, 0}; });
  set_velocity(m, [&](Point p) { return opening ? Point{0, 2 * speed * p.y} : Point{2 * speed * p.y, 0}; });
  const int held = add_motion(m, 0), up = add_motion(m, speed), down = add_motion(m, -speed);
  if (opening) {
    move_x(m, nullptr, held);
    move_y(m, "top", up);
    move_y(m, "bottom", down);
  } else {
    move_y(m, nullptr, held);
    move_x(m, "top", up);
    move_x(m, "bottom", down);
  }
  const auto solver = make_solver(m, backend);
  HistoryRow row = solver->history();
  while (row.failed_elements < 5 && solver->step() < 20000) {
    solver->advance(50);
    row = solver->history();
  }
  CHECK(row.cohesive_elements == 5);
  CHECK(row.failed_elements == 5);
  CHECK(row.crack_length == Approx(length).epsilon(1e-14));
  CHECK(row.fragments == 2);
  CHECK(std::abs(row.balance_error) < 1e-11);
  CHECK(row.dissipated_energy == Approx(energy * length).margin(0.5));  // the tolerance of the published test
  record("straight seam", law + " " + name_of(type) + (opening ? " mode I" : " mode II") + ": dissipated",
         energy * length, row.dissipated_energy, "J", "0.5 J");
}

TEST_CASE("a zig-zag seam opens as published", "[published]") {
  CLEAVE_ON_EVERY_BACKEND();
  const std::string law = GENERATE(std::string("ppr"), std::string("linear"));
  CAPTURE(law);
  const ElasticParameters material{1e3, 0.001, 1e3, PlaneType::strain};
  Model m = make_model(rectangle(ElementType::t6, {2, 2}, {2, 2}, {-1, -1}), material, 0.05);
  REQUIRE(m.mesh.node_count() == 41);
  REQUIRE(m.mesh.element_count() == 16);
  m.cohesive = fracture(law, 100, 100, {-2, -0.30, 2, -0.20});
  set_velocity(m, [](Point p) { return Point{0, 0.5 * p.y}; });
  const int held = add_motion(m, 0);
  move_x(m, "left", held);
  move_x(m, "right", held);
  move_y(m, "top", add_motion(m, 0.5));
  move_y(m, "bottom", add_motion(m, -0.5));
  const auto solver = make_solver(m, backend);
  solver->advance(1000);
  const HistoryRow row = solver->history();
  CHECK(row.cohesive_elements == 4);
  CHECK(row.failed_elements == 4);
  CHECK(row.fragments == 2);
  CHECK(row.crack_length == Approx(2 * std::sqrt(2.0)).epsilon(1e-13));
  CHECK(std::abs(row.balance_error) < 1e-11);
  const double exact = 200 * std::sqrt(2.0);
  CHECK(row.dissipated_energy == Approx(exact).epsilon(1e-3));  // the tolerance of the published test
  record("zig-zag seam", law + ": dissipated", exact, row.dissipated_energy, "J", "0.1 %");
}

TEST_CASE("a row of squares is pulled apart as published", "[published]") {
  CLEAVE_ON_EVERY_BACKEND();
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  const std::string law = GENERATE(std::string("ppr"), std::string("linear"));
  CAPTURE(law, name_of(type));
  const int squares = 20;
  const double side = 1e-3, rate = 1e5;
  const ElasticParameters material{31e9, 0, 1170, PlaneType::strain};
  Model m =
      make_model(rectangle(type, {squares, 1}, {squares * side, side}, {-squares * side / 2, 0}), material, 0.02, 1e-3);
  m.cohesive = fracture(law, 30e6, 60, {-1, 0.45 * side, 1, 0.55 * side});  // the sides between squares
  set_velocity(m, [&](Point p) { return Point{rate * p.x, 0}; });
  // Uniaxial and just below the strength, so that all sides between squares break before a wave comes from the ends.
  move_y(m, nullptr, add_motion(m, 0));
  set_displacement(m, [&](Point p) { return Point{(1 - 1e-6) * 30e6 / 31e9 * p.x, 0}; });
  const auto solver = make_solver(m, backend);
  HistoryRow row = solver->history();
  while (row.fragments < squares && solver->step() < 20000) {
    solver->advance(100);
    row = solver->history();
  }
  CHECK(row.fragments == squares);
  CHECK(row.cohesive_elements == squares - 1);
  const Snapshot s = solver->snapshot();
  std::vector<double> mass(s.fragment.size()), momentum(s.fragment.size()), centre(s.fragment.size());
  const int nodes = nodes_per_element(type);
  // Nodes of a fragment are its own: every facet between two fragments has failed.
  std::vector<Index> owner(s.mass.size());
  for (std::size_t e = 0; e < s.fragment.size(); ++e)
    for (int i = 0; i < nodes; ++i) owner[s.elements[e * nodes + i]] = s.fragment[e];
  for (std::size_t n = 0; n < s.mass.size(); ++n) {
    mass[owner[n]] += s.mass[n];
    momentum[owner[n]] += s.mass[n] * s.velocity[n].x;
    centre[owner[n]] += s.mass[n] * s.position[n].x;
  }
  const double exact = material.density * side * side * 1e-3;
  double worst_mass = 0, worst_velocity = 0;
  for (std::size_t f = 0; f < mass.size(); ++f) {
    if (mass[f] == 0) continue;
    worst_mass = std::max(worst_mass, std::abs(mass[f] / exact - 1));
    worst_velocity = std::max(worst_velocity, std::abs(momentum[f] / mass[f] - rate * centre[f] / mass[f]));
  }
  CHECK(worst_mass < 1e-12);
  CHECK(worst_velocity < 100);  // the tolerance of the published test
  CHECK(row.dissipated_energy == Approx((squares - 1) * 60 * side * 1e-3).epsilon(0.02));
  const std::string name = law + " " + name_of(type);
  record("row of squares", name + ": fragments", squares, row.fragments, "", "0");
  record("row of squares", name + ": mass of a fragment, worst", 0, worst_mass, "relative", "1e-12");
  record("row of squares", name + ": velocity of a fragment, worst", 0, worst_velocity, "m/s", "100 m/s");
}

}  // namespace cleave::verification
