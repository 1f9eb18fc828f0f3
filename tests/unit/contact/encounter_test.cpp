/// Bodies that meet: bars with exact velocities, and random encounters of needles, slivers and corners.
#include <catch2/catch.hpp>
#include <random>

#include "unit/contact/bodies.hpp"

namespace cleave::test {
namespace {

/// Nodes and triangles of bodies to be.
struct Shapes {
  std::vector<Vec2> nodes;
  std::vector<Triangle> triangles;
  std::vector<Index> body;

  Bodies made() const { return Bodies(nodes, triangles, body); }
  Index count() const { return body.empty() ? 0 : body.back() + 1; }
  void add(const std::vector<Vec2>& own, const std::vector<Triangle>& of, Vec2 centre, double angle) {
    const Index first = static_cast<Index>(nodes.size()), number = count();
    const double c = std::cos(angle), s = std::sin(angle);
    for (const Vec2 p : own) nodes.push_back(centre + Vec2{c * p.x - s * p.y, s * p.x + c * p.y});
    for (const Triangle& t : of) {
      triangles.push_back({first + t[0], first + t[1], first + t[2]});
      body.push_back(number);
    }
  }
  /// A strip of `pieces` quads along x, which tapers to `tip` times its width; 0: to a point.
  void add_strip(double length, double width, double tip, int pieces, Vec2 centre, double angle) {
    std::vector<Vec2> own;
    std::vector<Triangle> of;
    for (int i = 0; i <= pieces; ++i) {
      const double share = static_cast<double>(i) / pieces, half = 0.5 * width * (1 - share * (1 - tip));
      own.push_back({length * (share - 0.5), -half});
      if (half > 0) own.push_back({length * (share - 0.5), half});
    }
    for (Index a = 0; a + 3 < static_cast<Index>(own.size()); a += 2) {
      of.push_back({a, a + 2, a + 1});
      of.push_back({a + 2, a + 3, a + 1});
    }
    if (own.size() % 2 == 1) {
      const Index last = static_cast<Index>(own.size()) - 1;
      of.push_back({last - 2, last, last - 1});
    }
    add(own, of, centre, angle);
  }
};

/// Random encounters, one kind at a time.
class Encounters {
 public:
  explicit Encounters(unsigned seed) : random_(seed) {}
  double uniform(double low, double high) { return std::uniform_real_distribution<>(low, high)(random_); }

  Shapes shapes(int kind) {
    Shapes s;
    const double any = uniform(0, 2 * M_PI);
    if (kind == 0) {  // needle on needle
      s.add_strip(2, uniform(0.1, 0.5), 0, 4, {-1.15, 0}, uniform(-0.3, 0.3));
      s.add_strip(2, uniform(0.1, 0.5), 0, 4, {1.15, uniform(-0.12, 0.12)}, M_PI + uniform(-0.3, 0.3));
    } else if (kind == 1) {  // corner on corner
      add_triangle(s, uniform(0.3, 1), {-0.9, 0});
      add_triangle(s, uniform(0.3, 1), {0.9, uniform(-0.3, 0.3)});
    } else if (kind == 2) {  // bars across each other
      s.add_strip(2, uniform(0.05, 0.3), 0, 5, {uniform(-0.8, 0.8), -1.1}, any);
      s.add_strip(2, uniform(0.06, 0.2), 1, 6, {0, 1.1}, uniform(0, 2 * M_PI));
    } else {  // triangle on sliver
      add_triangle(s, uniform(0.3, 1), {-1, 0});
      s.add_strip(uniform(1, 2), uniform(0.07, 0.2), 0, 4, {1, uniform(-0.5, 0.5)}, any);
    }
    return s;
  }
  /// Sends two bodies towards each other, turning.
  double send(Bodies& bodies, const std::vector<Index>& body_of_node) {
    const double speed = uniform(0.01, 0.05), angle = uniform(-0.3, 0.3);
    Vec2 centre[2] = {{0, 0}, {0, 0}};
    for (std::size_t n = 0; n < bodies.v.size(); ++n)
      centre[body_of_node[n]] += bodies.mass[n] / bodies.mass_of(body_of_node[n]) * bodies.surface.x[n];
    const Vec2 apart = centre[1] - centre[0];
    const double along = std::atan2(apart.y, apart.x) + angle;
    const double spin[2] = {uniform(-0.5, 0.5) * speed, uniform(-0.5, 0.5) * speed};
    for (std::size_t n = 0; n < bodies.v.size(); ++n) {
      const Index b = body_of_node[n];
      const Vec2 r = bodies.surface.x[n] - centre[b];
      bodies.v[n] = (b == 0 ? 0.5 : -0.5) * speed * Vec2{std::cos(along), std::sin(along)} + spin[b] * Vec2{-r.y, r.x};
    }
    return speed;
  }

