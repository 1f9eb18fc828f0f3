/// Depth of a point below the surface: gradient, resultant and moment, continuity, closed loops.
#include <catch2/catch.hpp>
#include <random>

#include "terms/contact/candidates.hpp"
#include "unit/contact/bodies.hpp"

namespace cleave::test {
namespace {

/// A closed line of straight parts. Corners below 75.5 degrees are sharp.
BodySurface polygon(std::vector<Vec2> corners) {
  BodySurface surface;
  surface.x = std::move(corners);
  const Index count = static_cast<Index>(surface.x.size());
  surface.dx.assign(count, {0, 0});
  for (Index p = 0; p < count; ++p) {
    surface.nodes.push_back({p, (p + 1) % count});
    surface.besides.push_back({(p + count - 1) % count, (p + 1) % count});
    surface.limits.push_back(0.1);
  }
  for (Index p = 0; p < count; ++p) surface.sharp.push_back(sharp_ends(surface, p));
  return surface;
}

/// A star-shaped polygon with convex, concave and sharp corners.
template <class Random>
BodySurface random_polygon(Random& random, int count) {
  std::uniform_real_distribution<> radius(0.3, 1), angle(-0.3, 0.3);
  std::vector<Vec2> corners;
  for (int i = 0; i < count; ++i) {
    const double r = radius(random), a = (i + angle(random)) * 2 * M_PI / count;
    corners.push_back({r * std::cos(a), r * std::sin(a)});
  }
  return polygon(corners);
}

constexpr OwnParts no_parts{{-1, -1}};

/// A polygon and a triangle, whose corners are the contact points.
struct PolygonAndTriangle : BodySurface {
  Index first;  ///< part of the triangle, and its node

  template <class Random>
  PolygonAndTriangle(Random& random, int corners) : BodySurface(random_polygon(random, corners)), first(corners) {
    std::uniform_real_distribution<> angle(0, 2 * M_PI), away(0, 1), size(0.05, 0.4), motion(-0.03, 0.03);
    const double a = angle(random), r = size(random);
    const Vec2 centre = away(random) * Vec2{std::cos(a), std::sin(a)};
    for (int i = 0; i < 3; ++i) {
      const double turned = angle(random) / 3 + i * 2 * M_PI / 3;
      x.push_back(centre + r * Vec2{std::cos(turned), std::sin(turned)});
      nodes.push_back({first + i, first + (i + 1) % 3});
      besides.push_back({first + (i + 2) % 3, first + (i + 1) % 3});
      limits.push_back(0.25 * r);
      sharp.push_back({0, 0});
    }
    for (std::size_t n = 0; n < x.size(); ++n) dx.push_back({motion(random), motion(random)});
    dx.erase(dx.begin(), dx.end() - static_cast<std::ptrdiff_t>(x.size()));
    owner.assign(first, 0);
    owner.resize(nodes.size(), 1);
    triangles = {{-1, -1, -1}, {first, first + 1, first + 2}};
  }
  PointPlace place(Index point) const {
    const Index part = first + point;
    return {{part, part}, {{besides[part][0], part}}, 1};
  }
  Vec2 point_at(Index point) const { return x[first + point]; }
};

/// Gauss-Legendre, five points on [0, 1].
constexpr double gauss_place[5] = {0.046910077030668, 0.230765344947158, 0.5, 0.769234655052842, 0.953089922969332};
constexpr double gauss_weight[5] = {0.118463442528095, 0.239314335249683, 0.284444444444444, 0.239314335249683,
                                    0.118463442528095};

/// A straight motion of all nodes and of a point, during which the point is tracked.
struct Leg {
  BodySurface from, to;
  Vec2 point_from, point_to;

