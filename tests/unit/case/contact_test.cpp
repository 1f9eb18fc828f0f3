/// The sections `contact` and `obstacles`.
#include <catch2/catch.hpp>

#include "case_text.hpp"

using namespace cleave;
using namespace cleave::test;
using Catch::Contains;

namespace {

void check_fault(const std::string& text, const std::string& line) {
  CAPTURE(text);
  CHECK(report_of(text) == line + "\ncase.yaml: 1 error");
}
void check_obstacle(const std::string& keys, const std::string& message) {
  check_fault(smallest + "obstacles:\n  - {" + keys + "}\n", "case.yaml:8: obstacles.0" + message);
}

}  // namespace

TEST_CASE("contact and obstacles are read, and written as they are") {
  const Case c = read_text(smallest +
                           "contact: {friction: 0.3, on: [left, right]}\n"
                           "curves: {ramp: {table: [[0, 0], [1, 1]]}}\n"
                           "obstacles:\n"
                           "  - {name: anvil, plane: {point: [1, 2], normal: [0, 2]}, friction: 0.2}\n"
                           "  - {name: striker, disc: {centre: [0, 3], radius: 0.5}, velocity: {y: -20}, curve: ramp}\n"
                           "  - {name: ball, disc: {centre: [4, 3], radius: 0.5}, velocity: {x: 2}, mass: 3}\n");
  REQUIRE(c.contact);
  CHECK(c.contact->friction == 0.3);
  CHECK(c.contact->penalty == 10);
  CHECK(c.contact->on == std::vector<std::string>{"left", "right"});
  REQUIRE(c.obstacles.size() == 3);
  const ObstacleCase &anvil = c.obstacles[0], &striker = c.obstacles[1], &ball = c.obstacles[2];
  CHECK(anvil.shape == ObstacleCase::Shape::plane);
  CHECK((anvil.place == std::array<double, 2>{1, 2} && anvil.normal == std::array<double, 2>{0, 2}));
  CHECK((anvil.friction == 0.2 && striker.friction == 0.3));
  CHECK((striker.shape == ObstacleCase::Shape::disc && striker.radius == 0.5 && striker.curve == "ramp"));
  CHECK((striker.velocity == std::array<double, 2>{0, -20} && !striker.mass));
  CHECK((ball.mass == 3. && !ball.inertia));
  const std::string text = resolved_yaml(c);
  CHECK(resolved_yaml(read_text(text)) == text);
  CHECK_THAT(text, Contains("contact:\n  friction: 0.3\n  penalty: 10\n  group: [left, right]\n") &&
                       Contains("  - name: anvil\n    plane:\n      point: [1, 2]\n      normal: [0, 2]\n") &&
                       Contains("    mass: 3\n    inertia: homogeneous\n"));
  CHECK_THAT(resolved_yaml(read_text(smallest)), Contains("contact: none\nobstacles:\n  []\n"));
  CHECK(read_text(smallest + "obstacles: [{name: wall, plane: {point: [0, 0], normal: [1, 0]}}]\n")
            .obstacles[0]
            .friction == 0);
}

TEST_CASE("obstacles and contact that make no sense are refused with one report each") {
  const std::string wall = smallest + "obstacles: [{name: w, plane: {point: [0, 0], normal: [0, 1]}}]\n";
  check_fault(wall + "contact: {friction: -0.1}\n", "case.yaml:8: contact.friction: must be >= 0, found -0.1");
  check_fault(wall + "contact: {penalty: 0}\n", "case.yaml:8: contact.penalty: must be > 0, found 0");
  check_fault(wall + "contact: {on: []}\n", "case.yaml:8: contact.on: expected at least one group of triangles");
  check_fault(smallest + "contact: {friction: -0.1}\n", "case.yaml:7: contact.friction: must be >= 0, found -0.1");
  check_fault(smallest + "contact: {}\nrun: {assembly: coloured}\n",
              "case.yaml:7: contact: it needs run.assembly: gather, not `coloured`");
  check_fault(wall + "run: {assembly: atomic}\n",
              "case.yaml:7: obstacles: it needs run.assembly: gather, not `atomic`");
  check_obstacle("name: w, plane: {point: [0, 0], normal: [0, 0]}",
                 ".plane.normal: expected a direction, found [0, 0]");
  check_obstacle("name: b, disc: {centre: [0, 0], radius: 0}", ".disc.radius: must be > 0, found 0");
  check_obstacle("name: b, disc: {centre: [0, 0]}", ".disc.radius: required key is missing");
  check_obstacle("name: b, disc: {centre: [0, 0], radius: 1}, mass: 0", ".mass: must be > 0, found 0");
  check_obstacle("name: b, disc: {centre: [0, 0], radius: 1}, friction: -1", ".friction: must be >= 0, found -1");
  check_obstacle("name: b, disc: {centre: [0, 0], radius: 1}, inertia: 1",
                 ".inertia: only an obstacle with a `mass` turns: add it");
  check_obstacle("name: w, plane: {point: [0, 0], normal: [0, 1]}, mass: 1, inertia: 1",
                 ".inertia: a plane does not turn: leave it out");
  check_obstacle("name: b, disc: {centre: [0, 0], radius: 1}, velocity: {x: 1}, curve: no",
                 ".curve: no curve \"no\"; there are none");
  const std::string curves = smallest + "curves: {ramp: {table: [[0, 0], [1, 1]]}}\nobstacles:\n  - ";
  check_fault(curves + "{name: b, disc: {centre: [0, 0], radius: 1}, curve: ramp}\n",
              "case.yaml:9: obstacles.0.curve: it multiplies a `velocity`: add one");
  check_fault(curves + "{name: b, disc: {centre: [0, 0], radius: 1}, velocity: {x: 1}, mass: 1, curve: ramp}\n",
              "case.yaml:9: obstacles.0.curve: forces move an obstacle with a mass: leave out `mass` or `curve`");
  check_fault(smallest +
                  "obstacles:\n  - {name: w, plane: {point: [0, 0], normal: [0, 1]}}\n"
                  "  - {name: w, plane: {point: [0, 0], normal: [1, 0]}}\n",
              "case.yaml:9: obstacles.1.name: an obstacle before has the name \"w\"");
  check_obstacle(
      "name: reaction_w, plane: {point: [0, 0], normal: [0, 1]}",
      ".name: columns of history.csv that begin with reaction_ are forces and motions of others: take another "
      "name");
}
