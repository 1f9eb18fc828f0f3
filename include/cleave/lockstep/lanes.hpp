/// Lanes: indices that one CPU thread works on side by side, in vector instructions.
///
/// A loop over lanes is a loop whose turns know nothing of each other, on arrays that lie lane by lane. The compiler
/// makes vector instructions of it, as wide as the machine has them (src/cpu/instruction_set.hpp). Every lane does the
/// same IEEE operations in the same order as a loop of one turn would, so the width is nowhere in the results.
#pragma once

#include "cleave/core/types.hpp"

namespace cleave {

#if defined(__CUDACC__)
#define CLEAVE_LANES
#define CLEAVE_UNROLL_LANES
#define CLEAVE_LANE
#else
#define CLEAVE_LANES _Pragma("GCC ivdep")
/// Before a loop over lanes that only moves values here and there.
#define CLEAVE_UNROLL_LANES _Pragma("GCC unroll 8")
/// Behind the parameters of a lambda for lanes, which must become part of the loop.
#define CLEAVE_LANE __attribute__((always_inline))
#endif

/// Calls f(lane) for lane = 0 .. count - 1. No turn may read what another one writes; f must be small and without
/// branches to become vector instructions.
template <class F>
CLEAVE_HD_INLINE void for_lanes(int count, const F& f) {
  CLEAVE_LANES
  for (int lane = 0; lane < count; ++lane) f(lane);
}

}  // namespace cleave
