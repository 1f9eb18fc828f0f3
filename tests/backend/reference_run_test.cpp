/// The solver against a serial simulation written from the formulas: the same facets break in the same steps, and the
/// energies and fields agree.
///
/// Tolerance: both add the same terms in different orders, so every step differs by a few 1e-16; unstable growth during
/// fracture multiplies that by some powers of ten within the few hundred steps compared here, while any wrong factor
/// shows at 1e-3 or more.
#include <catch2/catch.hpp>
#include <map>

#include "backend/models.hpp"
#include "backend/solver_backend.hpp"
#include "reference/simulation.hpp"

namespace cleave::test {
namespace {

using reference::Simulation;

/// What the compared simulation went through, so that an agreement says something.
struct Coverage {
  int cohesive = 0, failed = 0, in_contact = 0, unloading = 0, settling = 0;
};

Coverage compare(const Model& model, Simulation& expected, int steps, int every, double tolerance) {
  const auto solver = make_solver(model, 1);
  double scale = 1e-300, speed = 1e-300, width = 1e-300;
  Coverage seen;
  for (int done = 0; done <= steps; done += every) {
    if (done > 0) {
      solver->advance(every);
      for (int i = 0; i < every; ++i) expected.take_step();
    }
    INFO("step " << done);
    const HistoryRow row = solver->history();
    const auto e = expected.energies();
    scale = std::max({scale, e.kinetic, e.strain, std::abs(e.external), std::abs(e.reaction)});
    CHECK(std::abs(row.kinetic_energy - e.kinetic) < tolerance * scale);
    CHECK(std::abs(row.kinetic_correction - e.correction) < tolerance * scale);
    CHECK(std::abs(row.strain_energy - e.strain) < tolerance * scale);
    CHECK(std::abs(row.internal_work - e.internal) < tolerance * scale);
    CHECK(std::abs(row.cohesive_work - e.cohesive) < tolerance * scale);
    CHECK(std::abs(row.recoverable_energy - e.recoverable) < tolerance * scale);
    CHECK(std::abs(row.cohesive_account - e.account) < tolerance * scale);
    CHECK(std::abs(row.dissipated_energy - e.dissipated) < tolerance * scale);
    CHECK(std::abs(e.cohesive - e.recoverable - e.dissipated) < 1e-13 * scale);
    CHECK(std::abs(row.external_work - e.external) < tolerance * scale);
    CHECK(std::abs(row.reaction_work - e.reaction) < tolerance * scale);
    REQUIRE(row.nodes == expected.node_count());

    const Snapshot s = solver->snapshot();
    std::map<int, Step> broken, should_be_broken;
    for (const auto& c : s.cohesive) broken[c.facet_a] = c.insertion_step;
    for (const auto& c : expected.cohesive()) should_be_broken[c.facet.code()] = c.step;
    REQUIRE(broken == should_be_broken);

    int failed = 0;
    std::map<int, const Simulation::Cohesive*> by_facet;
    for (const auto& c : expected.cohesive()) {
      by_facet[c.facet.code()] = &c;
      failed += c.point[0].last.failed && c.point[1].last.failed && c.point[2].last.failed;
      for (const auto& p : c.point) {
        seen.in_contact += p.last.contact;
        seen.unloading += !p.last.contact && !p.last.damaged && !p.last.failed;
        seen.settling += p.last.account != 0;
      }
    }
    seen.failed = failed;
    CHECK(row.failed_elements == failed);
    double largest_traction = 1;
    for (const auto& c : expected.cohesive())
      for (const auto& p : c.point)
        largest_traction =
            std::max({largest_traction, std::abs(p.last.traction.normal), std::abs(p.last.traction.tangential)});
    for (const auto& c : s.cohesive) {
      const auto& r = *by_facet.at(c.facet_a);
      double dn = 0, dt = 0, tn = 0, tt = 0;
      for (const auto& p : r.point) {
        dn += p.state.opening.normal / 3;
        dt += p.state.opening.tangential / 3;
        tn += p.last.traction.normal / 3;
        tt += p.last.traction.tangential / 3;
      }
      width = std::max({width, std::abs(dn), std::abs(dt)});
      CHECK(std::abs(c.opening_normal - dn) < 100 * tolerance * width);
      CHECK(std::abs(c.opening_tangential - dt) < 100 * tolerance * width);
      CHECK(std::abs(c.traction_normal - tn) < 1000 * tolerance * largest_traction);
      CHECK(std::abs(c.traction_tangential - tt) < 1000 * tolerance * largest_traction);
    }

    const int slots = nodes_per_element(model.mesh.type);
    double off = 0, off_mass = 0;
    for (Index el = 0; el < model.mesh.element_count(); ++el)
      for (int i = 0; i < slots; ++i) {
        const Index n = s.elements[el * slots + i];
        const auto v = expected.velocity(el, i);
        speed = std::max({speed, std::abs(v[0]), std::abs(v[1])});
        off = std::max({off, std::abs(s.velocity[n].x - v[0]), std::abs(s.velocity[n].y - v[1])});
        off_mass = std::max(off_mass, std::abs(s.mass[n] / expected.mass(el, i) - 1));
      }
    CHECK(off < 100 * tolerance * speed);
    CHECK(off_mass < 1e-14);
  }
  seen.cohesive = static_cast<int>(expected.cohesive().size());
  return seen;
}

void went_through_everything(const Coverage& seen) {
  CAPTURE(seen.cohesive, seen.failed, seen.in_contact, seen.unloading, seen.settling);
  CHECK(seen.cohesive >= 20);
  CHECK(seen.failed >= 5);
  CHECK(seen.in_contact >= 20);
  CHECK(seen.unloading >= 20);
  CHECK(seen.settling >= 20);
}

Simulation serial_busy_plate(const Model& m) {
  const double t0 = 8e-6;
  return Simulation(
      m, {[](double t) { return -4 * t; }, [t0](double t) { return t < 0 ? 6 * t : 6 * t0 * (1 - std::exp(-t / t0)); }},
      {[](double t) { return 5e6 * std::max(0.0, 1 - t / 2e-5); }});
}

}  // namespace

TEST_CASE("the serial simulation balances its energy", "[reference]") {
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  Model m = busy_plate(type);
  m.cohesive->law = GENERATE(std::string("ppr"), std::string("linear"), std::string("exponential"));
  m.cohesive->parameters.values = {0.01};  // of `exponential`
  CAPTURE(m.cohesive->law);
  Simulation serial = serial_busy_plate(m);
  const auto stored = [](const Simulation::Energies& e) { return e.kinetic - e.correction + e.strain; };
  auto e = serial.energies();
  const double start = stored(e);
  double scale = start, lost = 0;
  for (int step = 0; step < 300; ++step) {
    serial.take_step();
    e = serial.energies();
    scale = std::max({scale, e.kinetic + e.strain, std::abs(e.external), std::abs(e.reaction)});
    INFO("step " << step);
    // The work of cohesive forces is what they hold and what the laws dissipate; both sides round once a Gauss point.
    CHECK(std::abs(e.cohesive - e.recoverable - e.dissipated) < 1e-13 * scale);
    CHECK(std::abs(stored(e) + e.cohesive - start - e.external - e.reaction) < 1e-12 * scale);
    CHECK(e.dissipated >= lost);
    lost = e.dissipated;
  }
  CHECK(lost > 0.01 * scale);
}

TEST_CASE("a free plate that flies apart is the one of the serial simulation", "[reference]") {
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  const PlaneType plane = GENERATE(PlaneType::stress, PlaneType::strain);
  Model m = model_of(plate_mesh(type), plane);
  m.assembly = GENERATE(Assembly::gather, Assembly::coloured, Assembly::atomic);
  m.cohesive = brittle();
  m.cohesive->law = GENERATE(std::string("ppr"), std::string("linear"), std::string("exponential"));
  m.cohesive->parameters.values = {0.01};  // of `exponential`
  CAPTURE(m.cohesive->law);
  m.cohesive->insertion.aggregate = plane == PlaneType::stress ? Aggregate::max : Aggregate::mean;
  m.cohesive->insertion.criterion =
      (plane == PlaneType::stress) == (type == ElementType::t3) ? Criterion::max : Criterion::ellipse;
  add_velocity(m, {0, 0}, {1200, 200, 100, 700}, {8e-3, 4e-3});
  Simulation serial(m);
  went_through_everything(compare(m, serial, 300, 20, 1e-10));
}

TEST_CASE("a plate of three materials that flies apart is the one of the serial simulation", "[reference][materials]") {
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  Model m = model_of(plate_mesh(type));
  add_material(m, 50, 10);  // inside of rows of quads: nodes have elements of two or three of them
  add_material(m, 77, 4);
  m.assembly = GENERATE(Assembly::gather, Assembly::coloured, Assembly::atomic);
  m.cohesive = brittle();
  m.cohesive->law = GENERATE(std::string("ppr"), std::string("linear"));
  m.cohesive->insertion.aggregate = GENERATE(Aggregate::mean, Aggregate::max);
  CAPTURE(m.cohesive->law);
  add_velocity(m, {0, 0}, {600, 100, 50, 350}, {8e-3, 4e-3});
  Simulation serial(m);
  went_through_everything(compare(m, serial, 300, 20, 1e-10));
}

TEST_CASE("a notched plate under motion, pressure and contact is the one of the serial simulation", "[reference]") {
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  Model m = busy_plate(type);
  m.cohesive->law = GENERATE(std::string("ppr"), std::string("linear"), std::string("exponential"));
  m.cohesive->parameters.values = {0.01};  // of `exponential`
  // The default, a given stiffness, and a step that leaves cohesive stiffness little room.
  const int stiffness = GENERATE(0, 1, 2);
  if (stiffness == 1) m.cohesive->stiffness_safety = 0.1;
  if (stiffness == 2) m.step = 0.85 * m.critical_step;
  CAPTURE(m.cohesive->law, stiffness);
  m.assembly = GENERATE(Assembly::gather, Assembly::coloured, Assembly::atomic);
  Simulation serial = serial_busy_plate(m);
  went_through_everything(compare(m, serial, 300, 25, 1e-10));
}

TEST_CASE("only facets inside the box break", "[reference]") {
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  Model m = model_of(plate_mesh(type));
  m.cohesive = brittle();
  m.cohesive->insertion.box = std::array<double, 4>{3e-3, 2e-3, 9e-3, 6.5e-3};
  m.assembly = Assembly::atomic;
  m.cohesive->insertion.numbering = CopyNumbering::counter;
  add_velocity(m, {0, 0}, {1200, 200, 100, 700}, {8e-3, 4e-3});
  Simulation serial(m);
  CHECK(compare(m, serial, 200, 20, 1e-10).cohesive >= 5);
}

}  // namespace cleave::test
