/// Contact of bodies with each other and of the faces of cracks, against exact solutions and bodies without cracks.
#include <cmath>

#include "cleave/case/case.hpp"
#include "reference/overlap_area.hpp"
#include "support.hpp"

namespace cleave::verification {
namespace {

/// Two meshes as one, not joined.
Mesh both(Mesh mesh, const Mesh& other) {
  const Index nodes = mesh.node_count(), elements = mesh.element_count();
  mesh.nodes.insert(mesh.nodes.end(), other.nodes.begin(), other.nodes.end());
  for (const Index n : other.elements) mesh.elements.push_back(nodes + n);
  for (const Index code : other.neighbours)
    mesh.neighbours.push_back(code == boundary_facet ? boundary_facet : facet_code(elements, 0) + code);
  mesh.original_nodes.clear();
  mesh.original_elements.clear();
  mesh.structured_colours.clear();
  return mesh;
}

constexpr double bar_length = 10, bar_height = 0.4;

/// Two bars along x, of unit modulus and density, the second one as many times as long. Poisson's ratio is 0, so waves
/// have the speed 1. Nodes of the faces at x = 0 do not lie opposite each other.
Model bars(ElementType type, double times, Point speed) {
  const auto bar = [&](double from, double length, int rows) {
    return rectangle(type, {static_cast<int>(std::lround(rows * length / bar_height)), rows}, {length, bar_height},
                     {from, 0});
  };
  const std::array rows = type == ElementType::t3 ? std::array{4, 3} : std::array{2, 3};
  const double gap = 1e-3;
  Model m = make_model(both(bar(-bar_length, bar_length, rows[0]), bar(gap, times * bar_length, rows[1])),
                       ElasticParameters{1, 0, 1, PlaneType::strain}, 0.5);
  m.sides_touch = true;
  set_velocity(m, [&](Point p) { return Point{p.x > gap / 2 ? speed.y : speed.x, 0}; });
  return m;
}

/// Two bars after they have met.
struct Meeting {
  double lasts = 0;             ///< s
  std::array<double, 2> speed;  ///< afterwards, m/s
  Point momentum;               ///< of both, kg m/s
  double stress = 0;            ///< along the first bar in its middle, when that is pressed evenly, Pa
  double contact_energy = 0;    ///< afterwards, J
};
Meeting meet(const Model& m, const std::string& backend) {
  const auto solver = make_solver(m, backend);
  double first = 0, last = 0, pressed = 0, area = 0;
  while (solver->history().time < 1.4 * 2 * bar_length) {
    solver->advance(2, Output::history);
    const HistoryRow row = solver->history();
    REQUIRE(std::abs(row.balance_error) < 1e-12);
    if (row.contact_points > 0) {
      if (first == 0) first = row.time;
      last = row.time;
    }
    // The wave has passed the middle, and has not come back from the free end.
    if (first == 0 || area > 0 || row.time < first + bar_length) continue;
    solver->advance(1);
    const Snapshot s = solver->snapshot();
    for (std::size_t n = 0; n < s.position.size(); ++n) {
      if (std::abs(s.position[n].x + bar_length / 2) > 2) continue;
      pressed += s.mass[n] * s.nodal_stress[n].xx;
      area += s.mass[n];
    }
  }
  solver->advance(1);
  const Snapshot s = solver->snapshot();
  Meeting result{.lasts = last - first, .speed = {0, 0}, .momentum = {}, .stress = pressed / area};
  std::array<double, 2> mass{};
  for (std::size_t n = 0; n < s.mass.size(); ++n) {
    const int bar = s.position[n].x > 5e-4;
    mass[bar] += s.mass[n];
    result.speed[bar] += s.mass[n] * s.velocity[n].x;
    result.momentum = {result.momentum.x + s.mass[n] * s.velocity[n].x,
                       result.momentum.y + s.mass[n] * s.velocity[n].y};
  }
  for (int bar = 0; bar < 2; ++bar) result.speed[bar] /= mass[bar];
  result.contact_energy = solver->history().contact_energy;
  return result;
}

/// A plate of 0.1 m that is pressed together by a hundredth of a percent, slowly, with or without a slit across half of
/// it. Returns the force on it, N.
double force_on_plate(ElementType type, bool slit, const std::string& backend) {
  Model m =
      cleave::make_model(parse_case(R"(
mesh: {shape: rectangle, divisions: [20, 20], size: [0.1, 0.1], thickness: 1, element: )" +
                                        std::string(name_of(type)) + (slit ? ", notch: {length: 0.05}" : "") + R"(}
material: {young_modulus: 1.0e9, poisson_ratio: 0.25, density: 1000}
time: {steps: 1}
curves: {press: {table: [[0, 1], [5.0e-4, 1], [6.0e-4, 0]]}}
boundary: [{on: bottom, fix: [x, y]}, {on: top, velocity: {x: 0, y: -0.02}, curve: press}]
damping: {rate: 2.0e4}
contact: {}
)",
                                    "slit.yaml"));
  const auto solver = make_solver(m, backend);
  advance_to(*solver, m, 1e-3);
  const HistoryRow row = solver->history();
  CHECK(std::abs(row.balance_error) < 1e-12);
  CHECK((row.contact_points > 0) == slit);
  for (std::size_t g = 0; g < m.held_groups.size(); ++g)
    if (m.held_groups[g].name == "bottom") return row.groups[g].reaction_y;
  return 0;
}

}  // namespace