 private:
  void add_triangle(Shapes& s, double size, Vec2 centre) {
    std::vector<Vec2> p(3);
    do {
      for (Vec2& corner : p) corner = {uniform(-size, size), uniform(-size, size)};
      if (area_of(p[0], p[1], p[2]) < 0) std::swap(p[1], p[2]);
    } while (least_altitude(p[0], p[1], p[2]) < 0.08 * size);
    const Vec2 middle = 1.0 / 3 * (p[0] + p[1] + p[2]);
    for (Vec2& corner : p) corner = corner - middle;
    s.add(p, {{0, 1, 2}}, centre, 0);
  }
  std::mt19937 random_;
};

std::vector<Index> bodies_of_nodes(const Shapes& shapes) {
  std::vector<Index> of(shapes.nodes.size());
  for (std::size_t e = 0; e < shapes.body.size(); ++e)
    for (const Index n : shapes.triangles[e]) of[n] = shapes.body[e];
  return of;
}

/// Runs until bodies that have touched are apart for a while, or sink too deep. Returns whether they have touched.
bool run_encounter(Bodies& bodies, double until) {
  int last = -1;
  while (bodies.steps * bodies.dt < until && bodies.deepest <= 1) {
    bodies.step();
    if (bodies.touching() > 0) last = bodies.steps;
    if (last >= 0 && bodies.steps > last + 400 && bodies.steps % 50 == 0 && bodies.overlap() == 0) break;
  }
  return last >= 0;
}

}  // namespace

TEST_CASE("two equal bars exchange their velocities", "[contact]") {
  Shapes shapes;
  add_bar(shapes.nodes, shapes.triangles, shapes.body, 0, {-10.001, 0}, {10, 1}, 40, 4);
  add_bar(shapes.nodes, shapes.triangles, shapes.body, 1, {0.001, 0}, {10, 1}, 40, 4);
  Bodies bodies = shapes.made();
  const double speed = 0.01, start = (bodies.set_velocity(0, {speed, 0}), bodies.set_velocity(1, {-speed, 0}),
                                      bodies.kinetic_energy());
  double begin = 0, end = 0, worst = 0, made = 0;
  while (bodies.steps * bodies.dt < 30) {
    bodies.step();
    worst = std::max(worst, std::abs(bodies.booked - bodies.contact_energy() - bodies.heat));
    made = std::max(made, -bodies.booked);
    if (bodies.touching() == 0) continue;
    end = bodies.steps * bodies.dt;
    if (begin == 0) begin = end;
  }
  CHECK(end - begin == Approx(20).epsilon(0.05));  // and the penalty's own time
  // The front of a wave that is not resolved goes on as vibration.
  CHECK(bodies.momentum(0).x == Approx(-speed * bodies.mass_of(0)).epsilon(0.02));
  CHECK(bodies.momentum(1).x == Approx(speed * bodies.mass_of(1)).epsilon(0.02));
  CHECK(worst < 1e-14 * start);
  CHECK(made < 1e-3 * start);
  CHECK(std::abs(bodies.booked) < 1e-12 * start);
}

TEST_CASE("a striker stops on a bar of twice its length", "[contact]") {
  Shapes shapes;
  add_bar(shapes.nodes, shapes.triangles, shapes.body, 0, {-10.001, 0}, {10, 1}, 40, 4);
  add_bar(shapes.nodes, shapes.triangles, shapes.body, 1, {0.001, 0}, {20, 1}, 80, 4);
  Bodies bodies = shapes.made();
  bodies.set_velocity(0, {0.01, 0});
  while (bodies.steps * bodies.dt < 30) bodies.step();
  CHECK(bodies.touching() == 0);
  CHECK(std::abs(bodies.momentum(0).x) < 0.01 * 0.01 * bodies.mass_of(0));
  CHECK(bodies.momentum(1).x == Approx(0.005 * bodies.mass_of(1)).epsilon(0.01));
}

TEST_CASE("faces that lie on each other do not catch on corners of the other face", "[contact]") {
  // Fine sides against one coarse one, which begins and ends between nodes of the other.
  Shapes shapes;
  add_bar(shapes.nodes, shapes.triangles, shapes.body, 0, {-3.001, 0}, {3, 1}, 36, 12);
  add_bar(shapes.nodes, shapes.triangles, shapes.body, 1, {0.001, 0.03}, {1, 1}, 1, 1);
  Bodies bodies = shapes.made();
  bodies.set_velocity(0, {0.01, 0.001});
  const double start = bodies.kinetic_energy();
  while (bodies.steps * bodies.dt < 12 && bodies.deepest <= 1) bodies.step();
  CHECK(bodies.deepest < 0.2);
  CHECK(bodies.touching() == 0);
  CHECK(std::abs(bodies.booked) < 1e-9 * start);
  CHECK(bodies.momentum(1).x > 0.01 * bodies.mass_of(1));
}

TEST_CASE("needles, slivers, corners and crossing bars do not pass through each other", "[contact]") {
  int touched = 0, stopped = 0;
  std::vector<double> made;
  for (int kind = 0; kind < 4; ++kind)
    for (unsigned number = 0; number < 30; ++number) {
      CAPTURE(kind, number);
      Encounters encounters(100 * number + kind);
      const Shapes shapes = encounters.shapes(kind);
      Bodies bodies = shapes.made();
      if (bodies.overlap() > 0) continue;
      const double speed = encounters.send(bodies, bodies_of_nodes(shapes)), start = bodies.kinetic_energy();
      const Vec2 momentum = bodies.momentum(0) + bodies.momentum(1);
      const double turning = bodies.angular_momentum();
      touched += run_encounter(bodies, 2.5 / speed);
      if (bodies.deepest > 1) {
        ++stopped;
        continue;
      }
      CHECK((bodies.touching() > 0 || bodies.overlap() == 0));
      CHECK(std::abs(bodies.booked - bodies.contact_energy()) < 1e-12 * start);
      const Vec2 now = bodies.momentum(0) + bodies.momentum(1);
      const double scale = speed * (bodies.mass_of(0) + bodies.mass_of(1));
      CHECK(length_of(now - momentum) < 1e-13 * scale);
      CHECK(std::abs(bodies.angular_momentum() - turning) < 1e-12 * scale);
      made.push_back(-bodies.booked / start);
    }
  std::sort(made.begin(), made.end());
  CHECK(touched > 90);
  CHECK(stopped < 3);
  CHECK(made.back() < 1e-6);
}

TEST_CASE("triangles of a plate that is broken everywhere fly apart without overlap", "[contact]") {
  // All corners meet corners of seven others, at rest on each other; the faces are not straight lines.
  Encounters random(8);
  std::vector<Vec2> nodes;
  std::vector<Triangle> triangles;
  std::vector<Index> body;
  add_bar(nodes, triangles, body, 0, {0, 0}, {3, 3}, 3, 3);
  for (Vec2& x : nodes) x += Vec2{random.uniform(-0.1, 0.1), random.uniform(-0.1, 0.1)};
  Shapes shapes;
  for (const Triangle& t : triangles) shapes.add({nodes[t[0]], nodes[t[1]], nodes[t[2]]}, {{0, 1, 2}}, {0, 0}, 0);
  Bodies bodies = shapes.made();
  for (Index b = 0; b < shapes.count(); ++b)
    bodies.set_velocity(b, {random.uniform(-0.01, 0.01), random.uniform(-0.01, 0.01)});
  const double start = bodies.kinetic_energy();
  int most = 0;
  while (bodies.steps < 900 || (bodies.touching() > 0 && bodies.steps < 2000)) {
    bodies.step();
    most = std::max(most, bodies.touching());
  }
  CHECK(most > 100);
  CHECK(bodies.deepest < 0.5);
  CHECK(bodies.touching() == 0);
  CHECK(bodies.overlap() < 1e-12);
  CHECK(std::abs(bodies.booked - bodies.contact_energy()) < 1e-12 * start);
  CHECK(-bodies.booked < 1e-3 * start);
}

TEST_CASE("friction keeps the balance and the angular momentum", "[contact]") {
  double heat = 0;
  for (unsigned number = 0; number < 10; ++number) {
    CAPTURE(number);
    Encounters encounters(number);
    const Shapes shapes = encounters.shapes(2);
    Bodies bodies = shapes.made();
    bodies.friction = 0.5;
    const double speed = encounters.send(bodies, bodies_of_nodes(shapes)), start = bodies.kinetic_energy();
    const double turning = bodies.angular_momentum();
    run_encounter(bodies, 2.5 / speed);
    CHECK(std::abs(bodies.booked - bodies.contact_energy() - bodies.heat) < 1e-12 * start);
    CHECK(std::abs(bodies.angular_momentum() - turning) < 1e-12 * speed * (bodies.mass_of(0) + bodies.mass_of(1)));
    CHECK(bodies.heat >= 0);
    heat += bodies.heat / start;
  }
  CHECK(heat > 0.1);
}

TEST_CASE("a tip that has gone across a corner counts as sunk", "[contact]") {
  // A thin wedge whose tip comes through the upper side of a square near its corner and goes out through the right one.
  const auto sunk = [](double tip_x) {
    Bodies bodies({{0, 0}, {1, 0}, {1, 1}, {0, 1}, {0.2, 1.55}, {tip_x, 0.9}, {0.25, 1.6}},
                  {{0, 1, 2}, {0, 2, 3}, {4, 5, 6}}, {0, 0, 1});
    const OwnParts own = bodies.places[3 * part_from(bodies.surface, 5)].own;
    return cut_across(bodies.surface, own, part_from(bodies.surface, 1));
  };
  CHECK(sunk(0.99) == 0);
  CHECK(sunk(1.01) == Approx(0.069 / std::hypot(0.76, 0.7)));
}

TEST_CASE("a notch around a tip that has slid a little is not a tip across a corner", "[contact]") {
  Bodies bodies({{0, 0}, {1, 1}, {1, -1}, {-1, -1}, {-1, 1}, {-0.002, -0.001}, {0.99, 0.985}, {-0.995, 0.985}},
                {{0, 2, 1}, {0, 3, 2}, {0, 4, 3}, {5, 6, 7}}, {0, 0, 0, 1});
  const OwnParts own = bodies.places[3 * part_from(bodies.surface, 0)].own;
  for (const Index node : {5, 6, 7}) CHECK(cut_across(bodies.surface, own, part_from(bodies.surface, node)) == 0);
}

TEST_CASE("a point enters a part that both its contacts have left", "[contact]") {
  Bodies bodies({{0, 0}, {1, 0}, {0.5, 1}, {0.4, -1}, {0.6, -1}, {0.5, -0.001}}, {{0, 1, 2}, {3, 4, 5}}, {0, 1});
  const Index below = part_from(bodies.surface, 0);
  const std::size_t tip = 3 * part_from(bodies.surface, 5);
  for (int contact = 0; contact < contacts_of_point; ++contact)
    bodies.points[contacts_of_point * tip + contact].part = below;
  bodies.set_velocity(1, {0, 0.002 / bodies.dt});
  bodies.step();
  CHECK(bodies.points[contacts_of_point * tip].touching);
  CHECK_FALSE(bodies.points[contacts_of_point * tip + 1].touching);
}

TEST_CASE("a tip past another tip has sunk by its depth, not by its distance behind the side", "[contact]") {
  // Each tip is beyond the other's end; a side of one crosses the tip of the other.
  Bodies bodies({{4.515, 5.501}, {3.577, 5.351}, {4.173, 4.882}, {3.539, 5.274}, {3.894, 5.796}, {3.402, 6.264}},
                {{0, 1, 2}, {3, 4, 5}}, {0, 1});
  ContactPoint& point = bodies.points[contacts_of_point * 3 * part_from(bodies.surface, 3)];
  point.part = part_from(bodies.surface, 0);
  point.touching = true;
  bodies.step();
  CHECK(point.touching);
  const Stencil s = depth_below(bodies.surface, point.part, OwnParts{{-1, -1}}, bodies.surface.x[3]);
  CHECK(s.distance > 0.06);
  CHECK(bodies.deepest * bodies.surface.limit(point.part) < 0.03);
}

/// Direction from the middle of the plane, in degrees.
Vec2 towards(double degrees) { return {std::cos(degrees * M_PI / 180), std::sin(degrees * M_PI / 180)}; }

/// Two triangles: corner 0 at the origin, sides towards 58 and 93 degrees; corner 3 at a place, sides towards two
/// others.
Bodies two_tips(Vec2 place, double from, double to) {
  return Bodies(
      {{0, 0}, 1.6 * towards(58), 2 * towards(93), place, place + 2 * towards(from), place + 1.5 * towards(to)},
      {{0, 1, 2}, {3, 4, 5}}, {0, 1});
}

/// The part that a corner enters in a step without motion, or -1.
Index part_entered(const Bodies& bodies, Index node) {
  const std::vector<Index> all{0, 1, 2, 3, 4, 5};
  const PointPlace& place = bodies.places[3 * part_from(bodies.surface, node)];
  return find_entry(bodies.surface, NearParts::all(all.data(), 6), place, -1).stencil.part;
}

TEST_CASE("a corner enters a part across whose corner it lies", "[contact]") {
  // Corner 3 came in through the side towards 58 degrees and is past its end; corner 0 is outside of the side
  // towards 20.
  const Vec2 past = 0.02 * towards(194);
  Bodies bodies = two_tips(past, 20, 57);
  CHECK(cut_across(bodies.surface, bodies.places[3 * part_from(bodies.surface, 3)].own, 0) > 0);
  CHECK(part_entered(bodies, 0) == part_from(bodies.surface, 5));
  CHECK(part_entered(bodies, 3) == -1);
  // A tip at the same place that points past the corner.
  Bodies apart = two_tips(past, -60, -20);
  CHECK(part_entered(apart, 0) == -1);
}

/// Presses 16 triangles together by four walls that move inwards.
Bodies packed(unsigned seed) {
  Encounters random(seed);
  Shapes shapes;
  for (int i = 0; i < 16; ++i) {
    const double first = random.uniform(60, 120), second = first + random.uniform(60, 150);
    shapes.add({towards(0), towards(first), towards(second)}, {{0, 1, 2}}, {2.05 * (i % 4), 2.05 * (i / 4)},
               random.uniform(0, 2 * M_PI));
  }
  Bodies bodies = shapes.made();
  for (Index b = 0; b < shapes.count(); ++b)
    bodies.set_velocity(b, {random.uniform(-0.01, 0.01), random.uniform(-0.01, 0.01)});
  while (bodies.steps < 8000 && bodies.deepest <= 1) {
    bodies.step();
    const double low = -1.2, high = 7.4 - 4 * std::min(1.0, bodies.steps / 6000.0), stiffness = 0.05;
    const auto beyond = [&](double x) { return std::max(low - x, 0.0) - std::max(x - high, 0.0); };
    for (std::size_t n = 0; n < bodies.v.size(); ++n) {
      const Vec2 x = bodies.surface.x[n];
      bodies.v[n] += bodies.dt / bodies.mass[n] * stiffness * Vec2{beyond(x.x), beyond(x.y)};
    }
  }
  return bodies;
}

TEST_CASE("triangles that are pressed together do not go through each other", "[contact]") {
  // Without entry across corners, tips of both sink too deep.
  const Bodies bodies = packed(GENERATE(3u, 5u));
  CHECK(bodies.touching() > 5);
  CHECK(bodies.deepest < 1);
  CHECK(std::abs(bodies.booked - bodies.contact_energy()) < 1e-12);
}

TEST_CASE("a tip at a cohesive element that holds faces what its other side faces", "[contact]") {
  // Its left side runs along the normal of the floor, nearly.
  BodySurface tip = Bodies({{0, 0}, {1, 0.3}, {-0.065, 1}}, {{0, 1, 2}}, {0}).surface;
  const PartLine floor = line_between({1, 0.01}, {-1, 0.01});
  const Index right = part_from(tip, 0), left = tip.beside(right, 0);
  CHECK(faces(tip, {{left, right}}, floor));
  CHECK(faces(tip, {{-1, right}}, floor));
  CHECK(faces(tip, {{left, -1}}, floor));
  tip.besides[left][1] = -1;
  CHECK_FALSE(faces(tip, {{left, -1}}, floor));
}

}  // namespace cleave::test
