/// A wide plate with a round hole that is pulled: the stresses at the hole are those of G. Kirsch (1898).
#include <cmath>
#include <numbers>

#include "statics.hpp"
#include "support.hpp"

namespace cleave::verification {
namespace {

constexpr double radius = 0.01, pull = 1e6;  // m; Pa, along x

/// Of the infinite plate, about the middle of the hole.
Point displacement_at(Point p) {
  const double g = steel.young_modulus / (2 * (1 + steel.poisson_ratio));
  const double kappa = 3 - 4 * steel.poisson_ratio;  // plane strain
  const double r = std::hypot(p.x, p.y) / radius, angle = std::atan2(p.y, p.x), unit = pull * radius / (4 * g);
  const double c2 = std::cos(2 * angle), s2 = std::sin(2 * angle);
  const double outwards = unit * (r * ((kappa - 1) / 2 + c2) + (1 + (kappa + 1) * c2) / r - c2 / (r * r * r));
  const double around = unit * (-r + (1 - kappa) / r - 1 / (r * r * r)) * s2;
  return {outwards * std::cos(angle) - around * std::sin(angle), outwards * std::sin(angle) + around * std::cos(angle)};
}

StressTensor stress_at(const Snapshot& s, Point p) {
  for (std::size_t n = 0; n < s.position.size(); ++n)
    if (std::hypot(s.position[n].x - p.x, s.position[n].y - p.y) < 1e-6 * radius) return s.nodal_stress[n];
  FAIL("no node there");
  return {};
}

/// Largest error of the three stresses at the hole that have simple values, over the pull.
double error_of(double cell_size, const std::string& backend) {
  const Mesh mesh =
      plate_with_hole(ElementType::t6, cell_size, {8 * radius, 8 * radius}, radius, {0, 0}, std::array{0.0, 0.0});
  Model m = make_model(mesh, steel, 0.5);
  set_displacement(m, displacement_at);
  const int held = add_motion(m, 0);
  for (const char* side : {"left", "right", "bottom", "top"}) {
    move_x(m, side, held);
    move_y(m, side, held);
  }
  m.displacement = equilibrium(m);
  const Snapshot s = make_solver(m, backend)->snapshot();
  const double above = stress_at(s, {0, radius}).xx / pull, beside = stress_at(s, {radius, 0}).yy / pull;
  const double diagonal = radius / std::numbers::sqrt2;  // along the hole: the pull times 1 - 2 cos 2 x 45 degrees
  const StressTensor between = stress_at(s, {diagonal, diagonal});
  const double along = (between.xx + between.yy) / pull;  // nothing acts across the hole's edge
  if (cell_size < 0.15 * radius) {
    record("Plate with a hole", "stress above the hole over the pull", 3, above, "", "0.5 %");
    record("Plate with a hole", "stress beside the hole over the pull", -1, beside, "", "0.5 %");
  }
  return std::max({std::abs(above - 3) / 3, std::abs(beside + 1), std::abs(along - 1)});
}

}  // namespace

TEST_CASE("a plate with a hole has the stresses of G. Kirsch (1898) at it", "[statics]") {
  CLEAVE_ON_EVERY_BACKEND();
  const double coarse = error_of(0.2 * radius, backend), fine = error_of(0.1 * radius, backend);
  CAPTURE(coarse, fine);
  CHECK(fine < 0.005);
  CHECK(fine < coarse / 2);
}

}  // namespace cleave::verification
