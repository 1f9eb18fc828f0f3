/// One step of one node in the gather assembly.
///
/// A node stores u(n+1) and v(n+1/2): the velocity update of a step and the displacement update of the next are one.
/// On a state-output step n, it stores u(n), v(n), a(n) and the forces instead, and suspends v(n+1/2) and the increment
/// of the step to n+1, so that output makes no difference to motion or works, to the last bit.
#pragma once

#include <type_traits>

#include "body/gather_table.hpp"
#include "body/node_motion.hpp"
#include "body/step_input.hpp"
#include "cleave/core/solver_values.hpp"
#include "cleave/core/table.hpp"
#include "terms/held_groups/held_groups.hpp"
#include "terms/outside/outside_forces.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Works at a node, J. The internal work is that of all forces of elements together: internal and cohesive forces less
/// loads on facets (see CohesiveEnergy, FacetLoads).
using NodeWorks = QuantityList<Quantity::internal_work, Quantity::reaction_work>;
using Works = QuantityValues<NodeWorks>;
/// Energies of a node, J.
using NodeEnergies = QuantityList<Quantity::kinetic_energy, Quantity::kinetic_correction>;

/// The works of a node in step n, and its energies, J.
struct NodeWork {
  Works step;       ///< f(n) . (u(n+1) - u(n-1))/2
  Works to_output;  ///< f(n) . (u(n) - u(n-1))/2, which belongs to the time until n
  QuantityValues<NodeEnergies> energies;

  CLEAVE_HD NodeWork& operator+=(const NodeWork& other) {
    step += other.step;
    to_output += other.to_output;
    energies += other.energies;
    return *this;
  }
};

/// Values of a node that a step reads before the forces are there.
struct FetchedNode {
  Real inverse_mass;    ///< 1/kg
  std::uint16_t flags;  ///< NodeFlag
  Vec2 displacement{}, velocity{}, dropped{};

  CLEAVE_HD_INLINE Real mass() const { return 1 / inverse_mass; }  ///< kg
};

/// State of a step that is output, and the values with which a node goes on from there.
struct StateOutput {
  Vec2* acceleration;    ///< [node] m/s^2
  Vec2* internal_force;  ///< [node] force of the elements, N
  Vec2* half_velocity;   ///< [node] v(n+1/2), m/s
  Vec2* mean_increment;  ///< [node] (u(n+1) - u(n-1))/2, m
  bool start;            ///< the state at t = 0: the velocity is v(0), not v(-1/2)
};
struct NoStateOutput {
  static constexpr bool start = false;
};
/// Reactions of held nodes in a step with output.
struct HeldOutput {
  HeldNode* held;  ///< [node]; null without held groups
};
struct NoHeldOutput {};
/// Sources of the forces on a node: its elements alone, terms beside them, or outside forces as well. Even a flag that
/// is never set costs a GPU 2 to 5 % of a step.
enum class NodeForces { of_elements, of_terms, any };
struct WithForcesOfTerms {
  const Vec2* of_terms;  ///< [node] of terms, which book their works, N; null if there is none
};
struct WithOutsideForces : WithForcesOfTerms {
  OutsideForces outside;
};
struct WithForcesOfElements {};

