/// Sets as the bits of a word.
#pragma once

#include <bit>
#include <cstdint>

#include "cleave/core/types.hpp"

namespace cleave {

CLEAVE_HD_INLINE int number_of_bits(std::uint64_t word) {
#if defined(__CUDA_ARCH__)
  return __popcll(word);
#else
  return std::popcount(word);
#endif
}
CLEAVE_HD_INLINE int number_of_bits(std::uint32_t word) {
#if defined(__CUDA_ARCH__)
  return __popc(word);
#else
  return std::popcount(word);
#endif
}

/// Position of the lowest set bit; `word` must not be 0.
CLEAVE_HD_INLINE int first_bit(std::uint64_t word) {
#if defined(__CUDA_ARCH__)
  return __ffsll(static_cast<long long>(word)) - 1;
#else
  return std::countr_zero(word);
#endif
}
CLEAVE_HD_INLINE int first_bit(std::uint32_t word) {
#if defined(__CUDA_ARCH__)
  return __ffs(static_cast<int>(word)) - 1;
#else
  return std::countr_zero(word);
#endif
}

}  // namespace cleave
