/// Obstacles: how points see them, and runs against planes and discs.
#include <algorithm>
#include <catch2/catch.hpp>

#include "backend/contact_runs.hpp"
#include "cleave/core/error.hpp"
#include "terms/contact/obstacles.hpp"

namespace cleave::test {
namespace {

Obstacle plane(Point place, Point normal, double friction = 0) {
  Obstacle o;
  o.name = "plane";
  o.place = place;
  o.normal = normal;
  o.friction = friction;
  return o;
}
Obstacle ball(Point centre, double radius, double mass, Point velocity, double friction = 0) {
  Obstacle o;
  o.name = "ball";
  o.place = centre;
  o.radius = radius;
  o.friction = friction;
  o.mass = mass;
  o.inertia = mass * radius * radius / 2;
  o.velocity = velocity;
  return o;
}

Model plate(ElementType type, std::array<int, 2> divisions = {8, 4}) {
  Model m = model_of(plate_mesh(type, divisions));
  m.assembly = Assembly::gather;
  m.precision = GENERATE(Precision::double_precision, Precision::single_precision);
  return m;
}

/// The plate in a box that a disc shares with it, all rough.
Model box(ElementType type) {
  Model m = plate(type);
  const double gap = 0.1e-3;
  m.obstacles = {plane({-gap, 0}, {1, 0}, 0.3), plane({16e-3 + gap, 0}, {-1, 0}, 0.3), plane({0, -gap}, {0, 1}, 0.3),
                 plane({0, 14e-3}, {0, -1}, 0.3), ball({9e-3, 11e-3}, 2.5e-3, 20e-6, {1, -9}, 0.3)};
  m.motions.push_back({-2, Curve::half_sine(1000 * m.step)});
  m.obstacles[1].motion = {static_cast<int>(m.motions.size()), 0};
  add_velocity(m, {6, -12}, {0, -400, 400, 0}, {8e-3, 4e-3});
  return m;
}

}  // namespace

TEST_CASE("a place sees how deep it is in an obstacle and how it moves along it", "[contact]") {
  const ObstacleShape wall{{0.6, 0.8}, 0, 0, 0, {0, 0}, 0};
  ObstacleState state;
  state.place[0] = 1;
  state.place[1] = 2;
  state.moved[0] = 0.5;
  const ObstacleView at_wall =
      look_at(wall, state, {state, {2, 0}, {0.5, 1}}, {1.5, 1});  // (2.5, 1) - (1, 2) = (1.5, -1)
  CHECK(at_wall.depth == Approx(-0.1));
  CHECK((at_wall.normal.x == Real(0.6) && at_wall.normal.y == Real(0.8)));
  CHECK(at_wall.parting == Approx(1 * 0.6 + 1 * 0.8));
  CHECK(at_wall.slip == Approx(-0.8 * 1 + 0.6 * 1));
  CHECK(at_wall.lever == 0);
  const ObstacleShape disc{{0, 0}, 2, 0, 0, {0, 0}, 0};
  state.moved[2] = 0.25;
  const ObstacleView at_disc = look_at(disc, state, {state, {1.9, 3.2}, {0, 0}}, {0.7, 0.1});  // (0.9, 1.2) away, 1.5
  CHECK(at_disc.depth == Approx(0.5));
  CHECK(at_disc.lever == Approx(1.5));
  CHECK(at_disc.parting == Approx(0.2 * 0.6 + 0.1 * 0.8));
  // The surface of the disc moves by 0.25 times 1.5 along the tangent (-0.8, 0.6).
  CHECK(at_disc.slip == Approx(-0.8 * 0.2 + 0.6 * 0.1 - 0.375));
  CHECK((at_disc.relative.x == Approx(0.2) && at_disc.turned == Real(0.25)));
}

TEST_CASE("a plate in a box with a disc runs alike on threads and from a checkpoint", "[contact][solver]") {
  Model m = box(GENERATE(ElementType::t3, ElementType::t6));
  const bool breaks = GENERATE(false, true);
  if (breaks) m.cohesive = brittle();
  const HistoryRow row = check_contact_runs(m, 1500);
  CHECK((row.cohesive_elements > 5) == breaks);
  CHECK(row.contact_friction_energy > 0);
  CHECK(row.external_work > 0);
  REQUIRE(row.obstacles.size() == 5);
  CHECK(row.obstacles[4].value[4] != 0);  // the disc turns
  CHECK(row.obstacles[1].value[2] < 16.1e-3);
}

TEST_CASE("a frame shows the forces of obstacles as tractions, and how deep they are", "[contact][solver]") {
  const Model m = box(GENERATE(ElementType::t3, ElementType::t6));
  const auto solver = make_solver(m, 1);
  while (solver->history().contact_points == 0 && solver->step() < 1500) solver->advance(20);
  solver->advance(20);
  const Snapshot s = solver->snapshot();
  Point reactions;
  for (const ObstacleValues& o : solver->history().obstacles)
    reactions = {reactions.x + o.value[0], reactions.y + o.value[1]};
  const Point shown = shown_force(s, m.thickness, [](Index) { return true; });
  const double size = std::hypot(reactions.x, reactions.y), rounding = tolerance(m, 1e-12, 1e-5) * size;
  REQUIRE(size > 0);
  CHECK(std::abs(shown.x - reactions.x) < rounding);
  CHECK(std::abs(shown.y - reactions.y) < rounding);
  // The floor at y = -0.1 mm is the only one that any node is in.
  double deepest = 0;
  for (std::size_t n = 0; n < s.position.size(); ++n) {
    if (s.position[n].y > 1e-9)
      REQUIRE(s.contact_depth[n] == 0);
    else
      deepest = std::max(deepest, -0.1e-3 - s.displacement[n].y);
  }
  CHECK(*std::max_element(s.contact_depth.begin(), s.contact_depth.end()) == Approx(deepest).epsilon(1e-3));
  REQUIRE(!s.touches.empty());
  for (const Snapshot::Touch& touch : s.touches) CHECK(touch.other == -3);
}

TEST_CASE("a plate that a free disc strikes keeps the momentum of both", "[contact][solver]") {
  Model m = model_of(plate_mesh(GENERATE(ElementType::t3, ElementType::t6)));
  m.assembly = Assembly::gather;
  const double mass = 40e-6;
  m.obstacles = {ball({8e-3, 11.05e-3}, 3e-3, mass, {2, -8}, 0.5)};
  const auto solver = make_solver(m, 1);
  const auto momentum = [&]() -> Point {  // of the plate now, of the disc in the middle of three steps
    const Snapshot s = solver->snapshot();
    Point sum;
    for (std::size_t n = 0; n < s.mass.size(); ++n)
      sum = {sum.x + s.mass[n] * s.velocity[n].x, sum.y + s.mass[n] * s.velocity[n].y};
    return sum;
  };
  const auto place = [&] {
    const ObstacleValues o = solver->history().obstacles.front();
    return Point{o.value[2], o.value[3]};
  };
  Index most = 0;
  for (int i = 0; i < 20; ++i) {
    solver->advance(50);
    const Point before = place();
    solver->advance(1);
    const Point plate = momentum();
    most = std::max(most, solver->history().contact_points);
    solver->advance(1);
    const Point after = place();
    const double per_time = mass / (2 * m.step);
    CHECK(plate.x + per_time * (after.x - before.x) == Approx(mass * 2).epsilon(1e-9));
    CHECK(plate.y + per_time * (after.y - before.y) == Approx(-mass * 8).epsilon(1e-9));
  }
  CHECK(most > 0);
  CHECK(solver->history().contact_points == 0);  // it has bounced
  CHECK(std::abs(solver->history().balance_error) < 1e-12);
}

TEST_CASE("an overlap at the start makes no force until it grows", "[contact][solver]") {
  Model m = model_of(plate_mesh(ElementType::t3));
  m.assembly = Assembly::gather;
  m.obstacles = {plane({0, 0.1e-3}, {0, 1})};
  const auto solver = make_solver(m, 1);
  solver->advance(100);
  CHECK(solver->history().contact_points > 0);
  CHECK(solver->history().kinetic_energy == 0);
  CHECK(solver->history().contact_energy == 0);
}

TEST_CASE("a run ends before a point sinks deeper than a quarter of an altitude", "[contact][solver]") {
  Model m = model_of(plate_mesh(ElementType::t3, {8, 4}, false, 0));
  m.assembly = Assembly::gather;
  m.obstacles = {plane({0, -0.1e-3}, {0, 1})};
  for (Point& v : m.velocity) v = {0, -1200};  // 0.6 of the wave speed
  const auto solver = make_solver(m, 1);
  CHECK_THROWS_WITH(solver->advance(1000), Catch::Contains("contact: at step ") &&
                                               Catch::Contains("is deeper inside an obstacle than a quarter"));
}

}  // namespace cleave::test