/// The step of a node. A step without output has no arguments of output.
template <Output output, NodeForces forces>
struct NodeStep
    : std::conditional_t<output == Output::state, StateOutput, NoStateOutput>,
      std::conditional_t<output != Output::none, HeldOutput, NoHeldOutput>,
      std::conditional_t<forces == NodeForces::any, WithOutsideForces,
                         std::conditional_t<forces == NodeForces::of_terms, WithForcesOfTerms, WithForcesOfElements>> {
  NodeMotion nodes;
  const NodeAssembly* assembly;  ///< [node]
  const Real* inverse_mass;      ///< [node] 1/kg
  StepInput input;
  Real dt;  ///< s

  CLEAVE_HD_INLINE FetchedNode fetch(Index n) const { return fetch(n, inverse_mass[n], assembly[n].flags); }
  CLEAVE_HD_INLINE FetchedNode fetch(Index n, Real inverse, std::uint16_t flags) const {
    return {inverse, flags, nodes.displacement[n], nodes.velocity[n], nodes.dropped_at(n)};
  }

  /// @param f  force of the elements: internal and cohesive forces less loads on facets, N
  CLEAVE_HD NodeWork operator()(Index n, const FetchedNode& node, Vec2 f) const {
    return advance<false>(n, node, f, nodes, n);
  }
  template <bool unflagged>
  CLEAVE_HD_INLINE NodeWork advance(Index n, const FetchedNode& node, Vec2 f) const {
    return advance<unflagged>(n, node, f, nodes, n);
  }
  /// @tparam unflagged  the node is known to have none of step_flags
  /// @param state  what a step without output writes to, at the place `at`
  template <bool unflagged>
  CLEAVE_HD_INLINE NodeWork advance(Index n, const FetchedNode& node, Vec2 f, const NodeMotion& state, Index at) const {
    const Vec2 v = node.velocity;  // v(n-1/2), or v(0) at the start
    const std::uint16_t flag = unflagged ? 0 : node.flags;
    Vec2 a = node.inverse_mass * (Vec2{} - f);
    if constexpr (forces != NodeForces::of_elements) {
      const bool pushed = node.flags & pushed_node;
      const Vec2 by_terms = acceleration_of_terms<unflagged>(n, node);
      if (flag & outside_node)
        a = accelerate(n, node, a, by_terms);
      else
        a = pushed ? a + by_terms : a;
    }
    const Real kick = this->start ? Real(0.5) * dt : dt;
    Vec2 half{std::fma(kick, a.x, v.x), std::fma(kick, a.y, v.y)};  // v(n+1/2)
    Vec2 now = this->start ? v : v + Real(0.5) * dt * a;            // v(n), for output
    Vec2 reaction{};
    if (flag & constrained_node) {
      prescribe(nodes.motion_x[n], a.x, now.x, half.x);
      prescribe(nodes.motion_y[n], a.y, now.y, half.y);
      reaction = reaction_of(n, node.mass(), a, f);
      if constexpr (output != Output::none)
        if (this->held != nullptr) this->held[n] = {reaction, node.displacement};
    }
    const Vec2 before = this->start ? Vec2{} : Real(0.5) * dt * v, step = dt * half;
    const Vec2 mean = before + Real(0.5) * step;
    NodeWork work;
    if constexpr (output == Output::state) {
      nodes.velocity[n] = now;
      this->acceleration[n] = a;
      this->internal_force[n] = f;
      this->half_velocity[n] = half;
      this->mean_increment[n] = mean;
    } else {
      state.velocity[at] = half;
      state.move(at, node.displacement, node.dropped, step);
      set_works(work.step, f, reaction, mean, flag);
    }
    if constexpr (output != Output::none) {
      set_works(work.to_output, f, reaction, before, flag);
      const Real mass = node.mass();
      work.energies[Quantity::kinetic_energy] = 0.5 * mass * dot(now, now);
      work.energies[Quantity::kinetic_correction] = 0.125 * dt * dt * mass * dot(a, a);
    }
    return work;
  }

  /// Goes on from the state at n to u(n+1) and v(n+1/2).
  CLEAVE_HD Works resume(Index n) const requires(output == Output::state) {
    const Vec2 half = this->half_velocity[n], f = this->internal_force[n];
    const std::uint16_t flag = assembly[n].flags;
    const Vec2 reaction =
        flag & constrained_node ? reaction_of(n, 1 / inverse_mass[n], this->acceleration[n], f) : Vec2{};
    nodes.velocity[n] = half;
    nodes.move(n, nodes.displacement[n], nodes.dropped_at(n), dt * half);
    Works work;
    set_works(work, f, reaction, this->mean_increment[n], flag);
    return work;
  }
  /// Force that holds a node in its prescribed directions, N.
  /// @param f  force of the elements, N
  CLEAVE_HD Vec2 reaction_of(Index n, Real mass, Vec2 a, Vec2 f) const {
    Vec2 force = mass * a + f;
    if constexpr (forces != NodeForces::of_elements) force = force - given(n, mass);
    return {nodes.motion_x[n] != 0 ? force.x : Real(0), nodes.motion_y[n] != 0 ? force.y : Real(0)};
  }

  /// Sets the works of a node, which are zero.
  CLEAVE_HD_INLINE static void set_works(Works& work, Vec2 f, Vec2 reaction, Vec2 mean_increment, std::uint16_t flag) {
    work[Quantity::internal_work] = dot(f, mean_increment);
    if (flag & constrained_node) work[Quantity::reaction_work] = dot(reaction, mean_increment);
  }

  /// Acceleration by forces of terms, m/s^2. Lanes read them without a branch.
  template <bool unflagged>
  CLEAVE_HD_INLINE Vec2 acceleration_of_terms(Index n, const FetchedNode& node) const {
    if (this->of_terms == nullptr || !(unflagged || node.flags & pushed_node)) return {};
    return Real(1) / node.mass() * this->of_terms[n];
  }
  /// See OutsideForces.
  CLEAVE_HD_INLINE Vec2 accelerate(Index n, const FetchedNode& node, Vec2 own, Vec2 by_terms) const {
    if constexpr (forces == NodeForces::any) {
      const bool constrained = node.flags & constrained_node;
      return this->outside.accelerate(
          n, node.mass(), own, input.body_force(), by_terms, input.drag_rate(), node.velocity,
          {constrained && nodes.motion_x[n] != 0, constrained && nodes.motion_y[n] != 0}, this->start ? 0 : dt);
    }
    return own;
  }
  /// Force beside that of elements that does not depend on what is prescribed, N.
  CLEAVE_HD Vec2 given(Index n, Real mass) const {
    Vec2 force{};
    if constexpr (forces == NodeForces::any) force = this->outside.given(n, mass);
    return this->of_terms == nullptr ? force : force + this->of_terms[n];
  }

  CLEAVE_HD void prescribe(int m, Real& a, Real& now, Real& half) const {
    if (m == 0) return;
    a = input.acceleration(m);
    now = input.velocity(m);
    half = now + Real(0.5) * dt * a;
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
