/// Motion of nodes.
#pragma once

#include "cleave/core/types.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// In single precision an increment of the displacement is often only some hundred times the spacing of numbers there,
/// and what rounding drops has the same sign for many steps. So it is kept and added with the next increment
/// (compensated summation, W. Kahan, 1965).
inline constexpr bool compensated = sizeof(Real) < sizeof(double);

/// Displacements and velocities of nodes, and their prescribed motions.
struct NodeMotion {
  Index count = 0;
  Vec2* displacement = nullptr;            ///< m
  Vec2* velocity = nullptr;                ///< m/s
  const std::uint8_t* motion_x = nullptr;  ///< prescribed motion of the direction, 0: free
  const std::uint8_t* motion_y = nullptr;
  Vec2* dropped = nullptr;  ///< m, of increments and not yet in the displacement; only if `compensated`

  CLEAVE_HD bool constrained(Index n) const { return motion_x[n] != 0 || motion_y[n] != 0; }
  CLEAVE_HD_INLINE Vec2 dropped_at(Index n) const {
    if constexpr (compensated) return dropped[n];
    return {};
  }
  /// u += du; `before` is u, `left` what was dropped until now.
  CLEAVE_HD_INLINE void move(Index n, Vec2 before, Vec2 left, Vec2 du) const {
    if constexpr (compensated) {
      const Vec2 step = du + left, after = before + step;
      dropped[n] = step - (after - before);
      displacement[n] = after;
    } else {
      displacement[n] = before + du;
    }
  }
};

}  // namespace cleave::inline CLEAVE_PRECISION
