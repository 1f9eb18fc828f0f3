/// A loaded mass that slides along a polyline of 100 sides at rest.
#include <catch2/catch.hpp>

#include "unit/contact/bodies.hpp"

namespace cleave::test {
namespace {

/// A line of sides from right to left, outward up; its nodes rise and fall by `kink` degrees.
BodySurface polyline(double kink) {
  BodySurface surface;
  const Index sides = 100;
  const double rise = std::tan(kink * M_PI / 180);
  for (Index i = 0; i <= sides; ++i)
    surface.x.push_back({static_cast<double>(sides - i), i > 3 && i < 97 && i % 2 == 1 ? rise : 0.0});
  for (Index p = 0; p < sides; ++p) {
    surface.nodes.push_back({p, p + 1});
    surface.besides.push_back({p - 1, p + 1 < sides ? p + 1 : -1});
    surface.sharp.push_back({0, 0});
    surface.owner.push_back(p);
    surface.limits.push_back(0.2);
    surface.triangles.push_back({p, p + 1, -1});
  }
  surface.x.push_back({0, 0});  // the mass
  surface.dx.assign(surface.x.size(), {0, 0});
  return surface;
}

struct Slide {
  double speed_change = 0, worst_balance = 0, lowest = 1e300, highest = -1e300;
  Vec2 velocity{0, 0};
};

/// Lets a unit mass slide from side to side until it has passed 95 of them.
Slide slide(double kink) {
  BodySurface surface = polyline(kink);
  const Index node = static_cast<Index>(surface.x.size()) - 1;
  const double stiffness = 0.04, load = 0.002, start = 0.11;
  const PointPlace place{{node, node}, {{-1, -1}}, -1};
  ContactPoint point;
  std::vector<Index> all;
  for (Index p = 0; p < 100; ++p) all.push_back(p);
  surface.x[node] = {2.03, -load / stiffness};
  Vec2 v{start, 0};
  Slide result;
  double booked = 0, height = surface.x[node].y, first = 0;
  bool begun = false;
  while (surface.x[node].x < 97) {
    surface.dx[node] = v;
    surface.x[node] += v;
    if (!begun) {  // at rest on the spring, as if it had always been there
      point.part = 97;
      point.touching = begun = true;
      point.state.stiffness = stiffness;
      point.state.closing = load / stiffness;
      point.acting = {{0, load}, {0, 0}, {0, 0}};
    }
    const double taken = booked;
    const ContactStep step = step_contact_point(
        surface, place, NearParts::all(all.data(), 100), -1, [&](Index) { return stiffness; }, 0, point);
    booked = taken + step.booked;
    const Vec2 before = v;
    v += point.acting.on_point + Vec2{0, -load};
    const double kinetic = 0.5 * dot(before, v), balance = kinetic + booked + load * (surface.x[node].y - height);
    if (first == 0) first = balance;
    result.worst_balance = std::max(result.worst_balance, std::abs(balance / first - 1));
    result.lowest = std::min(result.lowest, kinetic);
    result.highest = std::max(result.highest, kinetic);
  }
  result.velocity = v;
  result.speed_change = v.x / start - 1;
  return result;
}

}  // namespace

TEST_CASE("a mass slides over a flat line of sides as over one side", "[contact]") {
  const Slide flat = slide(0);
  CHECK(std::abs(flat.speed_change) < 1e-12);
  CHECK(std::abs(flat.velocity.y) < 1e-12);
  CHECK(flat.worst_balance < 1e-12);
}

TEST_CASE("a mass gets back what a kinked line of sides takes from its speed", "[contact]") {
  const Slide kinked = slide(1);
  CHECK(kinked.highest - kinked.lowest > 1e-5);
  CHECK(kinked.worst_balance < 1e-12);
  const double speed = std::sqrt(dot(kinked.velocity, kinked.velocity));
  CHECK(speed == Approx(0.11).epsilon(1e-3));
}

TEST_CASE("friction stops a mass after the distance that Coulomb's law says", "[contact]") {
  // v^2 / (2 mu g), g the load of a unit mass
  const double coefficient = 0.05, load = 0.002, speed = 0.05;
  BodySurface surface = polyline(0);
  const Index node = static_cast<Index>(surface.x.size()) - 1;
  const PointPlace place{{node, node}, {{-1, -1}}, -1};
  ContactPoint point;
  point.part = 97;
  point.touching = true;
  point.state.stiffness = 0.04;
  point.state.closing = 0.05;
  point.acting = {{0, load}, {0, 0}, {0, 0}};
  surface.x[node] = {2.03, -0.05};
  Vec2 v{speed, 0};
  double heat = 0;
  for (int step = 0; step < 3000; ++step) {
    surface.dx[node] = v;
    surface.x[node] += v;
    heat += step_contact_point(
                surface, place, NearParts::all(nullptr, 0), -1, [](Index) { return 0.04; }, coefficient, point)
                .dissipated;
    v += point.acting.on_point + Vec2{0, -load};
  }
  CHECK(surface.x[node].x - 2.03 == Approx(speed * speed / (2 * coefficient * load)).epsilon(0.01));
  CHECK(heat == Approx(0.5 * speed * speed).epsilon(0.01));
  CHECK(std::abs(v.x) < 0.02 * speed);
}

}  // namespace cleave::test
