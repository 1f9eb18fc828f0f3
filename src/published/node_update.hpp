/// Central differences (explicit Newmark, beta 0, gamma 1/2) at the nodes, with the work of every kind of force.
///
/// The works W_x(n+1) - W_x(n) = (f_x(n) + f_x(n+1))/2 . (u(n+1) - u(n)) are added in halves: the displacement update
/// adds the half with the forces it still finds, the velocity update the half with the new ones. So no old forces are
/// kept, and nodes may split in between.
#pragma once

#include <type_traits>

#include "body/node_motion.hpp"
#include "body/step_input.hpp"
#include "body/sums.hpp"
#include "cleave/core/table.hpp"
#include "cleave/lockstep/kernel.hpp"
#include "terms/held_groups/held_groups.hpp"
#include "terms/outside/outside_forces.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// State of the nodes.
struct NodeTable : NodeMotion {
  Vec2* acceleration = nullptr;    ///< m/s^2
  const Real* mass = nullptr;      ///< kg
  Vec2* internal_force = nullptr;  ///< N
  // Null as long as all of them are zero, which saves the reads.
  Vec2* cohesive_force = nullptr;  ///< N
  Vec2* external_force = nullptr;  ///< N
  OutsideForces outside{};

  CLEAVE_HD Vec2 cohesive(Index n) const { return cohesive_force != nullptr ? cohesive_force[n] : Vec2{}; }
  CLEAVE_HD Vec2 external(Index n) const { return external_force != nullptr ? external_force[n] : Vec2{}; }
  CLEAVE_HD void clear_forces(Index n) const {
    internal_force[n] = Vec2{};
    if (cohesive_force != nullptr) cohesive_force[n] = Vec2{};
    if (external_force != nullptr) external_force[n] = Vec2{};
  }
  CLEAVE_HD Vec2 total_force(Index n) const { return external(n) - internal_force[n] - cohesive(n); }
  /// Force that holds the prescribed directions of a node; zero in free ones.
  CLEAVE_HD Vec2 reaction(Index n) const {
    Vec2 r = mass[n] * acceleration[n] - total_force(n);
    if (outside.any()) r = r - outside.given(n, mass[n]);
    return {motion_x[n] != 0 ? r.x : Real(0), motion_y[n] != 0 ? r.y : Real(0)};
  }
};

/// Reactions of nodes, for sums over groups.
struct HeldNodes {
  NodeTable nodes;
  CLEAVE_HD HeldNode operator()(Index n) const { return {nodes.reaction(n), nodes.displacement[n]}; }
};

/// The works, one running sum per kind and block of nodes, J.
using WorkLedger = SumRows<
    QuantityList<Quantity::internal_work, Quantity::cohesive_work, Quantity::external_work, Quantity::reaction_work>>;

inline constexpr int nodes_per_block = 256;
CLEAVE_HD constexpr Index node_blocks(Index nodes) { return (nodes + nodes_per_block - 1) / nodes_per_block; }

/// The end of a step: a = (f_ext - f_int - f_coh) / m, v += dt/2 (a_old + a); with dt = 0 it makes the initial
/// acceleration. And the beginning of one: u += dt v + dt^2/2 a; clears the forces. Both at once, for the next step,
/// where nothing prescribes motions in between: the same bits as one after the other, in fewer bytes.
template <bool ends, bool begins>
struct NodeUpdate {
  static_assert(ends || begins);
  static constexpr KernelTraits traits{.name = !begins ? "velocity"
                                               : !ends ? "displacement"
                                                       : "velocity and displacement",
                                       .reads_early = true};
  static constexpr int workers = nodes_per_block;
  /// Without reactions, which come with the conditions.
  using OfEnd = QuantityList<Quantity::internal_work, Quantity::cohesive_work, Quantity::external_work>;
  using OfBeginning = std::conditional_t<ends, OfEnd, WorkLedger::Sums>;
  static constexpr int unused = 16;  ///< the shortest that there is
  struct Shared {
    QuantitySum<OfEnd, ends ? workers : unused> ended;
    QuantitySum<OfBeginning, begins ? workers : unused> begun;
  };
  NodeTable nodes;
  const Index* in_use;  ///< nodes that there are, of nodes.count at most
  WorkLedger ledger;
  Real dt;  ///< s

  CLEAVE_HD Index blocks() const { return node_blocks(nodes.count); }

