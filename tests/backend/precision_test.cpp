/// Single precision next to double: how far apart they are, and what must not mix.
#include <catch2/catch.hpp>
#include <sstream>

#include "backend/models.hpp"
#include "backend/solver_backend.hpp"
#include "cleave/core/error.hpp"

namespace cleave::test {
namespace {

Model in_single(Model m) {
  m.precision = Precision::single_precision;
  return m;
}

/// Largest difference of two nodal fields, relative to the largest value.
double difference(const std::vector<Point>& a, const std::vector<Point>& b) {
  REQUIRE(a.size() == b.size());
  double off = 0, scale = 0;
  for (std::size_t n = 0; n < a.size(); ++n) {
    off = std::max(off, std::hypot(a[n].x - b[n].x, a[n].y - b[n].y));
    scale = std::max(scale, std::hypot(b[n].x, b[n].y));
  }
  return off / scale;
}

}  // namespace

TEST_CASE("an elastic body moves in single precision as in double", "[solver][precision]") {
  Model m = busy_plate(GENERATE(ElementType::t3, ElementType::t6));
  m.assembly = GENERATE(Assembly::gather, Assembly::coloured);
  m.cohesive.reset();
  const auto exact = make_solver(m, 1), single = make_solver(in_single(m), 1);
  for (int i = 0; i < 8; ++i) {
    exact->advance(50);
    single->advance(50);
    // Rows of stored matrices do not quite add up to zero, so they push a body that has moved.
    CHECK(difference(single->snapshot().displacement, exact->snapshot().displacement) <
          (m.assembly == Assembly::gather ? 1e-6 : 5e-5));
    const HistoryRow a = single->history(), b = exact->history();
    const double energy = b.kinetic_energy + b.strain_energy;
    CHECK(std::abs(a.kinetic_energy - b.kinetic_energy) < 1e-5 * energy);
    CHECK(std::abs(a.strain_energy - b.strain_energy) < 1e-5 * energy);
    CHECK(std::abs(a.balance_error) < 1e-6);
    // The numbers really are single: in double the identity holds to 1e-15.
    CHECK(std::abs(a.balance_error) > 1e-13);
  }
}

TEST_CASE("increments far below the displacement are not lost", "[solver][precision]") {
  Model m = in_single(model_of(plate_mesh(ElementType::t6, {4, 2}), PlaneType::strain, 0.01));
  m.assembly = GENERATE(Assembly::gather, Assembly::coloured);
  add_velocity(m, {3, -2}, {0, 0, 0, 0}, {0, 0});
  const auto solver = make_solver(m, 1);
  solver->advance(20000);
  // The last increments are only some hundred times the spacing of numbers at the displacement: added plainly, they
  // make 1e-4 too much or too little. (Stored matrices push a little: their rows do not quite add up to zero.)
  const double x = 3 * 20000 * m.step, y = -2 * 20000 * m.step;
  double off = 0;
  for (const Point& u : solver->snapshot().displacement) off = std::max(off, std::hypot(u.x - x, u.y - y));
  CHECK(off < (m.assembly == Assembly::gather ? 1e-6 : 1e-5) * std::hypot(x, y));
}

TEST_CASE("a body breaks in single precision much as in double", "[solver][precision]") {
  Model m = model_of(plate_mesh(GENERATE(ElementType::t3, ElementType::t6), {24, 12}, true));
  m.assembly = GENERATE(Assembly::gather, Assembly::coloured);
  m.cohesive = brittle(5);
  m.cohesive->law = GENERATE("ppr", "linear");
  add_velocity(m, {0, 0}, {2500, 300, -200, 1500}, {8e-3, 4e-3});
  m.loads.push_back({5e6, Curve::linear_decay(2e-5), m.mesh.find_group("top")->facets});
  const auto exact = make_solver(m, 1), single = make_solver(in_single(m), 1);
  exact->advance(400);
  single->advance(400);
  const HistoryRow a = single->history(), b = exact->history();
  REQUIRE(b.failed_elements > 100);
  REQUIRE(b.fragments > 5);
  // Rounding decides some near ties, and fracture amplifies that like any small change.
  CHECK(a.cohesive_elements == Approx(b.cohesive_elements).epsilon(0.02));
  CHECK(a.dissipated_energy == Approx(b.dissipated_energy).epsilon(0.02));
  CHECK(a.fragments == Approx(b.fragments).epsilon(0.25));
  CHECK(std::abs(a.balance_error) < 1e-6);
}

TEST_CASE("in single precision a body moves the same wherever it lies", "[solver][precision]") {
  const auto plate = [](Point at) {
    Model m = in_single(model_of(plate_mesh(ElementType::t6, {24, 12}, true)));
    m.cohesive = brittle(5);
    const Point middle{8e-3, 4e-3};
    m.cohesive->insertion.box = {{at.x, at.y, at.x + middle.x, at.y + 2 * middle.y}};  // the left half breaks
    add_velocity(m, {0, 0}, {2500, 300, -200, 1500}, middle);
    for (Point& p : m.mesh.nodes) p = {p.x + at.x, p.y + at.y};
    return m;
  };
  const Assembly assembly = GENERATE(Assembly::gather, Assembly::coloured);
  Model near = plate({0, 0}), far = plate({100, -30});
  near.assembly = far.assembly = assembly;
  const auto a = make_solver(near, 1), b = make_solver(far, 1);
  a->advance(100);
  b->advance(100);
  const HistoryRow here = a->history(), there = b->history();
  REQUIRE(here.cohesive_elements > 20);
  CHECK(there.cohesive_elements == here.cohesive_elements);
  CHECK(there.crack_length == Approx(here.crack_length).epsilon(1e-6));
  CHECK(there.kinetic_energy == Approx(here.kinetic_energy).epsilon(1e-5));
  CHECK(there.strain_energy == Approx(here.strain_energy).epsilon(1e-5));
  const Snapshot s = b->snapshot();
  CHECK(s.position[5].x == Approx(far.mesh.nodes[5].x).epsilon(1e-11));
  CHECK(s.position[5].y == Approx(far.mesh.nodes[5].y).epsilon(1e-11));
}

TEST_CASE("a state of the other precision is refused", "[solver][precision]") {
  const Model m = busy_plate(ElementType::t6);
  const auto exact = make_solver(m, 1), single = make_solver(in_single(m), 1);
  std::stringstream of_double, of_single;
  exact->save(of_double);
  single->save(of_single);
  CHECK_THROWS_WITH(single->load(of_double), Catch::Contains("double precision"));
  CHECK_THROWS_WITH(exact->load(of_single), Catch::Contains("single precision"));
}

TEST_CASE("a state in single precision takes little more than half the memory", "[solver][precision]") {
  Model m = model_of(plate_mesh(ElementType::t6, {24, 12}));
  m.assembly = GENERATE(Assembly::gather, Assembly::coloured);
  const auto needed = [](const Model& model) { return make_solver(model, 1)->memory().peak; };
  CHECK(10 * needed(in_single(m)) < 7 * needed(m));
}

}  // namespace cleave::test
