/// What laws derive from their parameters in single precision.
#define CLEAVE_SINGLE_PRECISION
#include <catch2/catch.hpp>

#include "cleave/material/ppr.hpp"

namespace cleave::test {
namespace {

/// Hides how a value came about: what follows can only be computed from the double itself.
double hidden(double value) {
  volatile double v = value;
  return v;
}

}  // namespace

// GCC 12 computed these from widths that it had or had not rounded, as its flags were: the two backends differed.
TEST_CASE("derived parameters of PPR are rounded once", "[ppr][precision]") {
  const double strength_n = 26192794.5, energy_n = 64.64, strength_t = 26189056, energy_t = 33;
  const double shape_t = GENERATE(2, 3, 4);
  const Ppr law = Ppr::make({{strength_n, energy_n, 2}, {strength_t, energy_t, shape_t}});
  const double width_t = hidden(hidden(shape_t * energy_t) / strength_t);
  const double slope_t = hidden(hidden(-shape_t) / width_t);
  CHECK(law.width_t == static_cast<float>(width_t));
  CHECK(law.per_width_t == static_cast<float>(hidden(1 / width_t)));
  CHECK(law.coupled_t == static_cast<float>(hidden(slope_t * -energy_n)));
  CHECK(law.alone_t == static_cast<float>(hidden(slope_t * (energy_n - energy_t))));
}

}  // namespace cleave::test
