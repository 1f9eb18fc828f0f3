/// Rigid obstacles: half planes and discs, at rest, driven or free. Every contact point of the surface looks at every
/// obstacle: there are few.
///
/// A disc acts at the place of the contact point, so that forces have no resultant moment. Free obstacles move by the
/// same leapfrog as nodes, and their energy and works enter the identity of the body.
#pragma once

#include "body/sums.hpp"
#include "terms/contact/point_account.hpp"
#include "terms/contact/surface.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Constants of an obstacle. In double, as those of its state.
struct ObstacleShape {
  double normal[2];  ///< of a plane, out of it
  double radius;     ///< of a disc, m; 0: a plane
  double mass;       ///< kg; 0: forces do not move it
  double inertia;    ///< kg m^2; 0: forces do not turn it
  Index motion[2];   ///< of its directions in StepInput, 0: none
  Real friction;     ///< Coulomb's coefficient

  CLEAVE_HD bool is_disc() const { return radius > 0; }
};

/// State of an obstacle: components x, y and angle.
struct ObstacleState {
  double place[3]{};     ///< m, m, rad: from the centre of positions
  double velocity[3]{};  ///< in the middle of the last step, m/s, rad/s
  double moved[3]{};     ///< in the last step, m, rad
  double force[3]{};     ///< of the body on it in the last step, N, N m
  double weight[2]{};    ///< of the body force, N
};

using ObstacleSums =
    QuantityList<Quantity::kinetic_energy, Quantity::kinetic_correction, Quantity::external_work, Quantity::body_work>;

enum class PointPhase : std::uint8_t { free, settling, touching };

/// How a place lies to an obstacle, and how it moves along it.
struct ObstacleView {
  Real depth;     ///< m
  Vec2 normal;    ///< out of the obstacle
  Real lever;     ///< moment about the centre of a unit force along the tangent, m
  Real parting;   ///< in the last step along the normal, m
  Real slip;      ///< likewise along the tangent, m
  Vec2 relative;  ///< motion of the place less that of the centre, m
  Real turned;    ///< in the last step, rad

  CLEAVE_HD Vec2 tangent() const { return {-normal.y, normal.x}; }
};
/// A place as an obstacle sees it, m: in double, as its state.
struct SeenPlace {
  double x, y;

  CLEAVE_HD SeenPlace(const ObstacleState& state, Vec2 reference, Vec2 displacement)
      : x(double(reference.x) + displacement.x - state.place[0]),
        y(double(reference.y) + displacement.y - state.place[1]) {}
  CLEAVE_HD double depth_below_plane(const ObstacleShape& shape) const {
    return -(x * shape.normal[0] + y * shape.normal[1]);
  }
  CLEAVE_HD bool is_outside(const ObstacleShape& shape) const {
    return shape.is_disc() ? x * x + y * y > shape.radius * shape.radius : depth_below_plane(shape) < 0;
  }
};
/// @param moved  motion of the place in the last step, m
CLEAVE_HD inline ObstacleView look_at(const ObstacleShape& shape, const ObstacleState& state, SeenPlace place,
                                      Vec2 moved) {
  const double x = place.x, y = place.y;
  ObstacleView at;
  double nx = shape.normal[0], ny = shape.normal[1], depth = place.depth_below_plane(shape);
  at.lever = 0;
  if (shape.is_disc()) {
    const double distance = std::sqrt(x * x + y * y);
    depth = shape.radius - distance;
    nx = x / distance;
    ny = y / distance;
    at.lever = static_cast<Real>(distance);
  }
  at.depth = static_cast<Real>(depth);
  at.normal = {static_cast<Real>(nx), static_cast<Real>(ny)};
  at.relative = moved - Vec2{static_cast<Real>(state.moved[0]), static_cast<Real>(state.moved[1])};
  at.turned = static_cast<Real>(state.moved[2]);
  at.parting = dot(at.normal, at.relative);
  at.slip = dot(at.tangent(), at.relative) - at.lever * at.turned;
  return at;
}

/// Arrays by contact point and obstacle.
struct ObstaclePoints {
  Index obstacles = 0;
  PointState* state = nullptr;  ///< [point][obstacle]
  PointPhase* phase = nullptr;
  Vec2* force = nullptr;   ///< on the point in the last step, N
  Real* moment = nullptr;  ///< of this force about the centre of the obstacle, N m

  CLEAVE_HD std::size_t at(Index point, Index obstacle) const {
    return static_cast<std::size_t>(point) * obstacles + obstacle;
  }
};

/// Sums of forces over points: components x, y and moment.
struct ForceSum {
  static constexpr int count = 3;
  double value[count];
};

}  // namespace cleave::inline CLEAVE_PRECISION
