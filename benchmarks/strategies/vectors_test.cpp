/// Matrix-vector products and reductions of any size against plain loops.
#include <catch2/catch.hpp>
#include <limits>

#include "backend/backend.hpp"
#include "backend/device_mesh.hpp"
#include "strategies/kernels/matrix_vector.hpp"

namespace cleave::test {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

template <class Product>
std::vector<double> multiplied(Index rows, Index columns, const std::vector<double>& a, const std::vector<double>& x,
                               double alpha, double beta, const std::vector<double>& y) {
  Backend backend;
  auto matrix = upload(a), vector = upload(x), result = upload(y);
  const Index parts = Product::parts_of(columns);
  auto part = filled<double>(static_cast<std::size_t>(parts * rows) + 1, -7);
  backend.launch(Product{{matrix.data(), rows, columns}, vector.data(), part.data()});
  backend.launch(FinishProduct{rows, parts, part.data(), alpha, beta, result.data()});
  CHECK(part.download(static_cast<std::size_t>(parts * rows) + 1).back() == -7);
  return result.download(y.size());
}

}  // namespace

TEMPLATE_TEST_CASE("y = alpha A x + beta y for any matrix", "[vectors]", RowProduct, ColumnsOverBlocks, SquareTiles,
                   CoalescedTiles, RectangularTiles, FewerWorkers) {
  for (const Index rows : {0, 1, 31, 33, 2000})
    for (const Index columns : {0, 1, 31, 33, 2049}) {
      CAPTURE(rows, columns);
      const auto a = random_numbers(static_cast<std::size_t>(rows * columns), -1, 1, 1);
      const auto x = random_numbers(columns, -1, 1, 2), y = random_numbers(rows + 1, -1, 1, 3);
      for (const auto& [alpha, beta] : {std::pair{1.0, 0.0}, std::pair{-2.5, 0.75}}) {
        const auto result = multiplied<TestType>(rows, columns, a, x, alpha, beta, y);
        for (Index r = 0; r < rows; ++r) {
          double sum = 0;
          for (Index c = 0; c < columns; ++c) sum += a[r * columns + c] * x[c];
          // Each of `columns` products below 1 is rounded, and so is each sum.
          REQUIRE(std::abs(result[r] - (alpha * sum + beta * y[r])) <= 1e-15 * (columns + 4) * 3);
        }
        CHECK(result[rows] == y[rows]);
        if (beta == 0) {  // y is not read then
          std::vector<double> unknown(rows + 1, nan);
          const auto again = multiplied<TestType>(rows, columns, a, x, alpha, beta, unknown);
          for (Index r = 0; r < rows; ++r) REQUIRE(again[r] == result[r]);
        }
      }
    }
}

}  // namespace cleave::test
