/// Forces of a user's own on nodes.
#pragma once

#include "body/gather_table.hpp"
#include "body/live_counts.hpp"
#include "body/sums.hpp"
#include "cleave/force/user_force.hpp"
#include "cleave/lockstep/kernel.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// Works of all entries of `forces` on the nodes.
using ForceWorks = SumRows<QuantityList<Quantity::external_work>>;

/// Forces on every node: of one entry, added to those of the entries before it. The launch of the last entry books the
/// work of all in the step before, by the mean of the forces at its ends.
template <class Law>
struct UserForce {
  static constexpr KernelTraits traits{.name = "users' forces", .has_in_use = true};
  Law law;
  std::uint8_t bit;        ///< of the entry
  bool is_first, is_last;  ///< of the entries
  int number;              ///< of the step in its recording
  double dt;               ///< s
  bool start;              ///< no step was before this one
  Index capacity;          ///< of nodes
  const LiveCounts* live;
  const NodeAssembly* assembly;    ///< [node]
  const std::uint8_t* acts;        ///< [node] bits of the entries that act on it; null: all do
  const Real* inverse_mass;        ///< [node] 1/kg
  Vec2 centre;                     ///< that positions are counted from, m
  const Vec2* position;            ///< [node] m
  const Vec2* displacement;        ///< [node] m
  const Vec2* velocity;            ///< [node] in the middle of the step before, m/s
  const Index* insertion_pending;  ///< see BlockStep
  Vec2* sum;                       ///< [node] of the entries so far, N
  Vec2* force;                     ///< [node] of all entries in the last step, then in this, N
  ForceWorks works;                ///< [node] until the last step, J

  CLEAVE_HD Index size() const { return capacity; }
  CLEAVE_HD Index in_use() const { return live->nodes; }
  CLEAVE_HD void operator()(Index n) const {
    if (*insertion_pending != 0 || (assembly[n].flags & remote_node) != 0) return;
    Vec2 now = is_first ? Vec2{} : sum[n];
    if (acts == nullptr || (acts[n] & bit) != 0) now += law.force(point(n));
    if (!is_last) {
      sum[n] = now;
      return;
    }
    if (!start) works.at(n, Quantity::external_work) += 0.5 * dot(force[n] + now, Real(dt) * velocity[n]);
    force[n] = now;
  }

 private:
  CLEAVE_HD ForcePoint point(Index n) const {
    const Step step = live->step() + number;
    return {centre + position[n], displacement[n], velocity[n], 1 / inverse_mass[n],
            static_cast<Real>(dt * static_cast<double>(step))};
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
