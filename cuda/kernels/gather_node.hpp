/// One step of one node in the gather assembly.
///
/// Between the steps that somebody looks at, a node stores u(n+1) and v(n+1/2): the velocity update of a step and the
/// displacement update of the next are one. A `finish` step stores u(n), v(n), a(n) and the forces instead, and v(n+1/2)
/// aside, so that it makes no difference to the motion who looks when.
#pragma once

#include "kernels/node_update.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// What the outside does at one step, in solver memory, so that a recorded launch finds new values at its next replay:
/// velocities (m/s) of all prescribed motions, entry 0 unused, then their accelerations (m/s^2), then a factor (N/m) per
/// load, which multiplies the load's nodal forces for a line pressure of 1 N/m.
struct StepInput {
  const Real* values;
  int motions;             ///< entries of the velocities, and of the accelerations
  int loads;
  const Vec2* load_force;  ///< [load][load_stride], N
  Index load_stride;

  static constexpr int width(int motions, int loads) { return 2 * motions + loads; }
  CLEAVE_HD Real velocity(int m) const { return values[m]; }
  CLEAVE_HD Real acceleration(int m) const { return values[motions + m]; }
  CLEAVE_HD Vec2 load(Index n) const {
    Vec2 f{};
    for (int l = 0; l < loads; ++l)
      f += values[2 * motions + l] * load_force[static_cast<std::size_t>(l) * load_stride + n];
    return f;
  }
};

/// What a node needs besides its state.
enum NodeFlag : std::uint8_t { constrained_node = 1, loaded_node = 2 };

/// Works of a node in one step, J.
struct NodeWork {
  double internal = 0;  ///< of internal and cohesive forces together
  double external = 0;
  double reaction = 0;

  CLEAVE_HD NodeWork& operator+=(const NodeWork& other) {
    internal += other.internal;
    external += other.external;
    reaction += other.reaction;
    return *this;
  }
};

/// What a step reads of a node, fetched before the forces are there.
struct FetchedNode {
  Vec2 displacement, velocity;
  Real inverse_mass = 0;
  std::uint8_t flag = 0;
  Vec2 dropped;
};

template <bool Finish>
struct NodeStep {
  NodeTable nodes;
  const Real* inverse_mass;    ///< [node], 1/kg
  const std::uint8_t* flags;   ///< [node] NodeFlag
  StepInput input;
  Real dt;                     ///< s
  Vec2* half_velocity;         ///< [node] v(n+1/2) of a finish step, m/s
  bool start = false;          ///< a finish step at t = 0: the velocity is v(0), not v(-1/2)

  CLEAVE_HD FetchedNode fetch(Index n) const {
    return {nodes.displacement[n], nodes.velocity[n], inverse_mass[n], flags[n], nodes.dropped_at(n)};
  }

  /// @param f  internal and cohesive force, N
  CLEAVE_HD NodeWork operator()(Index n, const FetchedNode& node, Vec2 f) const {
    const Vec2 v = node.velocity;  // v(n-1/2), or v(0) at the start
    const std::uint8_t flag = node.flag;
    Vec2 f_ext{};
    if (flag & loaded_node) f_ext = input.load(n);
    Vec2 a = node.inverse_mass * (f_ext - f);
    const Real kick = start ? Real(0.5) * dt : dt;
    Vec2 half{std::fma(kick, a.x, v.x), std::fma(kick, a.y, v.y)};  // v(n+1/2)
    Vec2 now = start ? v : v + Real(0.5) * dt * a;                   // v(n), for a finish step
    Vec2 reaction{};
    if (flag & constrained_node) {
      prescribe(nodes.motion_x[n], a.x, now.x, half.x);
      prescribe(nodes.motion_y[n], a.y, now.y, half.y);
      const Vec2 r = nodes.mass[n] * a - (f_ext - f);
      reaction = {nodes.motion_x[n] != 0 ? r.x : Real(0), nodes.motion_y[n] != 0 ? r.y : Real(0)};
    }
    // Half of u(n) - u(n-1), and unless this step finishes also half of u(n+1) - u(n): the displacement update that
    // follows a finished step adds the other half itself.
    Vec2 du = start ? Vec2{} : Real(0.5) * dt * v;
    if constexpr (Finish) {
      nodes.velocity[n] = now;
      half_velocity[n] = half;
      nodes.acceleration[n] = a;
      nodes.internal_force[n] = f;
      nodes.cohesive_force[n] = Vec2{};
      nodes.external_force[n] = f_ext;
    } else {
      nodes.velocity[n] = half;
      const Vec2 step = dt * half;
      nodes.move(n, node.displacement, node.dropped, step);
      du += Real(0.5) * step;
    }
    NodeWork work{dot(f, du), 0, 0};
    if (flag != 0) {
      work.external = dot(f_ext, du);
      work.reaction = dot(reaction, du);
    }
    return work;
  }

  CLEAVE_HD void prescribe(int m, Real& a, Real& now, Real& half) const {
    if (m == 0) return;
    a = input.acceleration(m);
    now = input.velocity(m);
    half = now + Real(0.5) * dt * a;
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
