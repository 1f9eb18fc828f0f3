/// Energy over a long run: a block that breaks in a closed box and rattles there for 50 transits of a wave.
#include <cmath>

#include "support.hpp"

namespace cleave::verification {

TEST_CASE("a block rattles in pieces for 50 wave transits", "[long]") {
  CLEAVE_ON_EVERY_BACKEND();
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  const std::string law = GENERATE(std::string("ppr"), std::string("linear"));
  // The step in critical steps, and the safety of the stiffness cap, which also caps the contact stiffness.
  const auto setting = GENERATE(values<std::pair<double, double>>({{0.5, 0.25}, {0.5, 0.02}, {0.1, 0.25}}));
  const EnergyRule rule = GENERATE(EnergyRule::plain, EnergyRule::consistent);
  const bool consistent = rule == EnergyRule::consistent;
  const double fraction = setting.first;
  CAPTURE(law, name_of(type), fraction, setting.second, consistent);
  const double width = 16e-3, height = 8e-3;
  Mesh mesh = rectangle(type, {16, 8}, {width, height});
  perturb(mesh, 0.2, 5);
  const MaterialCase material{"linear_elastic", 3.24e9, 0.35, 1190, PlaneType::strain};
  Model m = make_model(mesh, material, fraction, 1e-3);
  CohesiveCase c;
  c.law = law;
  c.normal = {10e6, 8, 2};
  c.tangential = {12e6, 11, 2};
  c.insertion.every = 5;
  c.stiffness_safety = setting.second;
  c.energy = rule;
  m.cohesive = c;
  set_velocity(m, [&](Point p) { return Point{2500 * (p.x - width / 2), -1000 * (p.y - height / 2)}; });
  const int held = add_motion(m, 0);
  for (const char* side : {"left", "right"}) move_x(m, side, held);
  for (const char* side : {"bottom", "top"}) move_y(m, side, held);
  const auto solver = make_solver(m, backend, 2);
  const double transit = width / longitudinal_speed(material);
  const Step stride = std::max<Step>(1, static_cast<Step>(transit / 100 / m.step));
  double fall = 0, highest = 0, growth = 0, identity = 0, largest = 0, start = 0, account = 0, outside = 0;
  std::vector<std::vector<double>> rows;
  HistoryRow row = solver->history();
  start = row.kinetic_energy - row.kinetic_correction + row.strain_energy;
  while (row.time < 50 * transit) {
    solver->advance(stride);
    row = solver->history();
    const double mechanical = row.kinetic_energy - row.kinetic_correction + row.strain_energy + row.recoverable_energy;
    largest = std::max(largest, row.kinetic_energy + row.strain_energy);
    identity = std::max(identity, std::abs(row.balance_error));
    fall = std::max(fall, highest - row.dissipated_energy);
    highest = std::max(highest, row.dissipated_energy);
    growth = std::max(growth, mechanical - start);
    account = std::max(account, std::abs(row.cohesive_account));
    outside = std::max(outside, mechanical - row.cohesive_account - start);
    rows.push_back({row.time / transit, row.kinetic_energy / start, row.strain_energy / start,
                    row.dissipated_energy / start, row.recoverable_energy / start, row.balance_error});
  }
  CHECK(row.fragments > 5);
  CHECK(identity < 1e-11);  // round-off of some 1e5 steps
  if (consistent) {
    // By construction dissipation does not fall and energy does not grow; round-off of sums of 1e3 works remains.
    CHECK(growth < 1e-12 * start);
    CHECK(fall < 1e-12 * largest);
    // Recoverable energy includes the accounts. They must stay small, else growth would only be hidden in them.
    CHECK(account < 1e-2 * start);
    CHECK(outside < 2e-3 * start);
  } else {
    // Targets, NOT met with the default step: VERIFICATION.md says by how much and why. Passing from opening to contact
    // within a step misses 1/2 d0 d1 (kp - k) of work either way, each time of the order of kp (v dt)^2.
    CHECK_NOFAIL(growth < 1e-6 * start);
    CHECK_NOFAIL(fall < 1e-3 * largest);
  }
  const std::string name = law + " " + name_of(type) +
                           (fraction > 0.3 ? ", half the critical step" : ", a tenth of it") +
                           (setting.second < 0.1 ? ", stiffness_safety 0.02" : "") + name_of(rule);
  record("50 wave transits", name + ": identity", 0, identity, "of the largest energy", "1e-11");
  record("50 wave transits", name + ": worst fall of dissipation", 0, fall / largest, "of the largest energy",
         consistent ? "1e-12" : "target 1e-3");
  record("50 wave transits", name + ": growth of mechanical energy", 0, growth / start, "of the initial energy",
         consistent ? "1e-12" : "target 1e-6");
  if (consistent) {
    record("50 wave transits", name + ": largest account", 0, account / start, "of the initial energy", "1e-2");
    record("50 wave transits", name + ": growth without accounts", 0, outside / start, "of the initial energy", "2e-3");
  }
  record("50 wave transits", name + ": dissipated", 0, row.dissipated_energy / start, "of the initial energy", "");
  record("50 wave transits", name + ": fragments", row.fragments, row.fragments, "", "");
  if (fraction > 0.3 && setting.second > 0.1)
    write_series("long_" + law + "_" + name_of(type) + (consistent ? "_consistent" : ""),
                 "transits,kinetic,strain,dissipated,recoverable,balance_error", rows);
}

}  // namespace cleave::verification
