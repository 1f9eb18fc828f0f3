/// Kernels of obstacles: a step of contact points, the sums of their forces, and the motion of obstacles.
#pragma once

#include "body/by_material.hpp"
#include "body/step_input.hpp"
#include "cleave/core/fault.hpp"
#include "cleave/mesh/altitude.hpp"
#include "terms/contact/obstacles.hpp"
#include "terms/contact/surface.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Moves the contact points through a step, all obstacles one after the other.
template <class Element>
struct ObstaclePointStep {
  static constexpr KernelTraits traits{.name = "points on obstacles", .most_blocks = 4096, .has_in_use = true};
  Surface<Element> surface;
  Index capacity;  ///< of sides
  const ObstacleShape* shapes;
  const ObstacleState* states;
  ObstaclePoints points;
  ByMaterial<Real> modulus;        ///< penalty times E, Pa
  Real cap_factor;                 ///< see Surface::stiffness_cap
  Real thickness;                  ///< m
  Real dt;                         ///< 0 at the start, s
  int number;                      ///< see LaunchedStep
  const Index* insertion_pending;  ///< see BlockStep
  Vec2* point_force;               ///< [point], N
  SumRows<PointSums> works;        ///< [point] until now
  FaultRecord* fault;

  CLEAVE_HD Index size() const { return points_of_side * capacity; }
  CLEAVE_HD Index in_use() const { return points_of_side * surface.sides(); }
  CLEAVE_HD void operator()(Index p) const {
    if (*insertion_pending != 0) return;
    const Index side = p / points_of_side;
    const int point = static_cast<int>(p % points_of_side);
    const Index element = element_of(surface.facet(side));
    if (!surface.touches(side)) return;
    const auto nodes = surface.nodes_of(side, point);
    const Vec2 reference = surface.mean(nodes, surface.position),
               displacement = surface.mean(nodes, surface.displacement);
    Vec2 sum{};
    bool engaged = false;
    int touched = 0;
    for (Index o = 0; o < points.obstacles; ++o) {
      const std::size_t i = points.at(p, o);
      const SeenPlace place(states[o], reference, displacement);
      if (points.phase[i] == PointPhase::free && place.is_outside(shapes[o])) continue;
      const ObstacleView view = look_at(shapes[o], states[o], place, dt * surface.mean(nodes, surface.velocity));
      engaged = true;
      sum += step(p, i, o, side, point, element, nodes, view);
      if (view.depth >= 0) ++touched;
    }
    point_force[p] = sum;
    if (engaged) works.at(p, Quantity::contact_points) = touched;
  }

 private:
  /// Returns the force on the point.
  CLEAVE_HD_SELDOM Vec2 step(Index p, std::size_t i, Index o, Index side, int point, Index element,
                             const typename Surface<Element>::PointNodes& nodes, const ObstacleView& view) const {
    const Vec2 force_before = points.force[i];
    PointState state = points.state[i];
    PointMotion motion;
    motion.depth = view.depth;
    motion.parting = view.parting;
    motion.taken = -0.5 * (dot(force_before, view.relative) - points.moment[i] * view.turned);
    motion.touching = view.depth >= 0;
    const Real length = surface.length(side);
    motion.settling = !motion.touching && -view.depth < settling_range * length;
    const bool touched_before = points.phase[i] == PointPhase::touching;
    if (motion.touching) {
      const Real stiffness = largest_stiffness(element, nodes, point, length);
      if (touched_before)
        soften_contact(state, stiffness);
      else
        begin_contact(state, stiffness, motion);
      if (touched_before) motion.slip = view.slip;
      check_depth(element, view.depth);
    } else {
      motion.slip = view.slip;
    }
    const PointForces now = step_point_state(state, motion, shapes[o].friction);
    const Vec2 force = now.normal * view.normal - now.friction * view.tangent();
    points.state[i] = state;
    points.force[i] = force;
    points.moment[i] = -now.friction * view.lever;
    points.phase[i] = motion.touching   ? PointPhase::touching
                      : motion.settling ? PointPhase::settling
                                        : PointPhase::free;
    works.at(p, Quantity::contact_energy) += now.booked - now.dissipated;
    works.at(p, Quantity::contact_friction_energy) += now.dissipated;
    return force;
  }
  /// K of a point, N/m: by the material, as far as the step allows at its nodes.
  CLEAVE_HD Real largest_stiffness(Index element, const typename Surface<Element>::PointNodes& nodes, int point,
                                   Real length) const {
    Real per_area = modulus.of(element) / length;
    for (int n = 0; n < nodes.count; ++n)
      per_area = smaller(per_area, surface.stiffness_cap(nodes.node[n], cap_factor, thickness));
    return per_area * point_weight(point) * length * thickness;
  }
  CLEAVE_HD void check_depth(Index e, Real depth) const {
    const double altitude =
        least_altitude(surface.position[surface.elements.node(e, 0)], surface.position[surface.elements.node(e, 1)],
                       surface.position[surface.elements.node(e, 2)]);
    if (!(depth <= largest_contact_depth * altitude))
      fault->report(FaultCode::deep_contact, e, surface.live->step() + number);
  }
};

/// Adds up the forces of the body on each obstacle over runs of contact points: a block for each run and obstacle.
struct SumObstacleForces {
  static constexpr KernelTraits traits{.name = "forces on obstacles"};
  static constexpr int workers = 128;
  static constexpr Index points_of_run = 2048;
  struct Shared {
    BlockSum<ForceSum::count, workers> sum;
  };
  Index capacity;  ///< of sides
  Index boundary_sides;
  const LiveCounts* live;
  ObstaclePoints points;
  const Index* insertion_pending;  ///< see BlockStep
  ForceSum* sums;                  ///< [run][obstacle]

