/// Bodies and rigid obstacles: impact, friction and pressure, against exact solutions.
#include <cmath>
#include <numbers>

#include "cleave/case/case.hpp"
#include "support.hpp"

namespace cleave::verification {
namespace {

constexpr double g = 9.81;

Obstacle plane(Point place, Point normal, double friction = 0) {
  Obstacle o;
  o.name = "plane";
  o.place = place;
  o.normal = normal;
  o.friction = friction;
  return o;
}
Obstacle disc(Point centre, double radius, double friction = 0) {
  Obstacle o;
  o.name = "disc";
  o.place = centre;
  o.radius = radius;
  o.friction = friction;
  return o;
}
/// Makes a disc free.
void set_free(Obstacle& o, double mass, Point velocity = {}) {
  o.mass = mass;
  o.inertia = mass * o.radius * o.radius / 2;
  o.velocity = velocity;
}

Point place_of(const HistoryRow& row) { return {row.obstacles[0].value[2], row.obstacles[0].value[3]}; }

/// A block of 5 cm of rock on a plane, under gravity that is inclined by so much.
Model block(double angle, double friction, double step) {
  Model m = make_model(rectangle(ElementType::t3, {2, 2}, {0.05, 0.05}), {1e9, 0.25, 2650, PlaneType::strain}, 0.5);
  m.step = step;
  m.body_acceleration = {g * std::sin(angle), -g * std::cos(angle)};
  m.obstacles = {plane({0, 0}, {0, 1}, friction)};
  return m;
}
/// Mean displacement and velocity along x, by mass.
struct Slide {
  double way = 0, speed = 0;
};
Slide slide_of(const Snapshot& s) {
  Slide sum;
  double mass = 0;
  for (std::size_t n = 0; n < s.mass.size(); ++n) {
    mass += s.mass[n];
    sum.way += s.mass[n] * s.displacement[n].x;
    sum.speed += s.mass[n] * s.velocity[n].x;
  }
  return {sum.way / mass, sum.speed / mass};
}

/// Acceleration of a disc along x from three rows.
double acceleration(const HistoryRow& a, const HistoryRow& b, const HistoryRow& c) {
  const double first = (place_of(b).x - place_of(a).x) / (b.time - a.time),
               second = (place_of(c).x - place_of(b).x) / (c.time - b.time);
  return 2 * (second - first) / (c.time - a.time);
}

/// Largest pressure and half width of a contact whose pressure falls as p^2 = p0^2 (1 - (x / a)^2), by a fit.
struct Hertz {
  double peak, half;
};
/// @param pressures  x and pressure, m, Pa
/// @param half       about a, m
Hertz hertz_of(const std::vector<Point>& pressures, double half) {
  double count = 0, x = 0, y = 0, xx = 0, xy = 0;
  for (const Point& at : pressures) {
    if (std::abs(at.x) > 0.9 * half) continue;
    const double square = at.x * at.x, pressure = at.y * at.y;
    count += 1;
    x += square;
    y += pressure;
    xx += square * square;
    xy += square * pressure;
  }
  REQUIRE(count > 15);
  const double slope = (count * xy - x * y) / (count * xx - x * x), at_middle = (y - slope * x) / count;
  return {std::sqrt(at_middle), std::sqrt(-at_middle / slope)};
}

}  // namespace

TEST_CASE("a bar that hits a wall leaves it as fast, after two transits", "[contact]") {
  CLEAVE_ON_EVERY_DEVICE();
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  const double of_wave_speed = GENERATE(0.01, 0.03);
  const double length = 10, height = 0.4, c = 30, speed = of_wave_speed * c;
  CAPTURE(name_of(type), speed);
  Model m = make_model(rectangle(type, {type == ElementType::t3 ? 100 : 50, 2}, {length, height}),
                       {900, 0, 1, PlaneType::strain}, 0.5);
  m.obstacles = {plane({-0.003, 0}, {1, 0})};
  set_velocity(m, [&](Point) { return Point{-speed, 0}; });
  const auto solver = make_solver(m, backend);
  double begin = 0, end = 0, impulse = 0;
  for (HistoryRow row = solver->history(); row.time < 1; row = solver->history()) {
    if (row.contact_points > 0) {
      if (begin == 0) begin = row.time;
      end = row.time;
    }
    impulse += m.step * row.obstacles[0].value[0];
    REQUIRE(std::abs(row.balance_error) < 1e-12);
    solver->advance(1, Output::history);
  }
  const double lasts = 2 * length / c, mass = length * height;
  const double pressure = impulse / (height * lasts), leaves = impulse / mass - speed;
  CHECK(end - begin == Approx(lasts).epsilon(0.01));
  CHECK(pressure == Approx(c * speed).epsilon(0.01));
  CHECK(leaves == Approx(speed).epsilon(0.01));
  const std::string of = std::string(name_of(type)) + (of_wave_speed < 0.02 ? ", v/c 0.01: " : ", v/c 0.03: ");
  record("a bar against a wall", of + "contact lasts", lasts, end - begin, "s", "1 %");
  record("a bar against a wall", of + "mean pressure", c * speed, pressure, "Pa", "1 %");
  record("a bar against a wall", of + "leaves at", speed, leaves, "m/s", "1 %");
}

TEST_CASE("a block slides to rest by friction", "[contact]") {
  CLEAVE_ON_EVERY_DEVICE();
  const double friction = 0.5, speed = 0.02;
  Model m = block(0, friction, GENERATE(1e-7, 1e-8));
  set_velocity(m, [&](Point) { return Point{speed, 0}; });
  const auto solver = make_solver(m, backend);
  advance_to(*solver, m, 1.3 * speed / (friction * g));
  const double way = speed * speed / (2 * friction * g), reached = slide_of(solver->snapshot()).way;
  const HistoryRow row = solver->history();
  CHECK(reached == Approx(way).epsilon(5e-3));
  CHECK(row.contact_friction_energy == Approx(2650 * 0.05 * 0.05 * speed * speed / 2).epsilon(5e-3));
  CHECK(std::abs(row.balance_error) < 1e-12);
  record("a block slides to rest", m.step < 5e-8 ? "step 10 ns: way" : "step 100 ns: way", way, reached, "m", "0.5 %");
}

TEST_CASE("a block on an incline sticks below the angle of friction, and slides above it", "[contact]") {
  CLEAVE_ON_EVERY_DEVICE();
  const double friction = 0.5;  // 26.6 degrees
  {
    Model m = block(20 * std::numbers::pi / 180, friction, 1e-6);
    m.drag = {2e4, 0.01};
    const auto solver = make_solver(m, backend);
    solver->advance(11'000);
    const double before = slide_of(solver->snapshot()).way;
    solver->advance(10'000);
    const double drift = std::abs(slide_of(solver->snapshot()).way - before) / 0.05;
    CHECK(drift < 1e-15);
    CHECK(std::abs(solver->history().balance_error) < 1e-12);
    record("a block on an incline", "20 degrees: drift in 10,000 steps over its size", 0, drift, "-", "1e-15");
  }
  const double angle = 35 * std::numbers::pi / 180;
  Model m = block(angle, friction, 1e-6);
  m.drag = {2e4, 0.005};
  const auto solver = make_solver(m, backend);
  advance_to(*solver, m, 0.01);
  const double before = slide_of(solver->snapshot()).speed;
  advance_to(*solver, m, 0.03);
  const double reached = (slide_of(solver->snapshot()).speed - before) / 0.02;
  const double expected = g * (std::sin(angle) - friction * std::cos(angle));
  CHECK(reached == Approx(expected).epsilon(5e-3));
  CHECK(std::abs(solver->history().balance_error) < 1e-12);
  record("a block on an incline", "35 degrees: acceleration", expected, reached, "m/s^2", "0.5 %");
}

TEST_CASE("a disc that slides through an impact leaves with the spin that friction gives it", "[contact]") {
  CLEAVE_ON_EVERY_DEVICE();
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  const double friction = 0.3, down = 0.5, along = 2, radius = 0.02;
  Model m = make_model(rectangle(type, {60, 6}, {0.06, 0.006}), {1e8, 0.25, 2650, PlaneType::strain}, 0.5);
  move_x(m, "bottom", add_motion(m, 0));
  move_y(m, "bottom", add_motion(m, 0));
  m.obstacles = {disc({0.03, 0.0261}, radius, friction)};
  set_free(m.obstacles[0], 2650 * std::numbers::pi * radius * radius, {along, -down});
  const auto solver = make_solver(m, backend);
  HistoryRow before = solver->history();
  do {  // until it is free again
    before = solver->history();
    solver->advance(20, Output::history);
  } while (solver->history().contact_points > 0 || place_of(solver->history()).y < 0.0261);
  const HistoryRow row = solver->history();
  const double time = row.time - before.time;
  const double up = (place_of(row).y - place_of(before).y) / time, bounce = down + up;  // (1 + e) v_n
  const double lost = along - (place_of(row).x - place_of(before).x) / time;
  const double spin = (row.obstacles[0].value[4] - before.obstacles[0].value[4]) / time * radius;
  // The block heaps up before the disc, and its pressure has a part along the surface.
  CHECK(lost == Approx(friction * bounce).epsilon(0.02));
  CHECK(-spin == Approx(2 * friction * bounce).epsilon(2e-3));
  CHECK(std::abs(row.balance_error) < 1e-12);
  const std::string of = std::string(name_of(type)) + ": ";
  record("a disc slides through an impact", of + "speed lost", friction * bounce, lost, "m/s", "2 %");
  record("a disc slides through an impact", of + "spin times radius", 2 * friction * bounce, -spin, "m/s", "0.2 %");
}

TEST_CASE("a disc rolls down an incline without slipping", "[contact]") {
  CLEAVE_ON_EVERY_DEVICE();
  const double angle = 20 * std::numbers::pi / 180, radius = 0.05;
  Model m = make_model(rectangle(ElementType::t3, {100, 5}, {0.1, 0.005}), {1e7, 0.25, 2650, PlaneType::strain}, 0.2);
  move_x(m, "bottom", add_motion(m, 0));
  move_y(m, "bottom", add_motion(m, 0));
  m.body_acceleration = {g * std::sin(angle), -g * std::cos(angle)};
  m.drag = {2e3, {}};
  m.obstacles = {disc({0.04, 0.055}, radius, 0.3)};
  set_free(m.obstacles[0], 2650 * std::numbers::pi * radius * radius);
  const auto solver = make_solver(m, backend);
  HistoryRow rows[3];
  for (int i = 0; i < 3; ++i) {
    advance_to(*solver, m, 0.02 + 0.03 * i);
    rows[i] = solver->history();
  }
  const double expected = 2.0 / 3 * g * std::sin(angle), reached = acceleration(rows[0], rows[1], rows[2]);
  CHECK(reached == Approx(expected).epsilon(0.01));
  CHECK(std::abs(rows[2].balance_error) < 1e-12);
  record("a disc rolls down an incline", "acceleration", expected, reached, "m/s^2", "1 %");
}

/// H. Hertz (1881): half width a = sqrt(4 F R / (pi E')), largest pressure 2 F / (pi a), with the force F per length.
TEST_CASE("a cylinder presses on a block as Hertz says", "[contact]") {
  CLEAVE_ON_EVERY_DEVICE();
  Model m = cleave::make_model(parse_case(R"(
mesh: {shape: rectangle, divisions: [10, 5], size: [0.01, 0.005], origin: [-0.005, -0.005], element: T6, thickness: 1,
       grading: [{at: [0, 0], size: 4.0e-5, growth: 0.3}]}
material: {young_modulus: 70.0e9, poisson_ratio: 0.33, density: 2700}
time: {end: 16.0e-6}
boundary: [{on: bottom, fix: [x, y]}]
damping: {rate: 8.0e5}
curves: {down: {table: [[0, 1], [8.0e-6, 1], [10.0e-6, 0]]}}
obstacles: [{name: disc, disc: {centre: [0, 0.05], radius: 0.05}, velocity: {y: -0.27}, curve: down}]
output: {lines: [{name: top, on: top, points: 2001, every: 100}]}
)",
                                          "hertz.yaml"));
  const auto solver = make_solver(m, backend);
  advance_to(*solver, m, 16e-6);
  const HistoryRow row = solver->history();
  const double force = -row.obstacles[0].value[1], modulus = 70e9 / (1 - 0.33 * 0.33);
  const double half = std::sqrt(4 * force * 0.05 / (std::numbers::pi * modulus));
  const double peak = 2 * force / (std::numbers::pi * half);
  const Snapshot s = solver->snapshot();
  std::vector<Point> stress, traction, line;  // place and pressure
  for (std::size_t n = 0; n < s.position.size(); ++n)
    if (s.position[n].y == 0) {
      stress.push_back({s.position[n].x, -s.nodal_stress[n].yy});
      traction.push_back({s.position[n].x, -s.contact_traction[n].y});
    }
  const ProbeRow last = solver->take_probe_rows().back();
  for (std::size_t i = 0; i < last.probes.size(); ++i)
    line.push_back({m.lines[0].places[i].at.x, last.probes[i].contact_pressure});
  CHECK(solver->step() - last.step < 100);
  for (const auto& [what, of] : {std::pair{"stress", stress}, {"traction in frames", traction}, {"line", line}}) {
    CAPTURE(what);
    const auto [peak_there, half_there] = hertz_of(of, half);
    CHECK(half_there == Approx(half).epsilon(0.03));
    CHECK(peak_there == Approx(peak).epsilon(0.02));
  }
  const auto [fitted_peak, fitted_half] = hertz_of(stress, half);
  CHECK(std::abs(row.balance_error) < 1e-12);
  record("a cylinder on a block", "half width", half, fitted_half, "m", "3 %");
  record("a cylinder on a block", "largest pressure", peak, fitted_peak, "Pa", "2 %");
}

}  // namespace cleave::verification
