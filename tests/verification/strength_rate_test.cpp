/// Strength that grows with the rate: a body that is drawn or sheared evenly breaks at the factor's stress.
#include <cmath>
#include <string>

#include "cleave/case/case.hpp"
#include "support.hpp"

namespace cleave::verification {
namespace {

/// A square that deforms evenly in its middle, where alone it may break, until waves from its sides come there.
std::string square(const std::string& element, const std::string& assembly, const std::string& kinematics,
                   const std::string& gradient, const std::string& rate) {
  return "mesh: {shape: rectangle, size: [0.02, 0.02], divisions: [10, 10], element: " + element + "}\n" +
         "material: {law: " + (kinematics == "finite" ? "st_venant_kirchhoff" : "linear_elastic") +
         ", young_modulus: 1.0e9, poisson_ratio: 0, density: 1000, plane: stress}\n"
         "kinematics: " +
         kinematics +
         "\n"
         "time: {end: 3.0e-6, safety: 0.02}\n"
         "cohesive: {law: linear, normal: {strength: 5.0e6, energy: 500}, tangential: {strength: 4.0e6}, rate: " +
         rate +
         ", insertion: {every: 1, region: {box: [0.0095, 0.0085, 0.0105, 0.0115]}}}\n"
         "initial: {velocity_gradient: " +
         gradient +
         "}\n"
         "run: {assembly: " +
         assembly + "}\n";
}

/// Runs until it breaks. Returns the time, s.
double break_time(Solver& solver, const Model& m) {
  while (solver.history().cohesive_elements == 0 && static_cast<double>(solver.step()) * m.step < 3e-6)
    solver.advance(1);
  REQUIRE(solver.history().cohesive_elements > 0);
  return static_cast<double>(solver.step()) * m.step;
}

}  // namespace

TEST_CASE("a facet under fast loading is stronger by (1 + rate / reference)^n", "[cohesive][rate]") {
  CLEAVE_ON_EVERY_BACKEND();
  const std::string element = GENERATE(std::string("T3"), std::string("T6"));
  const bool gather = backend.ends_with("gather");
  const std::string kinematics = gather ? GENERATE(std::string("small"), std::string("finite")) : std::string("small");
  CAPTURE(element, kinematics);
  // Strain 1e4 / s: at 1.4 times the strength 5 MPa after 0.7 us, when waves have come 0.7 mm.
  const double factor = std::pow(1 + 1e4 / 500, 0.11);
  REQUIRE(factor == Approx(1.398).epsilon(1e-3));
  const Model m = cleave::make_model(parse_case(
      square(element, gather ? "gather" : "coloured", kinematics, "{xx: 1.0e4}", "{reference: 500, exponent: 0.11}"),
      "square.yaml"));
  const auto solver = make_solver(m, backend);
  const double at = break_time(*solver, m);
  // Of finite strains: Cauchy's stress and rate of the stretched body.
  const double expected = factor * 5e6 / (1e9 * 1e4), shift = kinematics == "finite" ? 0.02 : 0;
  CHECK(at == Approx(expected).epsilon(shift).margin(1.01 * m.step));
  for (const auto& facet : solver->snapshot().cohesive)
    CHECK(facet.strength_scale == Approx(factor).epsilon(kinematics == "finite" ? 2e-3 : 1e-9));
  record("strength by rate", element + " " + kinematics + ": time to break", expected, at, "s", "a step");
}

TEST_CASE("sliding and opening count for the rate, rotation does not", "[cohesive][rate]") {
  CLEAVE_ON_EVERY_BACKEND();
  const bool gather = backend.ends_with("gather");
  // Shear of 2e4 / s by half a turn: facets at 0 and 90 degrees see it whole.
  const double factor = std::pow(1 + 2e4 / 500, 0.11);
  const Model m = cleave::make_model(parse_case(square("T3", gather ? "gather" : "coloured", "small",
                                                       "{xy: 1.6e4, yx: 0.4e4}", "{reference: 500, exponent: 0.11}"),
                                                "square.yaml"));
  const auto solver = make_solver(m, backend);
  break_time(*solver, m);
  for (const auto& facet : solver->snapshot().cohesive)
    if (std::abs(facet.length - 0.002) < 1e-9) CHECK(facet.strength_scale == Approx(factor).epsilon(1e-9));
}

TEST_CASE("without a rate the same body breaks at its strength", "[cohesive][rate]") {
  CLEAVE_ON_EVERY_BACKEND();
  const Model m = cleave::make_model(
      parse_case(square("T3", backend.ends_with("gather") ? "gather" : "coloured", "small", "{xx: 1.0e4}", "none"),
                 "square.yaml"));
  const auto solver = make_solver(m, backend);
  CHECK(break_time(*solver, m) == Approx(5e6 / (1e9 * 1e4)).margin(1.01 * m.step));
  for (const auto& facet : solver->snapshot().cohesive) CHECK(facet.strength_scale == 1);
}

}  // namespace cleave::verification
