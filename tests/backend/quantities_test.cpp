/// Every column of history.csv, as both solvers fill it while a body breaks.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <set>
#include <sstream>
#include <string>

#include "backend/models.hpp"
#include "backend/solver_backend.hpp"
#include "model/supports.hpp"

namespace cleave::test {

TEST_CASE("both solvers fill every column, and the identity follows from the row", "[quantities]") {
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  Model m = busy_plate(type);
  m.assembly = GENERATE(Assembly::gather, Assembly::coloured, Assembly::atomic);
  m.body_acceleration = {2e5, -1e5};
  m.damping = damping_rates(m, m.mesh.find_group("bottom")->facets);
  m.drag = {1e4, {}};
  const auto solver = make_solver(m, 1);

  std::set<std::string> zero;
  for (const QuantityInfo& q : quantities) zero.insert(q.name);
  double at_start = 0, largest = 0;
  for (int i = 0; i <= 40; ++i) {
    const HistoryRow row = solver->history();
    for_each_quantity(row, [&](Quantity q, auto of_row) {
      const auto value = static_cast<double>(of_row);
      REQUIRE(std::isfinite(value));
      if (value != 0) zero.erase(info_of(q).name);
    });
    // The identity from the row's own numbers. Both sides are sums of the same ten, each rounded to 1e-16 of the
    // largest.
    const double moving = row.kinetic_energy - row.kinetic_correction;
    if (i == 0) at_start = moving;
    for (const double energy :
         {row.kinetic_energy, row.strain_energy, row.internal_work, row.cohesive_work, row.external_work,
          row.reaction_work, row.body_work, row.absorbed_energy, row.friction_energy, row.damping_energy})
      largest = std::max(largest, std::abs(energy));
    const double error =
        (moving - at_start + row.internal_work + row.cohesive_work - row.external_work - row.reaction_work -
         row.body_work + row.absorbed_energy + row.friction_energy + row.damping_energy) /
        largest;
    INFO("step " << row.step);
    CHECK(std::abs(row.balance_error - error) < 1e-15);
    CHECK(std::abs(error) < 1e-12);
    CHECK(row.dissipated_energy == row.cohesive_work - row.recoverable_energy);
    CHECK(std::abs(row.work_minus_energy) < 1e-11 * largest);
    CHECK(row.step == 10 * i);
    CHECK(row.time == static_cast<double>(row.step) * m.step);
    solver->advance(10);
  }
  // Each of them is something in this case, but what elastic bodies do not have (material_laws_test.cpp,
  // dissipative_forces_test.cpp).
  CHECK(zero == std::set<std::string>{"plastic_energy", "viscous_energy", "friction_energy", "eroded_energy",
                                      "eroded_mass", "support_energy", "contact_energy", "contact_friction_energy",
                                      "contact_points"});
}

TEST_CASE("the largest ratio of load to strength is that of the check in which a facet broke",
          "[quantities][fracture]") {
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  const int every = GENERATE(1, 4, 10);
  // Uniaxial tension without waves: the normal stress grows by this part of the strength in each step.
  constexpr double in_a_step = 0.33;
  const int broke = every * static_cast<int>(std::ceil(1 / (in_a_step * every)));
  Model m = model_of(plate_mesh(type, {8, 4}, false, 0));
  m.assembly = GENERATE(Assembly::gather, Assembly::coloured);
  m.cohesive = brittle(every);
  m.cohesive->law = GENERATE(std::string("ppr"), std::string("linear"));
  m.cohesive->insertion.selection = GENERATE(Selection::all, Selection::local_maximum);
  CAPTURE(m.cohesive->law);
  m.set_material({.parameters = {3.24e9, 0, 1190, PlaneType::strain}});
  const double gradient = in_a_step * m.cohesive->parameters.normal.strength / (3.24e9 * m.step);
  add_velocity(m, {}, {gradient, 0, 0, 0}, {8e-3, 4e-3});
  prescribe(m, "left", 1, -8e-3 * gradient);
  prescribe(m, "right", 1, 8e-3 * gradient);
  const auto solver = make_solver(m, 1);
  solver->advance(broke - 1);
  CHECK(solver->history().insertion_ratio == 0);
  solver->advance(1);
  const HistoryRow row = solver->history();
  CHECK(row.cohesive_elements > 0);
  CHECK(row.insertion_ratio == Approx(broke * in_a_step).epsilon(tolerance(m, 1e-10, 1e-4)));

  // It stays, and is part of the state.
  solver->advance(3 * every);
  const double largest = solver->history().insertion_ratio;
  CHECK(largest >= row.insertion_ratio);
  std::stringstream state;
  solver->save(state);
  const auto resumed = make_solver(m, 1);
  resumed->load(state);
  CHECK(resumed->history().insertion_ratio == largest);
}

TEST_CASE("the table marks the works of the identity with their signs", "[quantities]") {
  std::set<std::string> given, taken;
  for (const QuantityInfo& q : quantities) {
    if (q.identity_sign > 0) given.insert(q.name);
    if (q.identity_sign < 0) taken.insert(q.name);
  }
  CHECK(given == std::set<std::string>{"internal_work", "cohesive_work", "absorbed_energy", "friction_energy",
                                       "damping_energy", "support_energy", "contact_energy",
                                       "contact_friction_energy"});
  CHECK(taken == std::set<std::string>{"external_work", "reaction_work", "body_work"});
}

}  // namespace cleave::test