  BodySurface at(double s) const {
    BodySurface now = from;
    for (std::size_t n = 0; n < now.x.size(); ++n) now.x[n] = (1 - s) * from.x[n] + s * to.x[n];
    return now;
  }
  Stencil stencil(double s, Index part) const {
    return track(at(s), part, no_parts, (1 - s) * point_from + s * point_to);
  }
  /// Power of the force D u over s.
  double power(double s, Index part) const {
    const Stencil now = stencil(s, part);
    const Index a = now.part, b = (a + 1) % static_cast<Index>(from.x.size());
    return now.depth * now.parting(point_to - point_from, to.x[a] - from.x[a], to.x[b] - from.x[b]);
  }
  double rule(double begin, double end, Index part) const {
    double sum = 0;
    for (int i = 0; i < 5; ++i) sum += gauss_weight[i] * power(begin + gauss_place[i] * (end - begin), part);
    return sum * (end - begin);
  }
  /// Work from `begin` to `end`, halved where the point passes an end and until halves agree; `part` is tracked at the
  /// beginning, then at the end.
  double work(double begin, double end, Index& part, int depth = 0) const {
    const double middle = 0.5 * (begin + end), whole = rule(begin, end, part);
    const Stencil first_place = stencil(begin, part), last_place = stencil(end, part);
    const bool same = first_place.part == last_place.part && first_place.past_end == last_place.past_end;
    const double error = std::abs(whole - rule(begin, middle, part) - rule(middle, end, part));
    if (depth > 44 || (depth > 4 && same && error < 1e-17)) {
      part = last_place.part;
      return whole;
    }
    const double first = work(begin, middle, part, depth + 1);
    return first + work(middle, end, part, depth + 1);
  }
};

}  // namespace

TEST_CASE("forces of a point are the gradient of its depth, without resultant and moment", "[contact]") {
  std::mt19937 random(11);
  std::uniform_real_distribution<> place(-1, 1);
  int checked = 0, past_end = 0;
  double worst_gradient = 0, worst_sum = 0, worst_moment = 0;
  while (checked < 2500) {
    BodySurface surface = random_polygon(random, 7);
    const Index part = static_cast<Index>(random() % 7);
    const Vec2 point{place(random), place(random)};
    const Stencil s = track(surface, part, no_parts, point);
    if (!(s.depth > 1e-3)) continue;
    ++checked;
    past_end += s.past_end;
    const auto difference = [&](double& value, Vec2 at) {
      const double step = 1e-6, was = value;
      value = was + step;
      const double up = depth_below(surface, s.part, no_parts, at).depth;
      value = was - step;
      const double down = depth_below(surface, s.part, no_parts, at).depth;
      value = was;
      return (down - up) / (2 * step);
    };
    const Index a = surface.node(s.part, 0), b = surface.node(s.part, 1);
    for (Index n = 0; n < 7; ++n)
      for (const int axis : {0, 1}) {
        const Vec2 expected = n == a ? s.at_start : n == b ? s.at_end : Vec2{0, 0};
        const double found = difference(axis == 0 ? surface.x[n].x : surface.x[n].y, point);
        worst_gradient = std::max(worst_gradient, std::abs(found - component(expected, axis)));
      }
    for (const int axis : {0, 1}) {
      Vec2 moved = point;
      const double step = 1e-6;
      component(moved, axis) += step;
      const double up = depth_below(surface, s.part, no_parts, moved).depth;
      component(moved, axis) -= 2 * step;
      const double down = depth_below(surface, s.part, no_parts, moved).depth;
      worst_gradient = std::max(worst_gradient, std::abs((down - up) / (2 * step) - component(s.at_point, axis)));
    }
    for (const double friction : {0.0, 0.7}) {
      const Vec2 p = s.force_on_point(1, friction), q = s.force_on_start(1, friction), r = s.force_on_end(1, friction);
      worst_sum = std::max(worst_sum, length_of(p + q + r) / (length_of(p) + length_of(q) + length_of(r)));
      worst_moment =
          std::max(worst_moment, std::abs(cross(point, p) + cross(surface.x[a], q) + cross(surface.x[b], r)) /
                                     (length_of(p) + length_of(q) + length_of(r)));
    }
  }
  CHECK(past_end > 200);
  CHECK(worst_gradient < 1e-6);
  CHECK(worst_sum < 1e-15);
  CHECK(worst_moment < 1e-15);
}

TEST_CASE("the depth beyond a sharp end falls along the part and from the limit on", "[contact]") {
  const BodySurface tip = polygon({{-1, 0}, {0, 0}, {-1, 0.5}});
  const auto below = [&](Vec2 point) { return depth_below(tip, 0, no_parts, point); };
  CHECK(below({0.02, 0.05}).depth == Approx(0.03));
  const Stencil far = below({0.02, 0.15});
  CHECK(far.depth == Approx(0.03));
  CHECK(length_of(far.at_point - Vec2{1, 1}) == 0);
  CHECK(below({0.05, 0.16}).depth == Approx(-0.01));
  CHECK(below({0.85, 0.95}).depth < 0);
}

TEST_CASE("a point below a part, within the limits, lies in the box of the search", "[contact]") {
  std::mt19937 random(17);
  std::uniform_real_distribution<> place(-2, 2), share(0, 1);
  int touching = 0, past_end = 0, deep = 0;
  while (touching < 20000) {
    const BodySurface surface = random_polygon(random, 7);
    for (int i = 0; i < 100; ++i) {
      const Index part = static_cast<Index>(random() % 7);
      const Vec2 point{place(random), place(random)};
      const Stencil s = depth_below(surface, part, no_parts, point);
      if (!(s.depth >= 0)) continue;
      const double limit = surface.limit(part), allowance = share(random) * s.depth;
      if (sunk_below(s, is_past_corner(surface, no_parts, s, point), allowance) > limit) continue;
      CHECK(box_of(surface, part, 0).has(point));
      ++touching;
      past_end += s.past_end;
      deep += s.distance > 1.5 * limit;
    }
  }
  CHECK(past_end > 1000);
  CHECK(deep > 1000);
}

TEST_CASE("an allowance does not count as sunk, but for half of the depth", "[contact]") {
  const BodySurface square = polygon({{0, 0}, {1, 0}, {1, 1}, {0, 1}});
  const auto sunk = [&](double depth, double allowance) {
    return sunk_below(depth_below(square, 0, no_parts, {0.5, depth}), false, allowance);
  };
  CHECK(sunk(0.12, 0) == Approx(0.12));
  CHECK(sunk(0.12, -0.05) == Approx(0.12));
  CHECK(sunk(0.12, 0.05) == Approx(0.07));
  CHECK(sunk(0.12, 0.12) == Approx(0.06));
  // Beyond an end the distance counts, but not out of the body.
  const Stencil past = depth_below(polygon({{-1, 0}, {0, 0}, {-1, 0.5}}), 0, no_parts, {0.02, 0.05});
  CHECK(sunk_below(past, false, 0) == Approx(0.05));
  CHECK(sunk_below(past, true, 0) == Approx(0.03));
}

TEST_CASE("slip is the motion against which friction works", "[contact]") {
  std::mt19937 random(5);
  std::uniform_real_distribution<> place(-1, 1);
  const auto any = [&] { return Vec2{place(random), place(random)}; };
  for (int i = 0; i < 100; ++i) {
    const BodySurface surface = random_polygon(random, 5);
    const Stencil s = depth_below(surface, 2, no_parts, any());
    const Vec2 p = any(), a = any(), b = any();
    const double power = dot(s.force_on_point(2, 3), p) + dot(s.force_on_start(2, 3), a) + dot(s.force_on_end(2, 3), b);
    CHECK(power == Approx(2 * s.parting(p, a, b) - 3 * s.slip(p, a, b)).margin(1e-13));
  }
}

TEST_CASE("a point that is led around in a body that deforms works nothing in a closed loop", "[contact]") {
  std::mt19937 random(17);
  std::uniform_real_distribution<> small(-0.03, 0.03);
  int passed_ends = 0;
  double worst = 0, most = 0;
  for (int loop = 0; loop < 20; ++loop) {
    // Corners of a decagon moved a little: convex, flat and concave. The point goes around below the surface.
    std::vector<Leg> legs;
    const auto moved = [&](double angle, double inwards, BodySurface& surface) {
      for (int i = 0; i < 10; ++i)
        surface.x[i] = Vec2{small(random), small(random)} +
                       (i % 4 == 3 ? 0.75 : 1.0) * Vec2{std::cos(0.2 * M_PI * i), std::sin(0.2 * M_PI * i)};
      return (1 - inwards) * Vec2{std::cos(angle), std::sin(angle)};
    };
    std::vector<Vec2> corners(10);
    for (int i = 0; i < 10; ++i) corners[i] = {std::cos(0.2 * M_PI * i), std::sin(0.2 * M_PI * i)};
    BodySurface first = polygon(corners), now = first;
    for (auto& sharp : first.sharp) sharp = {0, 0};
    now = first;
    const Vec2 start = moved(0.1, 0.36, now);
    first = now;
    Vec2 point = start;
    for (int i = 1; i <= 20; ++i) {
      BodySurface next = first;
      Vec2 to = start;
      if (i < 20) to = moved(0.1 + 0.1 * M_PI * i, 0.36 + 0.5 * small(random), next);
      legs.push_back({now, next, point, to});
      now = next;
      point = to;
    }
    const Index begun = legs[0].stencil(0, 0).part;
    Index part = begun;
    double work = 0, paths = 0;
    for (const Leg& leg : legs) {
      const Index before = part;
      const double of_leg = leg.work(0, 1, part);
      work += of_leg;
      paths += std::abs(of_leg);
      passed_ends += part != before;
    }
    CHECK(part == begun);
    worst = std::max(worst, std::abs(work));
    most = std::max(most, paths);
  }
  CHECK(passed_ends > 150);
  CHECK(most > 0.01);
  CHECK(worst < 1e-12);
}

TEST_CASE("a point that enters a part has been listed as near it, and few others are", "[contact]") {
  std::mt19937 random(8);
  int entries = 0, past_an_end = 0, listed = 0, behind = 0;
  for (int trial = 0; trial < 20000; ++trial) {
    const PolygonAndTriangle surface(random, 5 + trial % 8);
    for (Index point = 0; point < 3; ++point)
      for (Index part = 0; part < surface.first; ++part) {
        const PartEntry entry = entry_into(surface, part, surface.place(point));
        const bool near = near_parts(surface, NearParts::all(&part, 1), point).any();
        listed += near;
        behind += line_of(surface, part).inwards(surface.point_at(point)) >= 0;
        if (!entry.found()) continue;
        ++entries;
        const Real along = line_of(surface, part).along(surface.point_at(point));
        past_an_end += along < 0 || along > 1;
        CAPTURE(trial, part);
        CHECK(near);
      }
  }
  CAPTURE(entries, past_an_end, listed, behind);
  CHECK(past_an_end > 300);
  CHECK(entries > 10 * past_an_end);
  CHECK(10 * listed < 53 * entries);
  CHECK(10 * listed < behind);
}

TEST_CASE("rounding at an end of a part takes no candidate from a point", "[contact]") {
  // A wall from (-1, 0) to (0, 0), and a triangle that has come up through it from below, a rounding beyond its end.
  for (const double beyond : {0.0, 1e-17, 1e-16}) {
    std::mt19937 random(1);
    PolygonAndTriangle surface(random, 5);
    surface.x = {{-1, 0}, {0, 0}, {-0.5, 2}, {-0.6, 2}, {-1, 2}, {beyond, 1e-3}, {-0.05, -0.1}, {0.05, -0.1}};
    surface.dx.assign(surface.x.size(), {0, 0});
    surface.dx[5] = {-1e-3, 2e-3};
    surface.besides[0] = {-1, -1};
    const Index wall = 0;
    CAPTURE(beyond);
    REQUIRE(line_of(surface, wall).inwards(surface.x[5]) > 0);
    CHECK(entry_into(surface, wall, surface.place(0)).found());
    CHECK(near_parts(surface, NearParts::all(&wall, 1), 0).any());
  }
}

}  // namespace cleave::test
