/// A block that breaks in a box of rigid walls and rattles there for 50 transits of a wave, turning pieces included.
#include <algorithm>
#include <cmath>

#include "reference/overlap_area.hpp"
#include "support.hpp"

namespace cleave::verification {
namespace {

constexpr double width = 16e-3, height = 8e-3;

Obstacle wall(const char* name, Point place, Point normal) {
  Obstacle o;
  o.name = name;
  o.place = place;
  o.normal = normal;
  return o;
}

/// The block of long_energy_test.cpp, of a material that turns, between walls that its sides touch. Faces sink in by
/// the pressure over the stiffness of contact, which the step limits: at half the critical step the largest overlap is
/// 1e-3 of the area, at a tenth, with a penalty of 100, 1.2e-4.
Model block(std::uint64_t seed) {
  Mesh mesh = rectangle(ElementType::t3, {16, 8}, {width, height});
  perturb(mesh, 0.2, seed);
  const ElasticParameters elastic{3.24e9, 0.35, 1190, PlaneType::strain};
  Model m = make_model(mesh, MaterialCase{.law = "st_venant_kirchhoff", .parameters = elastic}, 0.05, 1e-3);
  CohesiveCase c;
  c.law = "ppr";
  c.parameters.normal = {10e6, 8, 2};
  c.parameters.tangential = {12e6, 11, 2};
  c.insertion.every = 5;
  m.cohesive = c;
  m.sides_touch = true;
  m.cohesive->contact_penalty = m.contact.penalty = 200;
  m.obstacles = {wall("left", {0, 0}, {1, 0}), wall("right", {width, 0}, {-1, 0}), wall("bottom", {0, 0}, {0, 1}),
                 wall("top", {0, height}, {0, -1})};
  set_velocity(m, [&](Point p) { return Point{2500 * (p.x - width / 2), -1000 * (p.y - height / 2)}; });
  return m;
}

/// How far the middle of any element is outside the box, m.
double farthest_out(const Snapshot& s) {
  const auto nodes = static_cast<std::size_t>(nodes_per_element(s.type));
  double farthest = 0;
  for (std::size_t e = 0; e < s.fragment.size(); ++e) {
    Point middle;
    for (std::size_t i = 0; i < 3; ++i) {
      const auto n = static_cast<std::size_t>(s.elements[nodes * e + i]);
      middle.x += (s.position[n].x + s.displacement[n].x) / 3;
      middle.y += (s.position[n].y + s.displacement[n].y) / 3;
    }
    farthest = std::max({farthest, -middle.x, middle.x - width, -middle.y, middle.y - height});
  }
  return farthest;
}

}  // namespace

TEST_CASE("a block rattles in pieces in a box of walls for 50 wave transits", "[long][contact]") {
  CLEAVE_ON_EVERY_DEVICE();
  const std::uint64_t seed = GENERATE(5, 6, 7);
  CAPTURE(seed);
  const Model m = block(seed);
  const auto solver = make_solver(m, backend, 2);
  const double transit = width / longitudinal_speed(m.materials.front().parameters);
  HistoryRow row = solver->history();
  const double start = row.kinetic_energy - row.kinetic_correction + row.strain_energy;
  double outside = 0, overlap = 0, identity = 0, growth = 0;
  for (int frame = 1; frame <= 5000; ++frame) {
    advance_to(*solver, m, 0.01 * frame * transit);
    row = solver->history();
    const Snapshot s = solver->snapshot();
    outside = std::max(outside, farthest_out(s));
    overlap = std::max(overlap, reference::overlap_area(s) / (width * height));
    identity = std::max(identity, std::abs(row.balance_error));
    growth = std::max(growth, (row.kinetic_energy - row.kinetic_correction + row.strain_energy +
                               row.recoverable_energy + row.contact_energy) /
                                      start -
                                  1);
  }
  CHECK(row.fragments > 5);
  CHECK(outside == 0);
  CHECK(overlap < 1e-4);
  CHECK(identity < 1e-11);
  CHECK(growth < 1e-3);
  const std::string of = std::string("mesh ") + std::to_string(seed - 4) + ": ";
  const char* claim = "50 wave transits in a box of walls";
  record(claim, of + "fragments", row.fragments, row.fragments, "", "");
  record(claim, of + "largest overlap over the area", 0, overlap, "-", "1e-4");
  record(claim, of + "identity", 0, identity, "of the largest energy", "1e-11");
  record(claim, of + "growth of mechanical energy", 0, growth, "of the initial energy", "1e-3");
  record(claim, of + "dissipated", row.dissipated_energy / start, row.dissipated_energy / start,
         "of the initial energy", "");
}

}  // namespace cleave::verification
