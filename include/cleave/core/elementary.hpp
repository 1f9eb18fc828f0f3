/// Elementary functions made of operations that CPU and GPU round alike; their library functions do not.
#pragma once

#include <cmath>

#include "cleave/core/types.hpp"

namespace cleave::inline CLEAVE_PRECISION {

/// ln(1 + d) for finite d > -1, with an error of a few roundings of the result.
CLEAVE_HD inline Real log_one_plus(Real d) {
  constexpr Real ln2 = Real(0.69314718055994530942);
  Real whole = 0;
  for (; d > Real(0.42); whole += ln2) d = Real(0.5) * (d - 1);  // 1 + d halved
  for (; d < Real(-0.29); whole -= ln2) d = 2 * d + 1;           // doubled
  // 2 artanh z = 2 (z + z^3/3 + z^5/5 + ...), |z| < 0.18
  const Real z = d / (2 + d), square = z * z;
  Real sum = Real(1) / 23;
  CLEAVE_UNROLL
  for (int n = 21; n >= 1; n -= 2) sum = std::fma(sum, square, Real(1) / static_cast<Real>(n));
  return whole + 2 * z * sum;
}

/// exp(-x) for x >= 0, with an error of a few roundings of the result; 0 where the result is below 1e-30.
CLEAVE_HD inline Real exp_minus(Real x) {
  if (!(x < Real(69))) return 0;
  constexpr Real per_ln2 = Real(1.4426950408889634074);
  constexpr Real ln2_high = Real(0.693145751953125);  // so few bits that its multiples here are exact
  constexpr Real ln2_low = Real(1.42860682030941723212e-6);
  const Real halves = std::floor(std::fma(x, per_ln2, Real(0.5)));
  const Real rest = std::fma(halves, ln2_low, std::fma(halves, ln2_high, -x));  // -0.35 to 0.35
  Real sum = 1;  // the series of exp(rest), from its far end
  CLEAVE_UNROLL
  for (int n = 13; n >= 1; --n) sum = std::fma(sum * rest, Real(1) / static_cast<Real>(n), Real(1));
  return std::ldexp(sum, -static_cast<int>(halves));
}

}  // namespace cleave::inline CLEAVE_PRECISION
