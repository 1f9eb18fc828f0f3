/// Contact of a body's surface with itself: fragments, blocks on either side of a seam that fails, cracks.
#include <array>
#include <cmath>
#include <vector>

#include "backend/contact_runs.hpp"

namespace cleave::test {
namespace {

/// Makes bodies that turn of the same material.
void make_finite(Model& m) {
  m.materials.front().law = "st_venant_kirchhoff";
  m.kinematics = Kinematics::finite;
}

/// A block that breaks in a box of held sides and rattles there.
Model rattling(ElementType type, bool finite) {
  Model m = model_of(plate_mesh(type, {8, 4}));
  m.precision = GENERATE(Precision::double_precision, Precision::single_precision);
  m.cohesive = brittle(5);
  m.sides_touch = true;
  m.contact.friction = 0.3;
  if (finite) make_finite(m);
  add_velocity(m, {0, 0}, {2500, 0, 0, -1000}, {8e-3, 4e-3});
  for (const char* side : {"left", "right"}) prescribe(m, side, 1, 0);
  for (const char* side : {"bottom", "top"}) prescribe(m, side, 2, 0);
  return m;
}

/// Mass, momentum and place of the upper one of two blocks.
struct Block {
  double mass = 0;
  Point momentum, moved;

  explicit Block(const Snapshot& s) {
    const int nodes = nodes_per_element(s.type);
    std::vector<char> seen(s.mass.size(), 0);
    for (std::size_t e = 0; e < s.fragment.size(); ++e) {
      double centre = 0;
      for (int i = 0; i < 3; ++i) centre += s.position[s.elements[e * nodes + i]].y / 3;
      if (centre < TwoBlocks::seam_height) continue;
      for (int i = 0; i < nodes; ++i) {
        const Index n = s.elements[e * nodes + i];
        if (seen[n]++) continue;
        mass += s.mass[n];
        momentum = {momentum.x + s.mass[n] * s.velocity[n].x, momentum.y + s.mass[n] * s.velocity[n].y};
        moved = {moved.x + s.mass[n] * s.displacement[n].x, moved.y + s.mass[n] * s.displacement[n].y};
      }
    }
    moved = {moved.x / mass, moved.y / mass};
  }
};

/// A block that slides on a base, pressed on it by its weight.
Model sliding(ElementType type, bool finite, double speed, double weight) {
  Model m = TwoBlocks::make(type, "ppr", 0.5);
  if (finite) make_finite(m);
  m.sides_touch = true;
  m.body_acceleration = {0, -weight};
  prescribe(m, "bottom", 3, 0);
  for (std::size_t n = 0; n < m.velocity.size(); ++n)
    if (m.mesh.nodes[n].y > TwoBlocks::seam_height + 1e-9) m.velocity[n].x = speed;
  return m;
}

/// Two blocks, pressed together and sheared until the seam between them has failed.
Model sheared(ElementType type, bool finite, double pressure) {
  Model m = TwoBlocks::make(type, "ppr", 0.5);
  if (finite) make_finite(m);
  m.sides_touch = true;
  m.cohesive->parameters.normal = m.cohesive->parameters.tangential = {1e6, 5, 2};
  const double nu = m.materials.front().parameters.poisson_ratio;
  const double modulus = m.materials.front().parameters.young_modulus * (1 - nu) / ((1 + nu) * (1 - 2 * nu));
  for (std::size_t n = 0; n < m.displacement.size(); ++n)
    m.displacement[n] = {0, -pressure / modulus * (m.mesh.nodes[n].y - TwoBlocks::seam_height)};
  TwoBlocks::press(m, pressure, {});
  TwoBlocks::set_apart(m, {3, 0});
  m.motions = {{3, {}}, {-3, {}}};
  for (std::size_t n = 0; n < m.motion_x.size(); ++n) {
    const double y = m.mesh.nodes[n].y - TwoBlocks::seam_height;
    if (std::abs(y) > 1e-9) m.motion_x[n] = y > 0 ? 1 : 2;
  }
  return m;
}

}  // namespace

TEST_CASE("pieces that rattle run alike on threads and from a checkpoint", "[contact][solver][body_contact]") {
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  const HistoryRow row = check_contact_runs(rattling(type, GENERATE(false, true)), 500);
  CHECK(row.fragments > 5);
  CHECK(row.contact_friction_energy > 0);
}

TEST_CASE("a block that has slid off its base falls freely", "[contact][solver][body_contact]") {
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  const bool finite = GENERATE(false, true);
  const double weight = 1e4;
  Model m = sliding(type, finite, 20, weight);
  m.contact.friction = 0.1;
  CAPTURE(finite);
  const auto solver = make_solver(m, 1);
  const auto slide_to = [&](double way) {
    while (Block(solver->snapshot()).moved.x < way) {
      solver->advance(50);
      REQUIRE(std::abs(solver->history().balance_error) < 1e-12);
      REQUIRE(solver->step() < 100'000);
    }
    return Block(solver->snapshot());
  };
  const Block off = slide_to(1.02 * TwoBlocks::width);
  const double time = solver->history().time;
  solver->advance(2000);
  const Block later(solver->snapshot());
  CHECK(solver->history().fragments == 2);
  CHECK(solver->history().contact_friction_energy > 0);
  CHECK(solver->history().contact_points == 0);
  CHECK(later.momentum.y - off.momentum.y ==
        Approx(-off.mass * weight * (solver->history().time - time)).epsilon(1e-9));
  CHECK(later.momentum.x == Approx(off.momentum.x).epsilon(1e-9));
}

TEST_CASE("where faces of a failed seam rub, one friction acts", "[contact][solver][body_contact]") {
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  const bool finite = GENERATE(false, true);
  const double friction = 0.3;
  Model m = sliding(type, finite, 4, 1e4);
  m.cohesive->friction = GENERATE(0.0, 0.3);
  m.contact.friction = friction;
  CAPTURE(finite, m.cohesive->friction);
  const auto solver = make_solver(m, 1);
  solver->advance(400);
  REQUIRE(solver->history().failed_elements == 4);
  const Block first(solver->snapshot());
  const double begin = solver->history().time;
  solver->advance(4000);
  const Block last(solver->snapshot());
  REQUIRE(last.momentum.x > 0.5 * first.momentum.x);
  const double normal =
      last.momentum.y - first.momentum.y - last.mass * m.body_acceleration[1] * (solver->history().time - begin);
  // The block bounces, and a point rubs from its second step of contact on.
  CHECK(first.momentum.x - last.momentum.x == Approx(friction * normal).epsilon(0.15));
}

TEST_CASE("a failed seam hands its pressure over without a jump of force and energy", "[contact][body_contact]") {
  const bool finite = GENERATE(false, true);
  Model m = sheared(ElementType::t3, finite, 1e5);
  m.cohesive->friction = m.contact.friction = GENERATE(0.0, 0.3);
  CAPTURE(finite, m.contact.friction);
  const auto touching = make_solver(m, 1);
  m.sides_touch = false;
  const auto cohesive = make_solver(m, 1);
  // Alike until the first hand-over, whose forces make the first difference.
  while (touching->history().contact_points == 0 && touching->step() < 2000) {
    touching->advance(1);
    cohesive->advance(1);
  }
  const Snapshot before = cohesive->snapshot(), after = touching->snapshot();
  REQUIRE(reference::same_bits(before.displacement, after.displacement));
  double force = 0;
  for (const auto& c : before.cohesive) force -= c.failed ? c.length * m.thickness * c.traction_normal : 0;
  REQUIRE(force > 0.1 * 1e5 * TwoBlocks::width * m.thickness);
  int checked = 0;
  for (std::size_t n = 0; n < before.mass.size(); ++n) {
    const Point p = before.position[n];
    if (std::abs(p.y - TwoBlocks::seam_height) > 1e-9) continue;
    ++checked;
    const double jump =
        2 / m.step * before.mass[n] *
        std::hypot(after.velocity[n].x - before.velocity[n].x, after.velocity[n].y - before.velocity[n].y);
    CHECK(jump < 0.03 * force);
  }
  CHECK(checked == 10);
  const HistoryRow held = cohesive->history(), now = touching->history();
  const double handed = now.recoverable_energy - held.recoverable_energy;
  CHECK(now.contact_energy == Approx(-handed).epsilon(0.1));
  CHECK(std::abs(now.balance_error) < 1e-12);
}

TEST_CASE("a frame shows the pressure between the faces of a failed seam", "[contact][solver][body_contact]") {
  const double pressure = 1e5;
  const Model m = sheared(GENERATE(ElementType::t3, ElementType::t6), GENERATE(false, true), pressure);
  const auto solver = make_solver(m, 1);
  while (solver->history().failed_elements < 4 && solver->step() < 4000) solver->advance(20);
  const double force = pressure * TwoBlocks::width * m.thickness;
  solver->advance(20);
  constexpr int steps = 100;
  double sum = 0;  // of the force less the load, by the trapezoidal rule
  const Point before = Block(solver->snapshot()).momentum;
  for (int step = 0; step <= steps; ++step) {
    if (step > 0) solver->advance(1);
    const Snapshot s = solver->snapshot();
    const auto is_upper = [&](Index e) {
      const Index* node = &s.elements[static_cast<std::size_t>(e) * nodes_per_element(s.type)];
      return s.position[node[0]].y + s.position[node[1]].y + s.position[node[2]].y > 3 * TwoBlocks::seam_height;
    };
    const Point upper = shown_force(s, m.thickness, is_upper),
                lower = shown_force(s, m.thickness, [&](Index e) { return !is_upper(e); });
    sum += (step % steps == 0 ? 0.5 : 1) * (upper.y - force);
    REQUIRE(std::hypot(upper.x + lower.x, upper.y + lower.y) < 1e-12 * force);
    const double deepest = *std::max_element(s.contact_depth.begin(), s.contact_depth.end());
    REQUIRE((deepest > 0) == (solver->history().contact_points > 0));
    for (const Snapshot::Touch& touch : s.touches) REQUIRE(is_upper(touch.element) != is_upper(touch.other));
    REQUIRE(s.touches.empty() == (solver->history().contact_points == 0));
  }
  const Point after = Block(solver->snapshot()).momentum;
  CHECK(after.y - before.y == Approx(m.step * sum).margin(1e-9 * m.step * steps * force));
}

TEST_CASE("cracks that a pressure opens move alike with contact and without", "[contact][solver][body_contact]") {
  const ElementType type = GENERATE(ElementType::t3, ElementType::t6);
  const bool finite = GENERATE(false, true);
  Model m = TwoBlocks::make(type, "ppr", 0.5);
  if (finite) make_finite(m);
  m.loads.push_back({.pressure = 1e5, .curve = {}, .facets = m.mesh.find_group("left")->facets, .in_cracks = true});
  TwoBlocks::set_apart(m, {0, 1});
  std::vector<Snapshot> ends;
  for (const bool contact : {false, true}) {
    m.sides_touch = contact;
    const auto solver = make_solver(m, 1);
    solver->advance(500);
    CHECK(solver->history().failed_elements == 4);
    CHECK(solver->history().external_work > 0);
    ends.push_back(solver->snapshot());
  }
  CHECK(ends[0].contact_traction.empty());
  for (const Point& t : ends[1].contact_traction) REQUIRE(std::hypot(t.x, t.y) == 0);
  ends[1].contact_traction = {};
  ends[1].contact_depth = {};
  CHECK(reference::same_bits(ends[0], ends[1]));
}

}  // namespace cleave::test
