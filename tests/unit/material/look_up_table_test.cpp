/// Tables that laws look up.
#include "cleave/material/look_up_table.hpp"

#include <catch2/catch.hpp>

#include "laws/user_table_example.hpp"

namespace cleave::test {

TEST_CASE("a law's table is linear between its points and constant outside") {
  const auto table = LookUpTable<4>::make({{-1, 10}, {0, 20}, {4, 12}});
  CHECK(table.value(-5) == 10);
  CHECK(table.value(-1) == 10);
  CHECK(table.value(-0.5) == 15);
  CHECK(table.value(0) == 20);
  CHECK(table.value(1) == 18);
  CHECK(table.value(4) == 12);
  CHECK(table.value(100) == 12);
  CHECK(LookUpTable<4>::make({{0, 3}, {2, 5}}, 10).value(3) == 15);
  const auto one = LookUpTable<1>::make({{7, 3}});
  CHECK(one.value(6) == 3);
  CHECK(one.value(8) == 3);
  CHECK_THROWS_AS(LookUpTable<2>::make({{0, 1}, {1, 1}, {2, 1}}), std::length_error);
  CHECK_THROWS_AS(LookUpTable<2>::make({}), std::length_error);
}

TEST_CASE("softening by a table of any width dissipates the fracture energy") {
  for (const double width : {0.5, 1.0, 30.0}) {
    const CohesiveMode mode{3e6, 120, 2};
    const CohesiveParameters modes{mode, mode, {}, {{{0, 1}, {0.8 * width, 0.3333}, {3.6 * width, 0}}}};
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
