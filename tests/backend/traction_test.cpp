/// Dead loads in fixed directions: as a pressure where they have its direction, and by the momentum that they give.
#include <catch2/catch.hpp>

#include "backend/models.hpp"
#include "backend/solver_backend.hpp"
#include "reference/same_bits.hpp"

namespace cleave::test {
namespace {

/// A free plate of 8 mm by 4 mm whose right side has one load.
/// @param pressure  Pa, along the direction or the inward normal
Model loaded_plate(ElementType type, double pressure, std::optional<Point> direction) {
  Model m = model_of(rectangle(type, {8, 4}, {8e-3, 4e-3}));
  m.assembly = Assembly::gather;
  m.loads = {{pressure, Curve{}, m.mesh.find_group("right")->facets, false, false, direction}};
  return m;
}

}  // namespace

TEST_CASE("a traction along the normal is a pressure that pulls", "[solver][loads]") {
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  const auto pulled = make_solver(loaded_plate(type, 3e6, Point{1, 0}), 1);
  const auto pressed = make_solver(loaded_plate(type, -3e6, std::nullopt), 1);
  for (auto* solver : {pulled.get(), pressed.get()}) solver->advance(100);
  CHECK(reference::same_bits(pulled->snapshot(), pressed->snapshot()));
  CHECK(reference::same_bits(pulled->history(), pressed->history()));
}

TEST_CASE("a traction gives a free body its force times the time as momentum", "[solver][loads]") {
  const Model m = loaded_plate(GENERATE(ElementType::t3, ElementType::t6), 5e6, Point{0.6, -0.8});
  const auto solver = make_solver(m, 1);
  const int steps = 60;
  solver->advance(steps);
  const Snapshot s = solver->snapshot();
  Point momentum;
  for (std::size_t n = 0; n < s.velocity.size(); ++n) {
    momentum.x += s.mass[n] * s.velocity[n].x;
    momentum.y += s.mass[n] * s.velocity[n].y;
  }
  const double given = 5e6 * 4e-3 * m.thickness * steps * m.step;
  CHECK(momentum.x == Approx(0.6 * given).epsilon(1e-10));
  CHECK(momentum.y == Approx(-0.8 * given).epsilon(1e-10));
  CHECK(solver->history().external_work > 0);
  CHECK(std::abs(solver->history().balance_error) < 1e-11);
}

}  // namespace cleave::test