  template <class Worker>
  CLEAVE_HD Index early(Worker const&, Shared&) const {
    return *in_use;  // only insertion changes it, and no launch after that is early
  }
  template <class Worker>
  CLEAVE_HD void operator()(Worker const& worker, Shared& shared) const {
    (*this)(worker, shared, *in_use);
  }
  template <class Worker>
  CLEAVE_HD void operator()(Worker const& worker, Shared& shared, Index count) const {
    if (worker.block * workers >= count) return;
    ForEachIdx each{worker};
    each([&](Idx i) {
      const Index n = worker.block * workers + i;
      const bool there = n < count;
      Forces f{};
      Vec2 v{}, a{}, du{}, r{};
      if (there) {
        f = {nodes.internal_force[n], nodes.cohesive(n), nodes.external(n)};
        v = nodes.velocity[n];
        a = nodes.acceleration[n];
      }
      if constexpr (ends) {
        if (there) {
          du = increment(v, a);
          const Vec2 total = f.external - f.internal - f.cohesive;
          const Vec2 fresh{total.x / nodes.mass[n], total.y / nodes.mass[n]};
          nodes.velocity[n] = v = v + Real(0.5) * dt * (a + fresh);
          nodes.acceleration[n] = a = fresh;
        }
        book(shared.ended, i, f, du);
      }
      if constexpr (begins) {
        if (there) {
          du = increment(v, a);
          if (!ends && nodes.constrained(n)) r = nodes.reaction(n);
          nodes.move(n, nodes.displacement[n], nodes.dropped_at(n), du);
          nodes.clear_forces(n);
        }
        book(shared.begun, i, f, du);
        if constexpr (!ends) shared.begun[Quantity::reaction_work][i] = dot(r, du);
      }
    });
    if constexpr (ends) shared.ended.add_to(ledger, 0.5, worker);
    if constexpr (begins) shared.begun.add_to(ledger, 0.5, worker);
  }

 private:
  struct Forces {
    Vec2 internal, cohesive, external;
  };
  CLEAVE_HD Vec2 increment(Vec2 v, Vec2 a) const { return dt * v + Real(0.5) * dt * dt * a; }
  template <class Works>
  CLEAVE_HD static void book(Works& works, Idx i, const Forces& f, Vec2 du) {
    works[Quantity::internal_work][i] = dot(f.internal, du);
    works[Quantity::cohesive_work][i] = dot(f.cohesive, du);
    works[Quantity::external_work][i] = dot(f.external, du);
  }
};
using VelocityUpdate = NodeUpdate<true, false>;
using DisplacementUpdate = NodeUpdate<false, true>;

/// Adds the outside forces to what VelocityUpdate has made.
struct OutsideUpdate {
  static constexpr KernelTraits traits{.name = "outside forces", .has_in_use = true};
  NodeTable nodes;
  const Index* present;  ///< nodes that there are, of nodes.count at most
  StepInput input;       ///< of the end of the step
  Real dt;               ///< s; 0 makes the initial acceleration

  CLEAVE_HD Index size() const { return nodes.count; }
  CLEAVE_HD Index in_use() const { return *present; }
  CLEAVE_HD void operator()(Index n) const {
    const Vec2 own = nodes.acceleration[n], half = nodes.velocity[n] - Real(0.5) * dt * own;  // v(n-1/2)
    const Vec2 a = nodes.outside.accelerate(n, nodes.mass[n], own, input.body_force(), {}, input.drag_rate(), half,
                                            {nodes.motion_x[n] != 0, nodes.motion_y[n] != 0}, dt);
    nodes.acceleration[n] = a;
    nodes.velocity[n] = half + Real(0.5) * dt * a;
  }
};

/// Overwrites velocity and acceleration where they are prescribed.
struct BoundaryConditions {
  static constexpr KernelTraits traits{.name = "boundary conditions", .reads_early = true};
  static constexpr int workers = nodes_per_block;
  struct Shared {
    QuantitySum<QuantityList<Quantity::reaction_work>, workers> work;
  };
  NodeTable nodes;
  const Index* in_use;  ///< nodes that there are, of nodes.count at most
  WorkLedger ledger;
  StepInput input;  ///< at the end of the step
  Real dt;          ///< s

  CLEAVE_HD Index blocks() const { return node_blocks(nodes.count); }

  template <class Worker>
  CLEAVE_HD Index early(Worker const&, Shared&) const {
    return *in_use;  // only insertion changes it, and no launch after that is early
  }
  template <class Worker>
  CLEAVE_HD void operator()(Worker const& worker, Shared& shared) const {
    (*this)(worker, shared, *in_use);
  }
  template <class Worker>
  CLEAVE_HD void operator()(Worker const& worker, Shared& shared, Index count) const {
    if (worker.block * workers >= count) return;
    const StepInput before = input.before();
    ForEachIdx each{worker};
    each([&](Idx i) {
      const Index n = worker.block * workers + i;
      double work = 0;
      if (n < count && nodes.constrained(n)) {
        const int mx = nodes.motion_x[n], my = nodes.motion_y[n];
        if (mx != 0) {
          nodes.velocity[n].x = input.velocity(mx);
          nodes.acceleration[n].x = input.acceleration(mx);
        }
        if (my != 0) {
          nodes.velocity[n].y = input.velocity(my);
          nodes.acceleration[n].y = input.acceleration(my);
        }
        work = dot(nodes.reaction(n), {before.increment(mx, dt), before.increment(my, dt)});
      }
      shared.work[Quantity::reaction_work][i] = work;
    });
    shared.work.add_to(ledger, 0.5, worker);
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
