/// Fixed-point sums: the same bits for any order and any grouping of their terms.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "cleave/core/fixed_sum.hpp"

namespace cleave::test {
namespace {

/// Of all magnitudes that a sum is exact for, with either sign.
std::vector<double> numbers_of_all_magnitudes(std::size_t count, int seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> mantissa(1, 2);
  std::uniform_int_distribution<int> exponent(-140, 180);
  std::vector<double> all(count);
  for (double& x : all) x = std::ldexp(mantissa(random), exponent(random)) * (random() % 2 == 0 ? 1 : -1);
  return all;
}

FixedSum sum_of(const std::vector<double>& terms) {
  FixedSum sum;
  for (const double term : terms) sum.add(term);
  return sum;
}

FixedSum joined(FixedSum a, const FixedSum& b) {
  for (int w = 0; w < FixedSum::words; ++w) a.word[w] += b.word[w];
  return a;
}

bool same_words(const FixedSum& a, const FixedSum& b) { return std::equal(a.word, a.word + FixedSum::words, b.word); }

}  // namespace

TEST_CASE("a fixed-point sum of one term is the term", "[sums]") {
  auto terms = numbers_of_all_magnitudes(10000, 1);
  for (const double edge : {0x1p-140, 0x1.fffffffffffffp-140, 0x1.fffffffffffffp180, 1.0, 0x1p32, 0x1p-32, 0.1, 0.0})
    terms.insert(terms.end(), {edge, -edge});
  for (const double term : terms) {
    REQUIRE(sum_of({term}).value() == term);
  }
}

TEST_CASE("a fixed-point sum does not depend on the order and the grouping of its terms", "[sums]") {
  auto terms = numbers_of_all_magnitudes(1000, 2);
  const FixedSum sum = sum_of(terms);
  std::mt19937 random(3);
  for (int repeat = 0; repeat < 20; ++repeat) {
    std::shuffle(terms.begin(), terms.end(), random);
    REQUIRE(same_words(sum_of(terms), sum));
    FixedSum of_parts;
    for (std::size_t begin = 0; begin < terms.size();) {
      const std::size_t end = std::min(terms.size(), begin + random() % 200);
      of_parts = joined(sum_of({terms.begin() + begin, terms.begin() + end}), of_parts);
      begin = end;
    }
    REQUIRE(same_words(of_parts, sum));
  }
  CHECK(std::isfinite(sum.value()));
}

TEST_CASE("a fixed-point sum is exact", "[sums]") {
  std::mt19937_64 random(4);
  for (const int exponent : {-100, -31, 0, 60, 100}) {
    std::int64_t sum = 0;
    std::vector<double> terms;
    for (int i = 0; i < 1000; ++i) {
      const auto term = static_cast<std::int64_t>(random() >> 23) - (std::int64_t{1} << 40);
      sum += term;
      terms.push_back(std::ldexp(static_cast<double>(term), exponent));
    }
    CHECK(sum_of(terms).value() == std::ldexp(static_cast<double>(sum), exponent));
  }
  // Others that cancel, however large, leave nothing behind.
  auto terms = numbers_of_all_magnitudes(1000, 5);
  std::vector<double> and_opposite = terms;
  for (const double term : terms) and_opposite.push_back(-term);
  and_opposite.insert(and_opposite.end(), {0x1p-140, 3e-20});
  std::shuffle(and_opposite.begin(), and_opposite.end(), random);
  CHECK(sum_of(and_opposite).value() == 3e-20 + 0x1p-140);
}

TEST_CASE("a fixed-point sum is rounded to the nearest number", "[sums]") {
  std::mt19937_64 random(7);
  static_assert(std::numeric_limits<long double>::digits >= 64);
  for (int repeat = 0; repeat < 1000; ++repeat) {
    const double a = 1 + std::ldexp(static_cast<double>(random() >> 13), -52), sign = repeat % 2 == 0 ? 1 : -1;
    const double b = std::ldexp(static_cast<double>(random() >> 12), -63);
    const auto rounded = static_cast<double>(static_cast<long double>(a) + b);
    for (int exponent = -70; exponent < 70; ++exponent)  // wherever it lies in the digits
      REQUIRE(sum_of({std::ldexp(sign * b, exponent), std::ldexp(sign * a, exponent)}).value() ==
              std::ldexp(sign * rounded, exponent));
  }
  // Half way between two numbers, the even one; and what lies far behind decides.
  for (int exponent = -40; exponent < 100; ++exponent) {
    const auto scaled = [&](std::vector<double> terms) {
      for (double& term : terms) term = std::ldexp(term, exponent);
      return std::ldexp(sum_of(terms).value(), -exponent);
    };
    CHECK(scaled({1, 0x1p-53}) == 1);
    CHECK(scaled({1, 0x1p-53, 0x1p-100}) == 1 + 0x1p-52);
    CHECK(scaled({1, 0x1p-53, -0x1p-100}) == 1);
    CHECK(scaled({1, 0x3p-53}) == 1 + 0x1p-51);
    CHECK(scaled({1, 0x3p-53, -0x1p-100}) == 1 + 0x1p-52);
  }
}

TEST_CASE("a fixed-point sum has room for as many terms as an Index counts", "[sums]") {
  constexpr std::int64_t most = std::numeric_limits<Index>::max();
  for (const double term : {0x1.fffffffffffffp180, -0x1.fffffffffffffp-77, 0x1.fffffffffffffp31, -0.1}) {
    FixedSum sum = sum_of({term});
    for (std::int64_t& word : sum.word) word *= most;
    CHECK(sum.value() == Approx(term * static_cast<double>(most)).epsilon(1e-15));
  }
}

TEST_CASE("a fixed-point sum is no number when a term is none or too large", "[sums]") {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double term : {nan, -nan, infinity, -infinity, 0x1p181, -1e300}) {
    CHECK(std::isnan(sum_of({1, term, 2}).value()));
    CHECK(std::isnan(joined(sum_of({term}), sum_of({-term})).value()));
  }
  const std::vector<double> too_small{0x1.fffffffffffffp-141, -1e-300, std::numeric_limits<double>::denorm_min()};
  CHECK(sum_of(too_small).value() == 0);
}

}  // namespace cleave::test
