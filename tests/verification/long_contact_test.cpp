/// Many bodies that meet again: momentum, energy and overlap of clouds and piles.
#include <algorithm>
#include <cmath>
#include <random>

#include "support.hpp"

namespace cleave::verification {
namespace {

const MaterialCase rubble{"neo_hookean", {1, 0.25, 1, PlaneType::strain}};

/// Bodies as corners and triangles, to be put into one mesh.
struct Bodies {
  std::vector<Point> corners;
  std::vector<std::array<Index, 3>> triangles;
  std::vector<Index> body_of;  ///< [corner]

  /// Adds a polygon that is star-shaped about its first corner.
  void add_fan(const std::vector<Point>& polygon) {
    const Index first = static_cast<Index>(corners.size()), body = body_of.empty() ? 0 : body_of.back() + 1;
    for (const Point p : polygon) {
      corners.push_back(p);
      body_of.push_back(body);
    }
    for (Index i = 1; i + 1 < static_cast<Index>(polygon.size()); ++i)
      triangles.push_back({first, first + i, first + i + 1});
  }
};

/// A triangle of random shape around a centre, all angles between 25 and 130 degrees.
template <class Random>
std::vector<Point> random_triangle(Random& random, Point centre, double radius) {
  std::uniform_real_distribution<> turn(0, 2 * M_PI), angle(25, 130);
  double a, b, c;
  do {
    a = angle(random);
    b = angle(random);
    c = 180 - a - b;
  } while (c < 25 || c > 130);
  const double start = turn(random);
  std::vector<Point> corners;
  for (const double at : {0.0, 2 * c * M_PI / 180, 2 * (c + a) * M_PI / 180})  // inscribed angles
    corners.push_back({centre.x + radius * std::cos(start + at), centre.y + radius * std::sin(start + at)});
  return corners;
}

/// A model of bodies, each of which flies and turns at random.
template <class Random>
Model flying(const Bodies& bodies, ElementType type, double speed, Random& random) {
  Model m = make_model(make_mesh(type, bodies.corners, bodies.triangles), rubble, 0.5);
  std::uniform_real_distribution<> component(-speed, speed);
  const Index count = bodies.body_of.back() + 1;
  std::vector<Point> velocity(count), centre(count);
  std::vector<double> spin(count), corners(count);
  for (std::size_t n = 0; n < bodies.corners.size(); ++n) {
    centre[bodies.body_of[n]].x += bodies.corners[n].x;
    centre[bodies.body_of[n]].y += bodies.corners[n].y;
    ++corners[bodies.body_of[n]];
  }
  for (Index b = 0; b < count; ++b) {
    centre[b] = {centre[b].x / corners[b], centre[b].y / corners[b]};
    velocity[b] = {component(random), component(random)};
    spin[b] = component(random);
  }
  set_velocity(m, [&](Point p) {
    const auto distance = [&](Index b) { return std::hypot(p.x - centre[b].x, p.y - centre[b].y); };
    Index nearest = 0;
    for (Index b = 1; b < count; ++b)
      if (distance(b) < distance(nearest)) nearest = b;
    const Point at = velocity[nearest], off{p.x - centre[nearest].x, p.y - centre[nearest].y};
    return Point{at.x - spin[nearest] * off.y, at.y + spin[nearest] * off.x};
  });
  m.sides_touch = true;
  return m;
}

/// A closed box of four half planes.
void add_box(Model& m, double low, double high) {
  const auto add = [&](const char* name, Point place, Point normal) {
    Obstacle o;
    o.name = name;
    o.place = place;
    o.normal = normal;
    m.obstacles.push_back(o);
  };
  add("left", {low, 0}, {1, 0});
  add("right", {high, 0}, {-1, 0});
  add("below", {0, low}, {0, 1});
  add("above", {0, high}, {0, -1});
}

struct Momentum {
  double x = 0, y = 0, turning = 0;         ///< the momenta
  double largest = 0, largest_turning = 0;  ///< sums of their amounts
};
Momentum momentum_of(const Snapshot& s) {
  Momentum sum;
  for (std::size_t n = 0; n < s.mass.size(); ++n) {
    const double px = s.mass[n] * s.velocity[n].x, py = s.mass[n] * s.velocity[n].y;
    const double x = s.position[n].x + s.displacement[n].x, y = s.position[n].y + s.displacement[n].y;
    sum.x += px;
    sum.y += py;
    sum.turning += x * py - y * px;
    sum.largest += std::hypot(px, py);
    sum.largest_turning += std::abs(x * py) + std::abs(y * px);
  }
  return sum;
}

using Corners = std::vector<Point>;
double area_of(const Corners& p) {
  double twice = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    const Point a = p[i], b = p[(i + 1) % p.size()];
    twice += a.x * b.y - a.y * b.x;
  }
  return twice / 2;
}
/// The part of a convex polygon on the left of a line.
Corners left_of(const Corners& p, Point a, Point b) {
  const auto side = [&](Point q) { return (b.x - a.x) * (q.y - a.y) - (b.y - a.y) * (q.x - a.x); };
  Corners kept;
  for (std::size_t i = 0; i < p.size(); ++i) {
    const Point here = p[i], next = p[(i + 1) % p.size()];
    const double s = side(here), t = side(next);
    if (s >= 0) kept.push_back(here);
    if ((s > 0 && t < 0) || (s < 0 && t > 0))
      kept.push_back({here.x + s / (s - t) * (next.x - here.x), here.y + s / (s - t) * (next.y - here.y)});
  }
  return kept;
}
/// Area in which triangles of different fragments lie on each other, over the area of all.
double overlap_of(const Snapshot& s) {
  const int nodes = s.type == ElementType::t3 ? 3 : 6;
  std::vector<Corners> triangles;
  for (std::size_t e = 0; e < s.elements.size() / nodes; ++e) {
    Corners corners;
    for (int i = 0; i < 3; ++i) {
      const Index n = s.elements[e * nodes + i];
      corners.push_back({s.position[n].x + s.displacement[n].x, s.position[n].y + s.displacement[n].y});
    }
    triangles.push_back(corners);
  }
  double whole = 0, shared = 0;
  for (std::size_t e = 0; e < triangles.size(); ++e) {
    whole += area_of(triangles[e]);
    for (std::size_t f = 0; f < e; ++f) {
      if (s.fragment[e] == s.fragment[f]) continue;
      Corners common = triangles[e];
      for (int i = 0; i < 3 && !common.empty(); ++i)
        common = left_of(common, triangles[f][i], triangles[f][(i + 1) % 3]);
      shared += area_of(common);
    }
  }
  return shared / whole;
}

/// Energy of the bodies, which the steps of each alone keep, J. That of contact is left out: it would hide its debts.
double energy_of(const HistoryRow& row) { return row.kinetic_energy - row.kinetic_correction + row.strain_energy; }

/// Runs bodies in a box and records how far the energy goes from that at the start, and the overlap of frames.
void rattle(Model m, const std::string& backend, const std::string& claim) {
  const auto solver = make_solver(m, backend);
  const double before = energy_of(solver->history());
  double largest = 0, overlap = 0, balance = 0;
  const Step steps = 100'000;
  for (Step step = 0; step < steps; step += 100) {
    solver->advance(100, Output::state);
    const HistoryRow row = solver->history();
    largest = std::max(largest, energy_of(row) / before - 1);
    balance = std::max(balance, std::abs(row.balance_error));
    if (step % 10'000 == 0) overlap = std::max(overlap, overlap_of(solver->snapshot()));
  }
  // Bodies that press each other have given some energy to contact.
  for (int more = 0; more < 50 && solver->history().contact_points > 0; ++more) solver->advance(20, Output::state);
  const double end = energy_of(solver->history()) / before - 1;
  CHECK(std::abs(end) < 0.005);
  CHECK(largest < 0.02);
  CHECK(balance < 1e-12);
  CHECK(overlap < 1e-3);  // bodies press each other at the time of a frame
  record(claim, "energy at the end over that at the start, less 1", 0, end, "-", "0.5 %");
  record(claim, "largest energy over that at the start, less 1", 0, largest, "-", "2 %");
  record(claim, "overlap over the area", 0, overlap, "-", "0.1 %");
}

}  // namespace

TEST_CASE("a cloud of 1,000 colliding fragments keeps its momentum and angular momentum", "[contact]") {
  CLEAVE_ON_EVERY_DEVICE();
  std::mt19937 random(1);
  Bodies bodies;
  for (int i = 0; i < 1000; ++i) bodies.add_fan(random_triangle(random, {2.2 * (i % 32), 2.2 * (i / 32)}, 1));
  Model m = flying(bodies, GENERATE(ElementType::t3, ElementType::t6), 0.05, random);
  m.contact.friction = 0.3;
  const auto solver = make_solver(m, backend);
  const Momentum before = momentum_of(solver->snapshot());
  Index touching = 0;
  for (int i = 0; i < 100; ++i) {
    solver->advance(200, Output::state);
    touching = std::max(touching, static_cast<Index>(solver->history().contact_points));
  }
  CHECK(touching > 20);
  const Momentum after = momentum_of(solver->snapshot());
  const double moved = std::hypot(after.x - before.x, after.y - before.y) / before.largest;
  const double turned = std::abs(after.turning - before.turning) / before.largest_turning;
  CHECK(moved < 1e-13);
  CHECK(turned < 1e-11);
  CHECK(std::abs(solver->history().balance_error) < 1e-12);
  record("a cloud of 1,000 fragments", "momentum made over that of all", 0, moved, "-", "1e-13");
  record("a cloud of 1,000 fragments", "angular momentum made over that of all", 0, turned, "-", "1e-11");
}

TEST_CASE("a pile of 30 random triangles in a closed box keeps its energy", "[contact]") {
  CLEAVE_ON_EVERY_DEVICE();
  std::mt19937 random(GENERATE(1, 2, 3));
  Bodies bodies;
  for (int i = 0; i < 30; ++i) bodies.add_fan(random_triangle(random, {2.1 * (i % 6), 2.1 * (i / 6)}, 1));
  Model m = flying(bodies, ElementType::t3, 0.01, random);
  add_box(m, -1.2, 12);
  rattle(m, backend, "a pile of 30 triangles");
}

TEST_CASE("a pile of 300 broken pieces in a closed box keeps its energy", "[contact]") {
  CLEAVE_ON_EVERY_DEVICE();
  std::mt19937 random(1);
  Bodies bodies;
  // A plate of 17 x 9 squares, each cut in two, with a little room around each piece.
  std::uniform_real_distribution<> off(-0.2, 0.2);
  std::vector<Point> grid;
  for (int i = 0; i < 18 * 10; ++i) grid.push_back({i % 18 + off(random), i / 18 + off(random)});
  const auto add = [&](int a, int b, int c) {
    std::vector<Point> corners{grid[a], grid[b], grid[c]};
    const Point middle{(grid[a].x + grid[b].x + grid[c].x) / 3, (grid[a].y + grid[b].y + grid[c].y) / 3};
    for (Point& p : corners) p = {p.x + 0.1 * (middle.x - p.x), p.y + 0.1 * (middle.y - p.y)};
    bodies.add_fan(corners);
  };
  for (int j = 0; j < 9; ++j)
    for (int i = 0; i < 17; ++i) {
      const int at = 18 * j + i;
      add(at, at + 1, at + 19);
      add(at, at + 19, at + 18);
    }
  Model m = flying(bodies, ElementType::t3, 0.01, random);
  add_box(m, -0.5, 17.5);
  rattle(m, backend, "a pile of 300 pieces");
}

}  // namespace cleave::verification
