/// The larger and the smaller of two values as one instruction; on a CPU, std::fmax and std::fmin are function calls,
/// because they must ignore NaN. If a value is NaN, a CPU returns the first one and a GPU the one that is a number:
/// pass constants first.
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
