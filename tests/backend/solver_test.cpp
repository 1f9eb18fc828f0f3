/// Whole simulations: what must be conserved, reproduced and repeated.
#include <catch2/catch.hpp>
#include <sstream>

#include "backend/models.hpp"
#include "backend/solver_backend.hpp"
#include "cleave/core/error.hpp"
#include "reference/same_bits.hpp"
#include "reference/triangle.hpp"

namespace cleave::test {
namespace {

using reference::same_bits;

/// Momentum and moment of momentum about the origin of the REFERENCE positions: with small strains forces act there.
struct Momentum {
  double x = 0, y = 0, moment = 0, scale = 0, moment_scale = 0;
};
Momentum momentum(const Snapshot& s) {
  Momentum p;
  for (std::size_t n = 0; n < s.mass.size(); ++n) {
    const Point v = s.velocity[n], r = s.position[n];
    p.x += s.mass[n] * v.x;
    p.y += s.mass[n] * v.y;
    p.moment += s.mass[n] * (r.x * v.y - r.y * v.x);
    p.scale += s.mass[n] * std::hypot(v.x, v.y);
    p.moment_scale += s.mass[n] * std::hypot(v.x, v.y) * std::hypot(r.x, r.y);
  }
  return p;
}

}  // namespace

TEST_CASE("a linear displacement with held edges stays in equilibrium with its exact stress", "[solver]") {
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  const PlaneType plane = GENERATE(PlaneType::stress, PlaneType::strain);
  Model m = model_of(plate_mesh(type, {8, 4}, false, 0.2), plane);
  m.precision = GENERATE(Precision::double_precision, Precision::single_precision);
  m.assembly = GENERATE(Assembly::gather, Assembly::coloured, Assembly::atomic);
  const double g[4] = {1e-3, 4e-4, -7e-4, 2e-3};
  for (std::size_t n = 0; n < m.displacement.size(); ++n) {
    const Point p = m.mesh.nodes[n];
    m.displacement[n] = {g[0] * p.x + g[1] * p.y, g[2] * p.x + g[3] * p.y};
  }
  for (const char* side : {"left", "right", "bottom", "top"}) prescribe(m, side, 3, 0);
  const auto d = reference::elasticity(m.materials.front().parameters.young_modulus,
                                       m.materials.front().parameters.poisson_ratio, plane);
  const auto expected = reference::stress(d, {g[0], g[3], g[1] + g[2]});

  const double across =
      plane == PlaneType::stress ? 0 : m.materials.front().parameters.poisson_ratio * (expected[0] + expected[1]);

  const auto solver = make_solver(m, 1);
  solver->advance(40);
  const Snapshot s = solver->snapshot();
  // Round-off of K u (1e-16 relative, tens of terms that cancel) drives the nodes for 40 steps.
  const double speed = 2e-3 * 2000, at_rest = tolerance(m, 1e-12, 1e-5);
  for (std::size_t n = 0; n < s.velocity.size(); ++n) {
    CHECK(std::abs(s.velocity[n].x) < at_rest * speed);
    CHECK(std::abs(s.velocity[n].y) < at_rest * speed);
  }
  const double rounded = tolerance(m, 1e-11, 1e-5);
  const double largest = std::max({std::abs(expected[0]), std::abs(expected[1]), std::abs(expected[2])});
  for (const auto* field : {&s.nodal_stress, &s.element_stress})
    for (const StressTensor& stress : *field) {
      CHECK(std::abs(stress.xx - expected[0]) < rounded * largest);
      CHECK(std::abs(stress.yy - expected[1]) < rounded * largest);
      CHECK(std::abs(stress.xy - expected[2]) < rounded * largest);
      CHECK(std::abs(stress.zz - across) < rounded * largest);
    }
  const double density = 0.5 * (expected[0] * g[0] + expected[1] * g[3] + expected[2] * (g[1] + g[2]));
  for (const double w : s.energy_density) CHECK(w == Approx(density).epsilon(rounded));
  CHECK(solver->history().strain_energy ==
        Approx(density * 16e-3 * 8e-3 * m.thickness).epsilon(tolerance(m, 1e-12, 1e-6)));
}

TEST_CASE("a rigid translation stays one", "[solver]") {
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  Model m = model_of(plate_mesh(type));
  m.precision = GENERATE(Precision::double_precision, Precision::single_precision);
  m.cohesive = brittle();
  add_velocity(m, {3, -2}, {0, 0, 0, 0}, {0, 0});
  const auto solver = make_solver(m, 1);
  solver->advance(100);
  const Snapshot s = solver->snapshot();
  const double t = 100 * m.step;
  const double moved = tolerance(m, 1e-12, 1e-5), kept = tolerance(m, 1e-12, 1e-5);
  for (std::size_t n = 0; n < s.mass.size(); ++n) {
    CHECK(s.displacement[n].x == Approx(3 * t).epsilon(moved));
    CHECK(s.displacement[n].y == Approx(-2 * t).epsilon(moved));
    CHECK(s.velocity[n].x == Approx(3).epsilon(kept));
    CHECK(s.velocity[n].y == Approx(-2).epsilon(kept));
  }
  const HistoryRow row = solver->history();
  const double mass = 16e-3 * 8e-3 * m.thickness * m.materials.front().parameters.density;
  // Single: thickness, area density and each mass are rounded.
  CHECK(row.kinetic_energy == Approx(0.5 * mass * 13).epsilon(tolerance(m, 1e-13, 3e-7)));
  CHECK(row.strain_energy < tolerance(m, 1e-20, 1e-7) * row.kinetic_energy);
  CHECK(row.cohesive_elements == 0);
}

TEST_CASE("a free body keeps momentum and moment of momentum while it breaks", "[solver]") {
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  const Assembly assembly = GENERATE(Assembly::gather, Assembly::coloured, Assembly::atomic);
  Model m = model_of(plate_mesh(type));
  m.cohesive = brittle();
  m.precision = GENERATE(Precision::double_precision, Precision::single_precision);
  m.assembly = assembly;
  add_velocity(m, {2, 1}, {1200, -900, 1100, 700}, {8e-3, 4e-3});
  const auto solver = make_solver(m, 1);
  const Momentum before = momentum(solver->snapshot());
  solver->advance(400);
  REQUIRE(solver->history().failed_elements > 10);
  REQUIRE(solver->history().fragments > 3);
  const Momentum after = momentum(solver->snapshot());
  // 400 steps of sums over a few hundred nodes, each rounded to 1e-16 or 6e-8. Rows of a stored matrix add up to zero
  // before they are rounded only, so that a translation, some hundred times the deformation here, makes a force.
  const double kept = tolerance(m, 1e-13, assembly == Assembly::gather ? 1e-6 : 5e-5);
  CHECK(std::abs(after.x - before.x) < kept * after.scale);
  CHECK(std::abs(after.y - before.y) < kept * after.scale);
  CHECK(std::abs(after.moment - before.moment) < kept * after.moment_scale);
}

TEST_CASE("the energy identity holds through insertion, contact, pressure and prescribed motion", "[solver]") {
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  const PlaneType plane = GENERATE(PlaneType::stress, PlaneType::strain);
  Model m = busy_plate(type, plane);
  m.precision = GENERATE(Precision::double_precision, Precision::single_precision);
  m.assembly = GENERATE(Assembly::gather, Assembly::coloured, Assembly::atomic);
  const double identity = tolerance(m, 1e-12, 1e-6),
               springs = tolerance(m, 1e-11, m.assembly == Assembly::gather ? 2e-6 : 5e-5);
  const auto solver = make_solver(m, 1);
  HistoryRow row = solver->history();
  const double kinetic = row.kinetic_energy - row.kinetic_correction, strain = row.strain_energy;
  bool contact = false;
  double largest = 0;
  for (int i = 0; i < 40; ++i) {
    solver->advance(10);
    row = solver->history();
    INFO("step " << row.step);
    CHECK(std::abs(row.balance_error) < identity);
    // The identity again from the parts of the row, so that the number above is not taken on trust.
    largest = std::max({largest, row.kinetic_energy, std::abs(row.external_work), std::abs(row.reaction_work)});
    CHECK(std::abs(row.kinetic_energy - row.kinetic_correction - kinetic + row.internal_work + row.cohesive_work -
                   row.external_work - row.reaction_work) < identity * largest);
    // Work of linear springs against their energy.
    CHECK(std::abs(row.internal_work - (row.strain_energy - strain)) < springs * largest);
    CHECK(row.dissipated_energy == Approx(row.cohesive_work - row.recoverable_energy).epsilon(1e-14));
    // What works and stored energies leave over is what the laws say: 1e-12 of the works that cancel in single steps.
    CHECK(std::abs(row.law_dissipation - row.dissipated_energy) < identity * largest);
    for (const auto& c : solver->snapshot().cohesive) contact = contact || c.traction_normal < 0;
  }
  CHECK(contact);
  CHECK(row.cohesive_elements > 20);
  CHECK(row.failed_elements > 5);
  // Each term matters: none of them is within the tolerance.
  for (const double part : {row.internal_work, row.cohesive_work, row.external_work, row.reaction_work,
                            row.kinetic_correction, row.recoverable_energy})
    CHECK(std::abs(part) > 1e-8 * largest);
}

TEST_CASE("a facet pulled apart dissipates its fracture energy, never less than before", "[solver]") {
  // Held sideways by symmetry: a strip of two columns pulled apart along x opens its middle facets in mode I only.
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  // A step so small that the stiffness cap is hundreds of strengths per final opening: what a facet holds at insertion
  // is dissipated with its fracture energy.
  Model m = model_of(rectangle(type, {2, 1}, {2e-3, 1e-3}), PlaneType::strain, 0.05);
  m.precision = GENERATE(Precision::double_precision, Precision::single_precision);
  m.cohesive = brittle(1);
  m.cohesive->insertion.box = std::array<double, 4>{0.99e-3, 0, 1.01e-3, 1e-3};
  m.motions.push_back({0, {}});
  m.motion_y.assign(m.mesh.nodes.size(), 1);
  prescribe(m, "left", 1, -1);
  prescribe(m, "right", 1, 1);
  add_velocity(m, {0, 0}, {1000, 0, 0, 0}, {1e-3, 0});
  const auto solver = make_solver(m, 1);
  double dissipated = 0;
  const double all = 8 * 1e-3 * m.thickness;
  const double fall = tolerance(m, 1e-12, 1e-6);
  const auto step = [&] {
    solver->advance(1);
    const double now = solver->history().dissipated_energy;
    CHECK(now > dissipated - fall * all);
    dissipated = now;
  };
  for (int i = 0; i < 20000 && solver->history().failed_elements == 0; ++i) step();
  for (int i = 0; i < 50; ++i) step();  // until the accounts are settled
  const HistoryRow row = solver->history();
  REQUIRE(row.failed_elements == 1);
  CHECK(row.crack_length == Approx(1e-3).epsilon(tolerance(m, 1e-12, 1e-6)));
  CHECK(std::abs(row.recoverable_energy) < 1e-9 * all);
  CHECK(row.dissipated_energy == Approx(all).epsilon(0.005));
  CHECK(row.fragments == 2);
}

TEST_CASE("a prescribed motion follows its history", "[solver]") {
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  Model m = model_of(plate_mesh(type));
  m.precision = GENERATE(Precision::double_precision, Precision::single_precision);
  m.assembly = GENERATE(Assembly::gather, Assembly::coloured, Assembly::atomic);
  const double t0 = 3e-6, rounded = tolerance(m, 1e-13, 3e-7);
  prescribe(m, "left", 1, 5, Curve::exponential(t0));
  prescribe(m, "right", 2, -3, Curve::linear_decay(4e-6));
  prescribe(m, "bottom", 3, 2, Curve::table({{0, 0}, {1e-6, 1}, {2e-6, -1}, {5e-6, 0.5}}));
  const auto solver = make_solver(m, 1);
  // What the later conditions overwrote is theirs: ask the model.
  const auto path = [&](int motion, double t) {
    if (motion == 1) return 5 * t0 * (1 - std::exp(-t / t0));
    if (motion == 2) return t < 4e-6 ? -3 * (t - t * t / 8e-6) : -3 * 2e-6;
    double value = 0, last_t = 0, last_v = 0;  // by hand: trapezoids of the table
    for (const auto& [pt, pv] : {std::pair{1e-6, 1.0}, std::pair{2e-6, -1.0}, std::pair{5e-6, 0.5}}) {
      const double end = std::min(t, pt);
      if (end > last_t) {
        const double v = last_v + (pv - last_v) * (end - last_t) / (pt - last_t);
        value += (end - last_t) * (last_v + v) / 2;
      }
      last_t = pt;
      last_v = pv;
    }
    if (t > 5e-6) value += (t - 5e-6) * 0.5;
    return 2 * value;
  };
  for (int block = 1; block <= 8; ++block) {
    solver->advance(37);
    const Snapshot s = solver->snapshot();
    const double t = static_cast<double>(s.step) * m.step;
    for (std::size_t n = 0; n < m.mesh.nodes.size(); ++n) {
      // u is a sum of a few hundred increments of 1e-7 m each.
      if (m.motion_x[n] != 0) CHECK(std::abs(s.displacement[n].x - path(m.motion_x[n], t)) < rounded * 15e-6);
      if (m.motion_y[n] != 0) CHECK(std::abs(s.displacement[n].y - path(m.motion_y[n], t)) < rounded * 15e-6);
    }
  }
}

TEST_CASE("a node that is held moves with its copies held", "[solver]") {
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  Model m = model_of(plate_mesh(type));
  m.precision = GENERATE(Precision::double_precision, Precision::single_precision);
  m.assembly = GENERATE(Assembly::gather, Assembly::coloured);
  m.cohesive = brittle();
  prescribe(m, "top", 2, 4);
  prescribe(m, "bottom", 3, 0);
  add_velocity(m, {0, 0}, {1500, 0, 0, 500}, {8e-3, 4e-3});
  const auto solver = make_solver(m, 1);
  solver->advance(300);
  const Snapshot s = solver->snapshot();
  int copies = 0;
  for (std::size_t n = 0; n < s.position.size(); ++n) {
    // Positions are rounded in single precision.
    const bool at_top = std::abs(s.position[n].y - 8e-3) < 1e-8, at_bottom = std::abs(s.position[n].y) < 1e-8;
    if (at_top) CHECK(s.displacement[n].y == Approx(4 * 300 * m.step).epsilon(tolerance(m, 1e-12, 1e-5)));
    if (at_bottom) CHECK((s.displacement[n].x == 0 && s.displacement[n].y == 0));
    copies += n >= m.mesh.nodes.size() && (at_top || at_bottom);
  }
  CHECK(copies > 2);
}

TEST_CASE("a simulation repeats bit for bit on any number of threads", "[solver]") {
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  // Enough elements for several blocks per colour, so that two threads really share the work.
  Model m = model_of(plate_mesh(type, {24, 12}, true));
  m.cohesive = brittle(5);
  m.precision = GENERATE(Precision::double_precision, Precision::single_precision);
  m.cohesive->law = GENERATE(std::string("ppr"), std::string("linear"));
  m.assembly = GENERATE(Assembly::gather, Assembly::coloured);
  add_velocity(m, {0, 0}, {2500, 300, -200, 1500}, {8e-3, 4e-3});
  prescribe(m, "left", 1, -20);
  m.loads.push_back({5e6, Curve::linear_decay(2e-5), m.mesh.find_group("top")->facets});
  const auto one = make_solver(m, 1), again = make_solver(m, 1), two = make_solver(m, 2);
  for (int i = 0; i < 3; ++i) {
    for (auto* solver : {one.get(), again.get(), two.get()}) solver->advance(50);
    const Snapshot s = one->snapshot();
    CHECK(same_bits(s, again->snapshot()));
    CHECK(same_bits(s, two->snapshot()));
    CHECK(same_bits(one->history(), again->history()));
    CHECK(same_bits(one->history(), two->history()));
  }
  CHECK(one->history().cohesive_elements > 100);
}

TEST_CASE("a captured state becomes the fields of its step while the solver goes on, and after it is gone",
          "[solver]") {
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  Model m = model_of(plate_mesh(type, {24, 12}, true));
  m.cohesive = brittle(5);
  m.precision = GENERATE(Precision::double_precision, Precision::single_precision);
  m.assembly = GENERATE(Assembly::gather, Assembly::coloured);
  add_velocity(m, {0, 0}, {2500, 300, -200, 1500}, {8e-3, 4e-3});
  auto solver = make_solver(m, 1);
  const auto undisturbed = make_solver(m, 1);
  std::vector<Snapshot> expected;
  std::vector<PendingSnapshot> captured;
  for (int i = 0; i < 4; ++i) {
    for (auto* each : {solver.get(), undisturbed.get()}) each->advance(50);
    expected.push_back(undisturbed->snapshot());
    captured.push_back(solver->capture({}));
    if (i == 2) CHECK(same_bits(captured[0](2), expected[0]));
  }
  REQUIRE(expected[3].cohesive.size() > expected[0].cohesive.size());
  solver.reset();
  for (std::size_t i = 1; i < captured.size(); ++i) CHECK(same_bits(captured[i](3), expected[i]));
}

TEST_CASE("a snapshot has the selected parts, with the bits of a whole one", "[solver]") {
  Model m = busy_plate(GENERATE(ElementType::t3, ElementType::t6));
  m.assembly = GENERATE(Assembly::gather, Assembly::coloured);
  const auto solver = make_solver(m);
  solver->advance(200);
  const Snapshot whole = solver->snapshot();
  REQUIRE(whole.cohesive.size() > 0);
  for (int part = 0; part < 6; ++part) {  // each alone; none
    const SnapshotParts wanted{part == 0, part == 1, part == 2, part == 3, part == 4};
    Snapshot expected = whole;
    if (!wanted.neighbours) expected.neighbours = {};
    if (!wanted.nodal_stress) expected.nodal_stress = {};
    if (!wanted.element_stress) expected.element_stress = {};
    if (!wanted.energy_density) expected.energy_density = {};
    if (!wanted.state_fields) expected.state_fields = {};
    CHECK(same_bits(solver->capture(wanted)(2), expected));
  }
}

TEST_CASE("a saved simulation continues bit for bit", "[solver]") {
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  const int at = GENERATE(0, 7, 120);  // before anything, before the first crack, in the middle of it all
  Model m = busy_plate(type);
  m.precision = GENERATE(Precision::double_precision, Precision::single_precision);
  m.cohesive->law = GENERATE(std::string("ppr"), std::string("linear"));
  m.assembly = GENERATE(Assembly::gather, Assembly::coloured);
  const auto solver = make_solver(m, 1);
  solver->advance(at);
  std::stringstream file;
  solver->save(file);
  const auto restored = make_solver(m, 1);
  restored->load(file);
  CHECK(restored->step() == at);
  CHECK(same_bits(solver->history(), restored->history()));
  for (int i = 0; i < 3; ++i) {
    CHECK(same_bits(solver->snapshot(), restored->snapshot()));
    solver->advance(60);
    restored->advance(60);
  }
  CHECK(solver->history().cohesive_elements > 20);
  CHECK(same_bits(solver->snapshot(), restored->snapshot()));
  CHECK(same_bits(solver->history(), restored->history()));
  // The same state writes the same file.
  std::stringstream a, b;
  solver->save(a);
  restored->save(b);
  CHECK(a.str() == b.str());
}

TEST_CASE("gather or atomic assembly and counted copies give the same physics", "[solver]") {
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  Model m = busy_plate(type);
  m.cohesive->law = GENERATE(std::string("ppr"), std::string("linear"));
  m.assembly = Assembly::coloured;
  const auto coloured = make_solver(m, 1);
  m.assembly = GENERATE(Assembly::gather, Assembly::atomic);
  m.cohesive->insertion.numbering = CopyNumbering::counter;
  const auto atomic = make_solver(m, 2);
  coloured->advance(200);
  atomic->advance(200);
  const HistoryRow a = coloured->history(), b = atomic->history();
  CHECK(a.nodes == b.nodes);
  CHECK(a.cohesive_elements == b.cohesive_elements);
  CHECK(a.failed_elements == b.failed_elements);
  CHECK(a.kinetic_energy == Approx(b.kinetic_energy).epsilon(1e-10));
  CHECK(a.strain_energy == Approx(b.strain_energy).epsilon(1e-10));
  CHECK(a.cohesive_work == Approx(b.cohesive_work).epsilon(1e-10));
  CHECK(a.cohesive_account != 0);
  CHECK(std::abs(a.cohesive_account - b.cohesive_account) < 1e-10 * a.cohesive_work);
}

TEST_CASE("results do not depend on the thickness", "[solver]") {
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  Model m = busy_plate(type);
  m.precision = GENERATE(Precision::double_precision, Precision::single_precision);
  const auto thin = make_solver(m, 1);
  m.thickness *= 4;  // a power of two: every rounding is the same
  const auto thick = make_solver(m, 1);
  thin->advance(150);
  thick->advance(150);
  const Snapshot a = thin->snapshot(), b = thick->snapshot();
  CHECK(same_bits(a.displacement, b.displacement));
  CHECK(same_bits(a.velocity, b.velocity));
  CHECK(thick->history().kinetic_energy == 4 * thin->history().kinetic_energy);
  CHECK(thick->history().cohesive_work == 4 * thin->history().cohesive_work);
}

TEST_CASE("an element that turns inside out is reported", "[solver]") {
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  Model m = model_of(plate_mesh(type));
  m.precision = GENERATE(Precision::double_precision, Precision::single_precision);
  m.cohesive = brittle(1);
  m.cohesive->parameters.normal.strength = m.cohesive->parameters.tangential.strength = 1e15;
  add_velocity(m, {0, 0}, {-1.2 / m.step, 0, 0, 0}, {8e-3, 4e-3});
  const auto solver = make_solver(m, 1);
  CHECK_THROWS_AS(solver->advance(1), NumericalError);
}

}  // namespace cleave::test
