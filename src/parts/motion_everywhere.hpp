/// How some nodes move, known to all ranks.
#pragma once

#include <optional>
#include <vector>

#include "backend/host_rows.hpp"
#include "cleave/core/atomic.hpp"
#include "cleave/lockstep/device_gate.hpp"
#include "cleave/partition/partition.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// The motion of nodes, and a request that all ranks have when one of them has it.
struct ExchangedMotion {
  struct Value {
    Vec2 displacement, velocity;
  };
  static constexpr Index request = -1;  ///< the item that stands for it
  Vec2* displacement;                   ///< [node], m
  Vec2* velocity;                       ///< [node], m/s
  Index* requested;                     ///< not 0: there is a request

  CLEAVE_HD Value give(Index n) const {
    if (n == request) return {{static_cast<Real>(*requested), 0}, {0, 0}};
    return {displacement[n], velocity[n]};
  }
  CLEAVE_HD void take(Index n, const Value& value) const {
    if (n == request) {
      if (value.displacement.x != 0) atomic_write(*requested, 1);
      return;
    }
    displacement[n] = value.displacement;
    velocity[n] = value.velocity;
  }
};

/// Every rank tells all others how the listed nodes move that it owns. One rank has nothing to tell.
template <class Backend>
class MotionEverywhere {
 public:
  /// Lists nodes anew. Called by all ranks, with the same nodes.
  /// @param is_listed  is_listed(n)
  template <class Body, class IsListed>
  void list(Body& body, IsListed is_listed) {
    const std::vector<std::vector<Index>> nodes = body.owners.nodes_of_ranks(body, is_listed, ExchangedMotion::request);
    std::vector<ExchangeList<Index>> lists;
    for (int r = 0; r < body.halo.rank_count(); ++r)
      if (r != body.halo.rank()) lists.push_back({r, nodes[body.halo.rank()], nodes[r]});
    lists_.start(body.backend, std::move(lists));
  }
  /// @param gate  closed: nothing is exchanged; the same on all ranks
  template <class Body>
  void exchange(Body& body, Index* requested, DeviceGate gate) {
    const ExchangedMotion motion{body.nodes.displacement.data(), body.nodes.velocity.data(), requested};
    lists_.begin(body.backend, motion, gate);
    lists_.finish(body.backend, motion, gate);
  }

 private:
  typename Backend::template Exchange<Index, sizeof(ExchangedMotion::Value)> lists_;
};

}  // namespace cleave::inline CLEAVE_PRECISION
