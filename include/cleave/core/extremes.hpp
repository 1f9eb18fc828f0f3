/// The larger and the smaller of two values as one instruction, where std::fmax and std::fmin are calls on a CPU, as
/// they must pass over NaN. On a CPU these give the first value if either is NaN, on a GPU the one that is not: put
/// constants first.
#pragma once

#include <cmath>

#include "cleave/core/types.hpp"

namespace cleave {

template <class T>
CLEAVE_HD_INLINE T larger(T a, T b) {
#if defined(__CUDA_ARCH__)
  return fmax(a, b);
#else
  return b > a ? b : a;
#endif
}

template <class T>
CLEAVE_HD_INLINE T smaller(T a, T b) {
#if defined(__CUDA_ARCH__)
  return fmin(a, b);
#else
  return b < a ? b : a;
#endif
}

}  // namespace cleave
