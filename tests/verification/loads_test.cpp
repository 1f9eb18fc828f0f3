/// Body force, absorbing sides and states of groups, against exact solutions of waves in a bar.
#include <cmath>

#include "model/supports.hpp"
#include "support.hpp"

namespace cleave::verification {
namespace {

const ElasticParameters material{1e9, 0.25, 1000, PlaneType::strain};

/// A strip of 1 m x 0.02 m whose waves are plane: nodes move along x only, or along y only.
Model strip(ElementType type, bool shear, double fraction = 0.8) {
  Model m = make_model(rectangle(type, {100, 2}, {1, 0.02}), material, fraction);
  shear ? move_x(m, nullptr, add_motion(m, 0)) : move_y(m, nullptr, add_motion(m, 0));
  return m;
}
double speed_of(bool shear) { return shear ? shear_speed(material) : longitudinal_speed(material); }

}  // namespace

TEST_CASE("an absorbing side takes plane waves out of the body", "[loads]") {
  CLEAVE_ON_EVERY_BACKEND();
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  const bool shear = GENERATE(false, true);
  CAPTURE(name_of(type), shear);
  const double c = speed_of(shear), pulse = 0.2 / c;  // 20 quads long
  const auto run = [&](bool absorbs) {
    Model m = strip(type, shear);
    const int moves = add_motion(m, 1, Curve::half_sine(pulse));
    shear ? move_y(m, "left", moves) : move_x(m, "left", moves);
    if (absorbs) m.damping = damping_rates(m, m.mesh.find_group("right")->facets);
    const auto solver = make_solver(m, backend);
    advance_to(*solver, m, 1.6 / c);  // it has left, or is on its way back
    const HistoryRow row = solver->history();
    CHECK(std::abs(row.balance_error) < 1e-11);
    return row;
  };
  const HistoryRow free = run(false), absorbed = run(true);
  const double sent = absorbed.reaction_work;
  CHECK(sent == Approx(0.5 * material.density * c * 0.02 * pulse).epsilon(1e-2));  // rho c v^2 over the pulse
  CHECK(free.kinetic_energy + free.strain_energy == Approx(sent).epsilon(1e-2));
  const double left = (absorbed.kinetic_energy + absorbed.strain_energy) / sent;
  CHECK(left < 1e-3);
  CHECK(absorbed.absorbed_energy == Approx(sent).epsilon(1e-3));
  record("absorbing side, plane waves",
         std::string(name_of(type)) + (shear ? ", shear" : ", pressure") + ": energy left", 0, left, "of the pulse",
         "0.1 %");
}

TEST_CASE("a released column oscillates under its weight", "[loads]") {
  CLEAVE_ON_EVERY_BACKEND();
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  CAPTURE(name_of(type));
  const double g = 9.81, c = speed_of(false);
  Model m = strip(type, false, 0.5);
  m.body_acceleration = {g, 0};
  move_x(m, "left", add_motion(m, 0));
  const auto solver = make_solver(m, backend);
  const auto tip = [&] {
    const Snapshot s = solver->snapshot();
    for (std::size_t n = 0; n < s.position.size(); ++n)
      if (s.position[n].x == 1 && s.position[n].y == 0) return s.displacement[n].x;
    return 0.0;
  };
  // The tip falls freely until the wave from the other end arrives; it turns at twice the static displacement.
  advance_to(*solver, m, 0.5 / c);
  const double falling = g * 0.25 / (c * c) / 2;
  CHECK(tip() == Approx(falling).epsilon(5e-3));
  advance_to(*solver, m, 2 / c);
  const double deepest = g / (c * c);
  CHECK(tip() == Approx(deepest).epsilon(5e-3));
  record("a column under its weight", std::string(name_of(type)) + ": deepest", deepest, tip(), "m", "0.5 %");
  const HistoryRow row = solver->history();
  CHECK(std::abs(row.balance_error) < 1e-11);
  // There the wave has gone to and fro: at rest, and the weight has done what strains the column.
  CHECK(row.body_work == Approx(row.strain_energy).epsilon(1e-2));
  CHECK(row.body_work == Approx(material.density * 0.02 * g * g * 2 / 3 / (c * c)).epsilon(1e-2));
}

}  // namespace cleave::verification
