/// Fixed-point sums: the same bits for any order and any grouping of their terms.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

#include "backend/backend.hpp"
#include "backend/device_mesh.hpp"

namespace cleave::test {
namespace {

/// Numbers of either sign and of all magnitudes that a sum is exact for.
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

using Sums = QuantityList<Quantity::crack_length, Quantity::internal_work, Quantity::reaction_work>;

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

TEST_CASE("sums of rows do not depend on how rows are shared out", "[sums]") {
  Backend backend;
  constexpr Index rows = 5000;
  const auto values = numbers_of_all_magnitudes(3 * std::size_t{rows}, 6);
  auto buffer = upload(values);
  const SumRows<Sums> table{{buffer.data()}};
  const QuantityTotals whole = totals_of(backend, table, rows);
  int noticed = 0;
  for (int field = 0; field < Sums::count; ++field) {
    std::vector<double> terms;
    for (Index r = 0; r < rows; ++r) terms.push_back(values[3 * r + field]);
    CHECK(whole[Sums::at(field)] == sum_of(terms).value());
    noticed += std::accumulate(terms.begin(), terms.end(), 0.0) != std::accumulate(terms.rbegin(), terms.rend(), 0.0);
  }
  CHECK(noticed > 0);  // in floating point the order matters
  for (const std::vector<Index>& cuts :
       {std::vector<Index>{0, 1, rows}, {0, 300, 300, 3111, rows}, {0, 256, 512, rows - 1, rows}}) {
    SumTables in_one;
    for (std::size_t part = cuts.size() - 1; part-- > 0;) in_one.add(table, ElementRange{cuts[part], cuts[part + 1]});
    const QuantityTotals together = totals_of(backend, in_one);
    const QuantityTotals in_turn = totals_after(backend, [&](FixedSum* sums) {
      for (std::size_t part = 0; part + 1 < cuts.size(); ++part) {
        SumTables one;
        one.add(table, ElementRange{cuts[part], cuts[part + 1]});
        one.sums = sums;
        backend.launch(one);
      }
    });
    for (int q = 0; q < quantity_count; ++q) {
      CHECK(together.value[q] == whole.value[q]);
      CHECK(in_turn.value[q] == whole.value[q]);
    }
  }
}

TEST_CASE("rows of nodes that others add up, or that are not in use, do not count", "[sums]") {
  Backend backend;
  constexpr Index first = 100, in_use = 1500, room = 2000;
  std::vector<NodeAssembly> assembly(room);
  std::vector<double> values(3 * std::size_t{room - first}, std::numeric_limits<double>::quiet_NaN());
  std::vector<double> expected(Sums::count);
  for (Index n = 0; n < in_use; ++n) {
    if (n % 3 == 0) assembly[n].flags = ghost_node | constrained_node;
    if (n % 3 == 1) assembly[n].flags = outside_node | mixed_node;
    for (int field = 0; n >= first && n % 3 != 0 && field < Sums::count; ++field)
      expected[field] += values[3 * (n - first) + field] = n + 0.25 * field;
  }
  auto nodes = upload(assembly);
  auto rows = upload(values);
  auto live = upload(std::vector<LiveCounts>{{in_use, 0, 0, 0, 0}});
  SumTables tables;
  tables.add(SumRows<Sums>{{rows.data()}}, ElementRange{0, room - first}, {nodes.data(), first, live.data()});
  const QuantityTotals totals = totals_of(backend, tables);
  for (int field = 0; field < Sums::count; ++field) CHECK(totals[Sums::at(field)] == expected[field]);
}

TEST_CASE("totals take the sums and clear them", "[sums]") {
  Backend backend;
  auto sums = upload(std::vector<FixedSum>(TakeTotals::before_groups + 2 * GroupSums::count));
  auto totals = upload(std::vector<QuantityTotals>(1));
  auto columns = filled(most_process_columns, -1.0);
  auto groups = upload(std::vector<GroupSums>(3));
  const auto take = [&](double failed, double length) {
    std::vector<FixedSum> host(TakeTotals::before_groups + 2 * GroupSums::count);
    host[static_cast<int>(Quantity::failed_elements)].add(failed);
    host[static_cast<int>(Quantity::crack_length)].add(length);
    for (int v = 0; v < 2 * GroupSums::count; ++v) host[TakeTotals::before_groups + v].add(length + v);
    host[quantity_count + 1].add(2 * length);
    sums.upload(host);
    backend.launch(TakeTotals{.sums = sums.data(),
                              .totals = totals.data(),
                              .columns = columns.data(),
                              .groups = groups.data(),
                              .group_count = 2});
    const QuantityTotals total = totals.download(1).front();
    CHECK(total[Quantity::failed_elements] == failed);
    CHECK(total[Quantity::crack_length] == length);
    CHECK(total[Quantity::kinetic_energy] == 0);
    for (int v = 0; v < 3 * GroupSums::count; ++v)
      CHECK(groups.download(3)[v / GroupSums::count].value[v % GroupSums::count] ==
            (v < 2 * GroupSums::count ? length + v : 0));
    CHECK(columns.download(most_process_columns) == std::vector{0.0, 2 * length, 0.0, 0.0});
    for (const FixedSum& sum : sums.download(sums.size())) CHECK(same_words(sum, {}));
  };
  take(3, 30);
  take(4, 40);
}

TEST_CASE("the last block of tables makes totals", "[sums]") {
  Backend backend;
  auto sums = upload(std::vector<FixedSum>(TakeTotals::before_groups));
  auto totals = upload(std::vector<QuantityTotals>(1));
  auto columns = upload(std::vector<double>(most_process_columns));
  auto done = filled<Index>(1, 0);
  for (const Index rows : {1, 128, 129, 20000, 60000}) {
    auto values = numbers_of_all_magnitudes(3 * static_cast<std::size_t>(rows), rows);
    auto buffer = upload(values);
    SumTables tables;
    tables.add(SumRows<Sums>{{buffer.data()}}, rows);
    const QuantityTotals expected = totals_of(backend, tables);
    tables.sums = sums.data();
    tables.blocks_done = done.data();
    tables.totals = {
        .sums = sums.data(), .totals = totals.data(), .columns = columns.data(), .groups = nullptr, .group_count = 0};
    for (int repeat = 0; repeat < 3; ++repeat) {
      totals.upload(std::vector<QuantityTotals>(1));
      backend.launch(tables);
      const QuantityTotals total = totals.download(1).front();
      for (int q = 0; q < quantity_count; ++q) CHECK(total.value[q] == expected.value[q]);
      CHECK(done.download(1).front() == 0);
      for (const FixedSum& sum : sums.download(quantity_count)) CHECK(same_words(sum, {}));
    }
  }
}

TEST_CASE("more tables of sums than a launch has room for are refused", "[sums]") {
  Buffer<double> rows = upload(std::vector<double>(3));
  SumTables tables;
  for (int k = 0; k < SumTables::most_tables; ++k) tables.add(SumRows<Sums>{{rows.data()}}, 1);
  CHECK_THROWS_AS(tables.add(SumRows<Sums>{{rows.data()}}, 1), std::logic_error);
}

}  // namespace cleave::test