  CLEAVE_HD static Index runs_of(Index sides) { return (points_of_side * sides + points_of_run - 1) / points_of_run; }
  CLEAVE_HD Index blocks() const { return runs_of(capacity) * points.obstacles; }

  template <class Worker>
  CLEAVE_HD void operator()(Worker const& worker, Shared& shared) const {
    const Index in_use = points_of_side * (boundary_sides + 2 * live->cohesive);
    const Index obstacle = worker.block % points.obstacles, first = worker.block / points.obstacles * points_of_run;
    if (*insertion_pending != 0 || first >= in_use) return;
    const Index end = first + points_of_run < in_use ? first + points_of_run : in_use;
    ForEachIdx each{worker};
    each([&](Idx i) {
      double x = 0, y = 0, moment = 0;
      for (Index p = first + i; p < end; p += workers) {
        const std::size_t at = points.at(p, obstacle);
        if (points.phase[at] == PointPhase::free) continue;  // then there is no force
        x -= points.force[at].x;
        y -= points.force[at].y;
        moment -= points.moment[at];
      }
      shared.sum.value[0][i] = x;
      shared.sum.value[1][i] = y;
      shared.sum.value[2][i] = moment;
    });
    shared.sum.reduce(worker);
    only_master(worker, [&] {
      for (int c = 0; c < ForceSum::count; ++c) sums[worker.block].value[c] = shared.sum.total(c);
    });
  }
};

/// Books the works of obstacles until now, leaves what a row of history shows of them, and moves them through the next
/// step: a block for each.
struct MoveObstacles {
  static constexpr KernelTraits traits{.name = "obstacles"};
  static constexpr int workers = 128;
  struct Shared {
    BlockSum<ForceSum::count, workers> sum;
  };
  Index obstacles;
  Index boundary_sides;
  const LiveCounts* live;
  const ForceSum* sums;  ///< [run][obstacle]
  const ObstacleShape* shapes;
  ObstacleState* states;
  StepInput input;
  double dt;                       ///< s
  bool start;                      ///< the state at t = 0: velocities are v(0)
  double centre[2];                ///< of positions, m
  const Index* insertion_pending;  ///< see BlockStep
  SumRows<ObstacleSums> works;     ///< [obstacle]
  ObstacleValues* shown;           ///< [obstacle]

  CLEAVE_HD Index blocks() const { return obstacles; }

  template <class Worker>
  CLEAVE_HD void operator()(Worker const& worker, Shared& shared) const {
    const Index o = worker.block;
    if (*insertion_pending != 0) return;
    const Index runs = SumObstacleForces::runs_of(boundary_sides + 2 * live->cohesive);
    ForEachIdx each{worker};
    each([&](Idx i) {
      double sum[ForceSum::count] = {};
      for (Index run = i; run < runs; run += workers)
        for (int c = 0; c < ForceSum::count; ++c) sum[c] += sums[run * obstacles + o].value[c];
      for (int c = 0; c < ForceSum::count; ++c) shared.sum.value[c][i] = sum[c];
    });
    shared.sum.reduce(worker);
    only_master(worker, [&] {
      const double force[3] = {shared.sum.total(0), shared.sum.total(1), shared.sum.total(2)};
      ObstacleState state = states[o];
      advance(o, shapes[o], state, force);
      states[o] = state;
    });
  }

 private:
  CLEAVE_HD void advance(Index o, const ObstacleShape& shape, ObstacleState& state, const double (&force)[3]) const {
    shown[o] = {{0 - force[0], 0 - force[1], state.place[0] + centre[0], state.place[1] + centre[1], state.place[2]}};
    const Vec2 push = input.body_force();
    const double weight[2] = {shape.mass * push.x, shape.mass * push.y};
    double kinetic = 0, correction = 0;
    for (int c = 0; c < 3; ++c) {
      const double inertia = c == 2 ? shape.inertia : shape.mass;
      const double driven = -0.5 * (state.force[c] + force[c]) * state.moved[c];
      double acceleration = 0;
      if (inertia > 0) {
        acceleration = (force[c] + (c < 2 ? weight[c] : 0)) / inertia;
        if (c < 2) works.at(o, Quantity::body_work) += 0.5 * (state.weight[c] + weight[c]) * state.moved[c];
      } else {
        works.at(o, Quantity::external_work) += driven;
      }
      const double kick = start ? 0.5 * dt * acceleration : dt * acceleration;
      const double now = state.velocity[c] + (start ? 0 : 0.5 * kick);
      kinetic += 0.5 * inertia * now * now;
      correction += 0.125 * dt * dt * inertia * acceleration * acceleration;
      state.velocity[c] += kick;
      if (inertia == 0) state.velocity[c] = c < 2 && shape.motion[c] != 0 ? driven_velocity(shape.motion[c]) : 0;
      state.moved[c] = dt * state.velocity[c];
      state.place[c] += state.moved[c];
      state.force[c] = force[c];
      if (c < 2) state.weight[c] = weight[c];
    }
    works.at(o, Quantity::kinetic_energy) = kinetic;
    works.at(o, Quantity::kinetic_correction) = correction;
  }
  /// Velocity of a prescribed motion in the middle of the step that begins here, m/s.
  CLEAVE_HD double driven_velocity(Index motion) const {
    return input.velocity(motion) + 0.5 * dt * input.acceleration(motion);
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
