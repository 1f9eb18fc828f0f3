/// Energy over a long run: a block that breaks in a closed box and rattles there for 50 transits of a wave.
#include <cmath>

#include "support.hpp"

namespace cleave::verification {
namespace {

struct Setting {
  std::string law;
  ElementType type;
  double fraction;  ///< the step in critical steps
  double safety;    ///< of the stiffness cap, which also caps the contact stiffness
  EnergyRule rule;

  std::string name() const {
    return law + " " + name_of(type) + (fraction > 0.3 ? ", half the critical step" : ", a tenth of it") +
           (safety < 0.1 ? ", stiffness_safety " + std::string(safety < 0.015 ? "0.01" : "0.02") : "") + name_of(rule);
  }
};

/// Energies in parts of the initial one, but `identity` and `fall`: of the largest.
struct Outcome {
  double identity = 0;  ///< largest error
  double fall = 0;      ///< of dissipation below what it was before
  double growth = 0;    ///< of mechanical energy
  double account = 0;   ///< largest of the cohesive elements, either sign
  double outside = 0;   ///< growth of mechanical energy without the account
  double dissipated = 0;
  Index fragments = 0;
  std::vector<std::vector<double>> rows;
};

Outcome rattle(const std::string& backend, const Setting& setting) {
  const double width = 16e-3, height = 8e-3;
  Mesh mesh = rectangle(setting.type, {16, 8}, {width, height});
  perturb(mesh, 0.2, 5);
  const MaterialCase material{"linear_elastic", 3.24e9, 0.35, 1190, PlaneType::strain};
  Model m = make_model(mesh, material, setting.fraction, 1e-3);
  CohesiveCase c;
  c.law = setting.law;
  c.normal = {10e6, 8, 2};
  c.tangential = {12e6, 11, 2};
  c.insertion.every = 5;
  c.stiffness_safety = setting.safety;
  c.energy = setting.rule;
  m.cohesive = c;
  set_velocity(m, [&](Point p) { return Point{2500 * (p.x - width / 2), -1000 * (p.y - height / 2)}; });
  const int held = add_motion(m, 0);
  for (const char* side : {"left", "right"}) move_x(m, side, held);
  for (const char* side : {"bottom", "top"}) move_y(m, side, held);
  const auto solver = make_solver(m, backend, 2);
  const double transit = width / longitudinal_speed(material);
  const Step stride = std::max<Step>(1, static_cast<Step>(transit / 100 / m.step));
  Outcome out;
  double highest = 0, largest = 0;
  HistoryRow row = solver->history();
  const double start = row.kinetic_energy - row.kinetic_correction + row.strain_energy;
  while (row.time < 50 * transit) {
    solver->advance(stride);
    row = solver->history();
    const double mechanical = row.kinetic_energy - row.kinetic_correction + row.strain_energy + row.recoverable_energy;
    largest = std::max(largest, row.kinetic_energy + row.strain_energy);
    out.identity = std::max(out.identity, std::abs(row.balance_error));
    out.fall = std::max(out.fall, highest - row.dissipated_energy);
    highest = std::max(highest, row.dissipated_energy);
    out.growth = std::max(out.growth, mechanical / start - 1);
    out.account = std::max(out.account, std::abs(row.cohesive_account) / start);
    out.outside = std::max(out.outside, (mechanical - row.cohesive_account) / start - 1);
    out.rows.push_back({row.time / transit, row.kinetic_energy / start, row.strain_energy / start,
                        row.dissipated_energy / start, row.recoverable_energy / start, row.balance_error});
  }
  out.fall /= largest;
  out.dissipated = row.dissipated_energy / start;
  out.fragments = row.fragments;
  return out;
}

}  // namespace

TEST_CASE("a block rattles in pieces for 50 wave transits", "[long]") {
  CLEAVE_ON_EVERY_BACKEND();
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  const std::string law = GENERATE(std::string("ppr"), std::string("linear"));
  const auto [fraction, safety] = GENERATE(values<std::pair<double, double>>({{0.5, 0.25}, {0.5, 0.02}, {0.1, 0.25}}));
  const EnergyRule rule = GENERATE(EnergyRule::plain, EnergyRule::consistent);
  const bool consistent = rule == EnergyRule::consistent;
  const Setting setting{law, type, fraction, safety, rule};
  const std::string name = setting.name();
  CAPTURE(name);
  const Outcome out = rattle(backend, setting);
  CHECK(out.fragments > 5);
  CHECK(out.identity < 1e-11);  // round-off of some 1e5 steps
  if (consistent) {
    // Holds by construction up to the round-off of summing the works of some 1e3 Gauss points.
    CHECK(out.growth < 1e-12);
    CHECK(out.fall < 1e-12);
    // Recoverable energy includes the accounts. They must stay small, else growth would only be hidden in them. What
    // they owe at most is what facets were inserted with: 1/2 tau^2 / kc a unit area, more for a lower cap kc.
    CHECK(out.account < 1e-2);
    CHECK(out.outside < 2e-3);
  } else {
    // Targets, NOT met with the default step: VERIFICATION.md says by how much and why. Passing from opening to contact
    // within a step misses 1/2 d0 d1 (kp - k) of work either way, each time of the order of kp (v dt)^2.
    CHECK_NOFAIL(out.growth < 1e-6);
    CHECK_NOFAIL(out.fall < 1e-3);
  }
  const char* cut_end = "50 wave transits";
  record(cut_end, name + ": identity", 0, out.identity, "of the largest energy", "1e-11");
  record(cut_end, name + ": worst fall of dissipation", 0, out.fall, "of the largest energy",
         consistent ? "1e-12" : "target 1e-3");
  record(cut_end, name + ": growth of mechanical energy", 0, out.growth, "of the initial energy",
         consistent ? "1e-12" : "target 1e-6");
  if (consistent) {
    record(cut_end, name + ": largest account", 0, out.account, "of the initial energy", "1e-2");
    record(cut_end, name + ": growth without accounts", 0, out.outside, "of the initial energy", "2e-3");
  }
  record(cut_end, name + ": fragments", out.fragments, out.fragments, "", "");
  if (fraction > 0.3 && safety > 0.1)
    write_series("long_" + law + "_" + name_of(type) + (consistent ? "_consistent" : ""),
                 "transits,kinetic,strain,dissipated,recoverable,balance_error", out.rows);
}

TEST_CASE("a rattling block loses as much energy as with small steps", "[long]") {
  CLEAVE_ON_EVERY_BACKEND();
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  const std::string law = GENERATE(std::string("ppr"), std::string("linear"));
  CAPTURE(law, name_of(type));
  // A fifth of the step and 1/25 of the safety: the same stiffnesses, 25 times less wrong at a kink.
  const double exact = rattle(backend, {law, type, 0.1, 0.01, EnergyRule::plain}).dissipated;
  // The motion is chaotic, and what breaks after the first few transits is a matter of chance: 0.03 to 0.06 apart.
  for (const EnergyRule rule : {EnergyRule::plain, EnergyRule::consistent}) {
    const Setting setting{law, type, 0.5, 0.25, rule};
    const double reached = rattle(backend, setting).dissipated;
    if (rule == EnergyRule::consistent) CHECK(std::abs(reached - exact) < 0.1);
    record("50 wave transits, dissipated", setting.name(), exact, reached, "of the initial energy",
           rule == EnergyRule::consistent ? "0.1" : "");
  }
}

}  // namespace cleave::verification