TEST_CASE("two equal bars that meet exchange their velocities", "[contact]") {
  CLEAVE_ON_EVERY_DEVICE();
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  const double speed = 0.1, lasts = 2 * bar_length, mass = bar_length * bar_height;
  CAPTURE(name_of(type));
  const Meeting after = meet(bars(type, 1, {speed, -speed}), backend);
  CHECK(after.lasts == Approx(lasts).epsilon(0.02));
  CHECK(after.stress == Approx(-speed).epsilon(0.01));
  CHECK(after.speed[0] == Approx(-speed).epsilon(0.01));
  CHECK(after.speed[1] == Approx(speed).epsilon(0.01));
  CHECK(std::hypot(after.momentum.x, after.momentum.y) < 1e-13 * mass * speed);
  CHECK(std::abs(after.contact_energy / (mass * speed * speed)) < 1e-9);
  const std::string claim = "two equal bars meet", of = std::string(name_of(type)) + ": ";
  record(claim, of + "contact lasts", lasts, after.lasts, "s", "2 %");
  record(claim, of + "stress", -speed, after.stress, "Pa", "1 %");
  record(claim, of + "speed of the first afterwards", -speed, after.speed[0], "m/s", "1 %");
  record(claim, of + "energy left in contact over that at the start", 0, after.contact_energy / (mass * speed * speed),
         "-", "1e-9");
}

TEST_CASE("a striker that meets a bar twice as long stops", "[contact]") {
  CLEAVE_ON_EVERY_DEVICE();
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  const double speed = 0.1, lasts = 2 * bar_length;
  CAPTURE(name_of(type));
  const Meeting after = meet(bars(type, 2, {speed, 0}), backend);
  CHECK(after.lasts == Approx(lasts).epsilon(0.02));
  CHECK(std::abs(after.speed[0]) < 0.01 * speed);
  CHECK(after.speed[1] == Approx(speed / 2).epsilon(0.01));
  const std::string claim = "a striker meets a bar twice as long", of = std::string(name_of(type)) + ": ";
  record(claim, of + "contact lasts", lasts, after.lasts, "s", "2 %");
  record(claim, of + "speed of the striker afterwards", 0, after.speed[0], "m/s", "1 % of that before");
  record(claim, of + "speed of the bar afterwards", speed / 2, after.speed[1], "m/s", "1 %");
}

TEST_CASE("a plate with a slit that is pressed shut bears the force of a whole one", "[contact]") {
  CLEAVE_ON_EVERY_DEVICE();
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  CAPTURE(name_of(type));
  const double whole = force_on_plate(type, false, backend), reached = force_on_plate(type, true, backend);
  CHECK(reached == Approx(whole).epsilon(0.02));
  const std::string of = std::string(name_of(type)) + ": ";
  record("a slit pressed shut", of + "force on the plate", whole, reached, "N", "2 %");
}

/// A block that breaks between a plate that rests and one that comes down.
TEST_CASE("a block that is crushed by a quarter hardly overlaps", "[contact]") {
  CLEAVE_ON_EVERY_DEVICE();
  const double width = 0.016, height = 0.008, speed = 5;
  const Model m = cleave::make_model(parse_case(R"(
mesh: {shape: rectangle, divisions: [16, 8], size: [0.016, 0.008], thickness: 1.0e-3, element: T3,
       perturbation: {amplitude: 0.2, seed: 5}}
material: {law: st_venant_kirchhoff, young_modulus: 3.24e9, poisson_ratio: 0.35, density: 1190}
cohesive: {normal: {strength: 10.0e6, energy: 8}, tangential: {strength: 12.0e6, energy: 11}, insertion: {every: 5}}
time: {steps: 1, safety: 0.5}
boundary: [{on: bottom, fix: [y]}, {on: top, velocity: {y: -5}}]
contact: {friction: 0.3}
)",
                                                "crushed.yaml"));
  const auto solver = make_solver(m, backend);
  double worst = 0;
  for (int frame = 1; frame <= 20; ++frame) {
    advance_to(*solver, m, frame * 0.25 * height / speed / 20);
    worst = std::max(worst, reference::overlap_area(solver->snapshot()) / (width * height));
    CHECK(std::abs(solver->history().balance_error) < 1e-12);
  }
  CHECK(solver->history().fragments > 50);
  CHECK(solver->history().contact_points > 0);
  CHECK(worst < 1e-3);
  record("a block crushed by a quarter", "largest overlap over the area", 0, worst, "-", "0.1 %");
}

}  // namespace cleave::verification
