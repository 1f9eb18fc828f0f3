/// Contact and obstacles in the model.
#include "model/contact.hpp"

#include <catch2/catch.hpp>

#include "cleave/solver/model.hpp"

using namespace cleave;
using Catch::Contains;

namespace {

/// 8 m x 4 m of crossed quads of 2 m: the boundary triangles have an altitude of 1 m.
Case plate() {
  Case c;
  c.file = "case.yaml";
  c.mesh.shape = MeshShape::rectangle;
  c.mesh.element = ElementType::t3;
  c.mesh.divisions = {4, 2};
  c.mesh.size = {8, 4};
  MaterialEntry material;
  material.properties.parameters = {1e9, 0.25, 1000, PlaneType::strain};
  c.material = {material};
  c.time.steps = 1;
  return c;
}
ObstacleCase floor_at(double y) {
  ObstacleCase floor;
  floor.name = "floor";
  floor.place = {0, y};
  floor.normal = {0, 3};
  floor.line = 12;
  return floor;
}

}  // namespace

TEST_CASE("obstacles come to the model with unit normals, motions and inertia") {
  Case c = plate();
  c.obstacles = {floor_at(-1)};
  c.obstacles[0].velocity = {0, 2};
  ObstacleCase ball;
  ball.name = "ball";
  ball.shape = ObstacleCase::Shape::disc;
  ball.place = {4, 7};
  ball.radius = 2;
  ball.mass = 3;
  ball.velocity = {1, -5};
  c.obstacles.push_back(ball);
  const Model m = make_model(c);
  REQUIRE(m.obstacles.size() == 2);
  CHECK((m.obstacles[0].normal.x == 0 && m.obstacles[0].normal.y == 1 && m.obstacles[0].mass == 0));
  REQUIRE(m.motions.size() == 1);
  CHECK(m.obstacles[0].motion == std::array<int, 2>{0, 1});
  CHECK(m.motions[0].velocity == 2);
  CHECK((m.obstacles[1].inertia == 6 && m.obstacles[1].velocity.y == -5));
  CHECK(m.obstacles[1].motion == std::array<int, 2>{0, 0});
  CHECK(m.touching.empty());
  CHECK(deepest_overlap(m).depth == 0);
}

TEST_CASE("an overlap at the start is found, and refused from a quarter of an altitude on") {
  Case c = plate();
  c.obstacles = {floor_at(0.2)};
  const Overlap overlap = deepest_overlap(make_model(c));
  CHECK(overlap.depth == Approx(0.2));
  CHECK(overlap.limit == Approx(0.25));
  CHECK((overlap.obstacle == "floor" && overlap.place.y == 0));
  c.obstacles = {floor_at(0.3)};
  CHECK_THROWS_WITH(make_model(c),
                    Contains("case.yaml:12: obstacles.0: at the start the body is inside it: at (") &&
                        Contains("by 0.3 m, and 0.25 m, a quarter of the altitude of the triangle there"));
}

TEST_CASE("a disc that lies in the body is refused, also between its nodes") {
  Case c = plate();
  ObstacleCase ball;
  ball.name = "ball";
  ball.shape = ObstacleCase::Shape::disc;
  ball.place = {3, 1.5};
  ball.radius = GENERATE(0.1, 100);
  ball.line = 12;
  c.obstacles = {ball};
  const std::string text = "case.yaml:12: obstacles.0: at the start ";
  CHECK_THROWS_WITH(make_model(c), Contains(text + (ball.radius < 1 ? "its centre (3, 1.5) is inside the body; move it"
                                                                    : "the body is inside it: at (")) &&
                                       !Contains("2 errors"));
  c.obstacles[0].place[1] = 4.05;
  c.obstacles[0].radius = 0.1;
  CHECK(make_model(c).obstacles.size() == 1);
  c.obstacles[0].place[1] = 1.5;
  c.mesh.regions = {{"east", {4, 0, 8, 4}, 3}};
  c.contact.emplace().on = {"east"};  // the disc does not see the others
  CHECK(make_model(c).obstacles.size() == 1);
}

TEST_CASE("groups of contact and names of obstacles are checked") {
  Case c = plate();
  c.mesh.regions = {{"west", {0, 0, 4, 4}, 3}};
  c.contact.emplace().on = {"west"};
  const Model m = make_model(c);
  CHECK(std::count(m.touching.begin(), m.touching.end(), 1) == 16);
  c.contact->on = {"west", "weest"};
  c.contact->line_of_on = 5;
  CHECK_THROWS_WITH(make_model(c),
                    Contains("case.yaml:5: contact.on: the mesh has no group \"weest\"") && Contains("\"west\""));
  c.contact.reset();
  BoundaryCase held;
  held.on = "left";
  held.x = true;
  c.boundary = {held};
  c.obstacles = {floor_at(-1)};
  c.obstacles[0].name = "left";
  CHECK_THROWS_WITH(make_model(c), Contains("case.yaml:12: obstacles.0.name: group \"left\" has columns of this name"));
  c.obstacles[0].name = "floor";
  c.material.front().properties.erosion.plastic_strain = 1;
  CHECK_THROWS_WITH(make_model(c), Contains("material: `erosion` does not go with `contact` and `obstacles` yet"));
}
