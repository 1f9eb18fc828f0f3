#include "cleave/output/fragments.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "two_triangles.hpp"

using namespace cleave;
using namespace cleave::test;

namespace {

constexpr double tolerance = 1e-13;  // a few roundings of numbers of order 1 to 10

void check(double value, double expected) { CHECK(value == Approx(expected).epsilon(tolerance).margin(tolerance)); }

}  // namespace

TEST_CASE("two fragments that fly apart have their velocities and rotations") {
  // Node masses 1 at corners: fragment 0 turns with +2/s about its centre (2/3, 1/3), which moves with (3, 0);
  // fragment 1 with -0.5/s about (1/3, 2/3) moved by (-1, 0), which moves with (0, -1).
  Snapshot s = two_triangles(ElementType::t3);
  s.mass = {1, 1, 1, 2, 2, 2};
  for (int i = 0; i < 6; ++i) {
    const bool first = i < 3;
    const Point centre = first ? Point{2.0 / 3, 1.0 / 3} : Point{1.0 / 3, 2.0 / 3};
    const Point arm{s.position[i].x - centre.x, s.position[i].y - centre.y};
    const double omega = first ? 2 : -0.5;
    s.displacement[i] = first ? Point{0, 0} : Point{-1, 0};
    s.velocity[i] = {(first ? 3 : 0) - omega * arm.y, (first ? 0 : -1) + omega * arm.x};
  }

  const auto fragments = find_fragments(s, fragment_ids(s, {8, 5}));
  REQUIRE(fragments.size() == 2);
  const Fragment& b = fragments[0];
  const Fragment& a = fragments[1];

  // Sum of squared arms of a right triangle with legs 1 about its centroid: 2/3 + 2/3.
  CHECK(a.id == 8);
  CHECK(a.elements == 1);
  check(a.area, 0.5);
  check(a.mass, 3);
  check(a.centre.x, 2.0 / 3);
  check(a.centre.y, 1.0 / 3);
  check(a.velocity.x, 3);
  check(a.velocity.y, 0);
  check(a.angular_velocity, 2);
  check(a.kinetic_energy, 0.5 * 3 * 9 + 0.5 * (4.0 / 3) * 4);

  CHECK(b.id == 5);
  check(b.area, 0.5);
  check(b.mass, 6);
  check(b.centre.x, 1.0 / 3 - 1);
  check(b.centre.y, 2.0 / 3);
  check(b.velocity.x, 0);
  check(b.velocity.y, -1);
  check(b.angular_velocity, -0.5);
  check(b.kinetic_energy, 0.5 * 6 * 1 + 0.5 * (2 * 4.0 / 3) * 0.25);
}

TEST_CASE("a node that two fragments still share gives half its mass to each") {
  Snapshot s = two_triangles(ElementType::t3);
  s.elements = {0, 1, 2, 0, 4, 5};  // node 3 is gone, node 0 is in both elements
  s.mass = {4, 1, 1, 0, 1, 1};
  const auto fragments = find_fragments(s, fragment_ids(s, {0, 1}));
  REQUIRE(fragments.size() == 2);
  check(fragments[0].mass, 2 + 1 + 1);
  check(fragments[1].mass, 2 + 1 + 1);
}

TEST_CASE("one fragment sums shared nodes once") {
  Snapshot s = two_triangles(ElementType::t3);
  s.position = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
  s.elements = {0, 1, 2, 0, 2, 3};
  s.displacement.assign(4, {0, 0});
  s.velocity.assign(4, {1, 0});
  s.mass = {2, 1, 2, 1};
  s.fragment = {0, 0};
  const auto fragments = find_fragments(s, fragment_ids(s, {3, 2}));
  REQUIRE(fragments.size() == 1);
  CHECK(fragments[0].id == 2);
  CHECK(fragments[0].elements == 2);
  check(fragments[0].area, 1);
  check(fragments[0].mass, 6);
  check(fragments[0].centre.x, 0.5);
  check(fragments[0].angular_velocity, 0);
  check(fragments[0].kinetic_energy, 3);
}

TEST_CASE("a fragment counts each other one and each obstacle that it touches once") {
  Snapshot s = two_triangles(ElementType::t3);
  s.touches = {{0, 1}, {1, 0}, {0, 1}, {0, 0}, {1, -1}, {1, -2}, {1, -1}};
  auto fragments = find_fragments(s, fragment_ids(s, {8, 5}));
  REQUIRE(fragments.size() == 2);
  CHECK((fragments[0].id == 5 && fragments[0].contacts == 3));
  CHECK((fragments[1].id == 8 && fragments[1].contacts == 1));
  s.touches = {{0, 1}};  // a point of one of them touches the other
  fragments = find_fragments(s, fragment_ids(s, {8, 5}));
  CHECK((fragments[0].contacts == 1 && fragments[1].contacts == 1));
}

TEST_CASE("eroded elements come first, so that sums over all rows are those of the body") {
  Snapshot s = two_triangles(ElementType::t3);
  s.mass = {1, 2, 3, 4, 5, 6};
  for (std::size_t n = 0; n < 6; ++n) s.velocity[n] = {1.0 + static_cast<double>(n), -2};
  s.fragment = {0, -1};
  s.elements = {0, 1, 2, 0, 4, 5};  // node 0 is in both: its mass is that of the fragment
  s.mass[3] = 0;
  const auto fragments = find_fragments(s, fragment_ids(s, {7, 8}));
  REQUIRE(fragments.size() == 2);
  CHECK(fragments[0].id == -1);
  CHECK(fragments[0].elements == 1);
  check(fragments[0].area, 0.5);
  check(fragments[0].mass, 5 + 6);
  check(fragments[0].velocity.y, -2);
  CHECK(fragments[1].id == 7);
  check(fragments[1].mass, 1 + 2 + 3);
  double energy = 0;
  for (std::size_t n = 0; n < 6; ++n) energy += s.mass[n] / 2 * (std::pow(1.0 + static_cast<double>(n), 2) + 4);
  check(fragments[0].kinetic_energy + fragments[1].kinetic_energy, energy);

  s.elements = {0, 1, 2, 0, 1, 2};  // without a node of its own it has an area alone
  const auto without = find_fragments(s, fragment_ids(s, {7, 8}));
  REQUIRE(without.size() == 2);
  check(without[0].area, 0.5);
  CHECK((without[0].mass == 0 && without[0].centre.x == 0 && without[0].velocity.x == 0 &&
         without[0].angular_velocity == 0));
}

TEST_CASE("fragments.csv has a column for everything") {
  CHECK(fragments_header() ==
        "step,time,fragment,elements,area,mass,centre_x,centre_y,velocity_x,velocity_y,angular_velocity,"
        "kinetic_energy,contacts");
  CHECK(fragments_row(7, 0.5, {3, 2, 0.25, 4, {5, 6}, {7, 8}, 9, 10, 11}) == "7,0.5,3,2,0.25,4,5,6,7,8,9,10,11");
}
