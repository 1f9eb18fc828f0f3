/// Sums that do not depend on the order or the grouping of their terms: fixed-point numbers of several words.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>

#include "cleave/core/atomic.hpp"

namespace cleave {

/// The sum of up to 2^31 numbers. Digit d counts units of 2^(32 d - 192) in 64 bits, so that no carry is needed before
/// the sum is read. The 53 bits of a number go to three digits. Numbers below 2^-140 count as zero: so no bit lies
/// below 2^-192, and the sum is exact but for them. A number that is not finite, or is 2^181 or more, makes the sum
/// NaN. Energies in J, lengths in m and masses in kg lie far within.
struct FixedSum {
  static constexpr int digits = 12, bits = 32;
  static constexpr int words = digits + 1;
  static constexpr double unit = 0x1p-192, least = 0x1p-140, limit = 0x1p181;
  std::int64_t word[words] = {};  ///< the digits from the lowest on; then how many terms were out of range

  CLEAVE_HD void add(double term) {
    for_each_part(term, [&](int w, std::int64_t part) { word[w] += part; });
  }
  /// Adds the sum to one that others add to at the same time.
  CLEAVE_HD void add_to(FixedSum& total) const {
    for (int w = 0; w < words; ++w)
      if (word[w] != 0) atomic_add(total.word[w], word[w]);
  }

  /// Calls put(w, part) for the parts of a term that are added to words: three digits, or the count of terms out of
  /// range, or nothing.
  template <class Put>
  CLEAVE_HD static void for_each_part(double term, const Put& put) {
    const double magnitude = term < 0 ? -term : term;
    if (magnitude < least) return;
    if (!(magnitude < limit)) return put(digits, 1);
    constexpr int mantissa_bits = 52, lowest = 1023 + mantissa_bits - 192;
    constexpr std::uint64_t leading = std::uint64_t{1} << mantissa_bits, low = (std::uint64_t{1} << bits) - 1;
    const auto pattern = std::bit_cast<std::uint64_t>(term);
    const std::uint64_t mantissa = (pattern & (leading - 1)) | leading;
    const int place = static_cast<int>(pattern >> mantissa_bits & 0x7ff) - lowest;  // of its last bit, in units
    const int first = place / bits, shift = place % bits;
    const std::uint64_t shifted = mantissa << shift;                     // but for the bits that go to the third digit
    const std::int64_t sign = static_cast<std::int64_t>(pattern) >> 63;  // 0 or -1: signs are hard to predict
    const auto put_signed = [&](int d, std::uint64_t part) { put(d, (static_cast<std::int64_t>(part) ^ sign) - sign); };
    put_signed(first, shifted & low);
    put_signed(first + 1, shifted >> bits);
    put_signed(first + 2, mantissa >> 1 >> (2 * bits - 1 - shift));
  }

  /// The sum, rounded to the nearest double.
  CLEAVE_HD double value() const {
    if (word[digits] != 0) return std::numeric_limits<double>::quiet_NaN();
    std::int64_t digit[digits];
    const bool negative = carry(1, digit) < 0;
    if (negative) carry(-1, digit);
    std::uint64_t leading = 0;  // bits, of which the last one also stands for those that follow
    double scale = negative ? -unit : unit;
    int d = digits - 1;
    for (; d >= 0 && leading >> bits == 0; --d) leading = leading << bits | static_cast<std::uint64_t>(digit[d]);
    std::uint64_t next = d < 0 ? 0 : static_cast<std::uint64_t>(digit[d]) << bits, rest = 0;
    for (; d >= 0 && leading >> 63 == 0; scale /= 2) {
      leading = leading << 1 | next >> 63;
      next <<= 1;
    }
    for (int below = d - 1; below >= 0; --below) rest |= static_cast<std::uint64_t>(digit[below]);
    for (; d >= 0; --d) scale *= 0x1p32;
    return scale * static_cast<double>(leading | ((next | rest) != 0 ? 1 : 0));
  }

 private:
  /// The digits of `sign` times the sum, all but the highest from 0 to 2^32 - 1. Returns the highest.
  CLEAVE_HD std::int64_t carry(int sign, std::int64_t (&digit)[digits]) const {
    std::int64_t over = 0;
    for (int d = 0; d < digits; ++d) {
      digit[d] = sign * word[d] + over;
      if (d == digits - 1) break;
      over = digit[d] >> bits;
      digit[d] -= over * (std::int64_t{1} << bits);
    }
    return digit[digits - 1];
  }
};

static_assert(sizeof(FixedSum) == FixedSum::words * sizeof(std::int64_t));

}  // namespace cleave
