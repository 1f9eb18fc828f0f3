/// Lanes: indices that one CPU thread computes side by side, in vector instructions.
///
/// A loop over lanes has independent turns and works on arrays with one value per lane. The compiler turns it into
/// vector instructions of the machine's width (src/backend/cpu/instruction_set.hpp). Every lane does the same IEEE
/// operations in the same order as a scalar loop, so results do not depend on the width.
#pragma once

#include "cleave/core/types.hpp"

namespace cleave {

#if defined(__CUDACC__)
#define CLEAVE_LANES
#define CLEAVE_UNROLL_LANES
#define CLEAVE_LANE
#else
#define CLEAVE_LANES _Pragma("GCC ivdep")
/// Unrolls a loop over lanes that only moves values.
#define CLEAVE_UNROLL_LANES _Pragma("GCC unroll 8")
/// Goes behind the parameters of a lambda for lanes, so that it is inlined into the loop.
#define CLEAVE_LANE __attribute__((always_inline))
#endif

/// Calls f(lane) for lane = 0 .. count - 1. No turn may read what another one writes. To become vector instructions, f
/// must be small and free of branches.
template <class F>
CLEAVE_HD_INLINE void for_lanes(int count, const F& f) {
  CLEAVE_LANES
  for (int lane = 0; lane < count; ++lane) f(lane);
}

}  // namespace cleave
