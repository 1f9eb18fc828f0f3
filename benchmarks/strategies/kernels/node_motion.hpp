/// The nodes' part of a step in a study of strategies: v(n+1/2) = v(n-1/2) - dt f / m, u(n+1) = u(n) + dt v(n+1/2),
/// with the force from wherever the elements left it.
#pragma once

#include <cmath>

#include "body/element_table.hpp"
#include "cleave/lockstep/kernel.hpp"

namespace cleave::inline CLEAVE_PRECISION {

struct NodeMotion {
  Vec2* displacement;        ///< [node], m
  Vec2* velocity;            ///< [node], m/s
  const Real* inverse_mass;  ///< [node], 1/kg
  Real kick;                 ///< s, of the velocity
  Real drift;                ///< s, of the displacement

  CLEAVE_HD void operator()(Index n, Vec2 f) const {
    const Vec2 a = Real(-1) * inverse_mass[n] * f;
    const Vec2 v = velocity[n] + kick * a;
    velocity[n] = v;
    displacement[n] += drift * v;
  }
};

/// Nodes that elements added to; clears the force.
struct MoveNodes {
  static constexpr KernelTraits traits{.name = "nodes"};
  Index count;
  NodeMotion motion;
  Vec2* force;  ///< [node], N

  CLEAVE_HD Index size() const { return count; }
  CLEAVE_HD void operator()(Index n) const {
    const Vec2 f = force[n];
    force[n] = Vec2{};
    motion(n, f);
  }
};

/// Nodes that fetch the forces of their elements, in the order of element ids.
struct FetchAndMove {
  static constexpr KernelTraits traits{.name = "nodes"};
  Index count;
  NodeMotion motion;
  const Index* first;     ///< [node + 1] range of its entries in `incident`
  const Index* incident;  ///< [entry] position in `force`: nodes an element * e + i for node i of element e
  const Vec2* force;      ///< [element][node], N

  CLEAVE_HD Index size() const { return count; }
  CLEAVE_HD void operator()(Index n) const {
    Vec2 f{};
    for (Index at = first[n]; at < first[n + 1]; ++at) f += force[incident[at]];
    motion(n, f);
  }
};

/// Nodes whose forces lie together, in the order of element ids.
struct SumAndMove {
  static constexpr KernelTraits traits{.name = "nodes"};
  Index count;
  NodeMotion motion;
  const Index* first;  ///< [node + 1] range of its forces
  const Vec2* force;   ///< N

  CLEAVE_HD Index size() const { return count; }
  CLEAVE_HD void operator()(Index n) const {
    Vec2 f{};
    for (Index at = first[n]; at < first[n + 1]; ++at) f += force[at];
    motion(n, f);
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
