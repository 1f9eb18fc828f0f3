/// Tables that laws look up.
#include "cleave/material/look_up_table.hpp"

#include <catch2/catch.hpp>

#include "laws/user_table_example.hpp"

namespace cleave::test {

TEST_CASE("a law's table is linear between its points and constant outside") {
  const auto table = LookUpTable::make({{{-1, 10}, {0, 20}, {4, 12}}});
  CHECK(table.value(-5) == 10);
  CHECK(table.value(-1) == 10);
  CHECK(table.value(-0.5) == 15);
  CHECK(table.value(0) == 20);
  CHECK(table.value(1) == 18);
  CHECK(table.value(4) == 12);
  CHECK(table.value(100) == 12);
  CHECK(LookUpTable::make({{{0, 3}, {2, 5}}}, 10).value(3) == 15);
  const auto one = LookUpTable::make({{{7, 3}}});
  CHECK(one.value(6) == 3);
  CHECK(one.value(8) == 3);
  CHECK_THROWS_AS(LookUpTable::make({}), std::length_error);
}

TEST_CASE("every piece of a long table is found") {
  for (const int rows : {2, 3, 4, 7, 64, 1000}) {
    LawTable squares;
    for (int i = 0; i < rows; ++i) squares.rows.push_back({i + 0.25, static_cast<double>(i * i)});
    const auto table = LookUpTable::make(squares, -3);
    for (int i = 0; i < rows; ++i) {
      CAPTURE(rows, i);
      const double slope = i + 1 < rows ? 2 * i + 1 : -3;
      for (const double beyond : {0.0, 0.5, 0.75}) {
        CHECK(table.piece(i + 0.25 + beyond) == i);
        CHECK(table.value(i + 0.25 + beyond) == i * i + slope * beyond);
      }
      CHECK(table.slope(i) == slope);
      if (i + 1 < rows) CHECK(table.end(i) == i + 1.25);
    }
  }
}

TEST_CASE("a law keeps its table when the case is gone, and one of many equal ones") {
  const auto made = [](double level) { return LookUpTable::make({{{0, 1}, {1, level}, {2, 3}}}); };
  const auto one = made(2), same = made(2), other = made(5);
  CHECK(one.value(1.5) == 2.5);
  CHECK(other.value(1.5) == 4);
  CHECK(one.on_host == same.on_host);
  CHECK(one.on_host != other.on_host);
}

TEST_CASE("softening by a table of any width dissipates the fracture energy") {
  for (const double width : {0.5, 1.0, 30.0}) {
    const CohesiveMode mode{3e6, 120, 2};
    const CohesiveParameters modes{mode, mode, {}, {{{{0, 1}, {0.8 * width, 0.3333}, {3.6 * width, 0}}}}};
    const Tabulated law = Tabulated::make(modes);
    // Trapezoids, whose pieces the knees lie in by chance: of the order of the step.
    constexpr int steps = 100000;
    const double end = 4 * 2 * mode.energy / mode.strength, step = end / steps;
    double work = 0;
    for (int i = 0; i < steps; ++i)
      work +=
          step * mode.strength * (1 - law.TabulatedSoftening::damage((i + 0.5) * step, mode.strength, mode.energy, 0));
    CHECK(work == Approx(mode.energy).epsilon(1e-4));
    CHECK(law.TabulatedSoftening::damage(end, mode.strength, mode.energy, 0) == 1);
  }
}

}  // namespace cleave::test
