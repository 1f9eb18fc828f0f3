/// A layer between others that are stiffer or softer, all pulled together: it breaks at its own strength.
#include <cmath>
#include <string>

#include "cleave/case/case.hpp"
#include "support.hpp"

namespace cleave::verification {
namespace {

constexpr double modulus = 1e9, strength = 2e6;   // of the layer, Pa
constexpr double first = 0.2505, growth = 0.001;  // of its stress, in strengths: at the start, and in a step

/// A strip of three layers that is stretched along them, so fast that every node keeps its speed and every layer its
/// own uniform stress. Only facets inside the middle layer may break.
/// @param times  as stiff as the middle layer the others are
Model strip(const std::string& element, const std::string& law, const std::string& aggregate, double times) {
  const auto number = [](double value) { return std::to_string(value); };
  const std::string properties = ", poisson_ratio: 0, density: 1000, plane: stress}\n";
  Model m = cleave::make_model(parse_case(
      "mesh: {shape: rectangle, size: [0.04, 0.01], divisions: [16, 4], element: " + element +
          ", regions: {layer: {box: [0, 0.0025, 0.04, 0.0075]}}}\n"
          "material:\n"
          "  - {young_modulus: " +
          number(times * modulus) + properties + "  - {on: layer, young_modulus: " + number(modulus) + properties +
          "time: {steps: 1, safety: 0.5}\n"
          "cohesive: {law: " +
          law + ", normal: {strength: " + number(strength) + ", energy: 80}, insertion: {every: 1, aggregate: " +
          aggregate + ", region: {box: [-1, 0.0026, 1, 0.0074]}}}\n",
      "layer.yaml"));
  const double strain = strength / modulus;
  set_displacement(m, [&](Point p) { return Point{first * strain * p.x, 0}; });
  set_velocity(m, [&](Point p) { return Point{growth * strain / m.step * p.x, 0}; });
  move_x(m, "left", add_motion(m, 0));
  move_x(m, "right", add_motion(m, growth * strain / m.step * 0.04));
  return m;
}

}  // namespace

TEST_CASE("a layer pulled together with stiffer or softer ones breaks at its strength", "[cohesive][materials]") {
  CLEAVE_ON_EVERY_BACKEND();
  const std::string element = GENERATE(std::string("T3"), std::string("T6"));
  const std::string law = GENERATE(std::string("ppr"), std::string("linear"));
  const std::string aggregate = GENERATE(std::string("mean"), std::string("max"));
  const double times = GENERATE(10.0, 0.1);
  CAPTURE(element, law, aggregate, times);
  const auto solver = make_solver(strip(element, law, aggregate, times), backend);
  while (solver->step() < 1500 && solver->history().cohesive_elements == 0) solver->advance(1);
  const double stress = first + growth * static_cast<double>(solver->step());
  CHECK(stress == Approx(1).margin(0.01));
  record("layer",
         law + ", " + aggregate + ", " + element + ", neighbours " + (times > 1 ? "stiffer" : "softer") +
             ": stress at which it breaks",
         1, stress, "strengths", "1 %");
  // All 15 columns of facets across the layer, each with what the layer bears.
  const Snapshot s = solver->snapshot();
  CHECK(s.cohesive.size() == 30);
  for (const auto& facet : s.cohesive) {
    CHECK(facet.traction_normal == Approx(strength).epsilon(2e-3));
    CHECK(std::abs(facet.traction_tangential) < 1e-6 * strength);
  }
}

}  // namespace cleave::verification
