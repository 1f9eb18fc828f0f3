/// A bar of rubber is drawn slowly until it breaks: it bears most when Cauchy's stress is its strength.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "cleave/case/case.hpp"
#include "support.hpp"

namespace cleave::verification {
namespace {

/// A neo-Hookean bar in plane strain, by its stretch, with nothing on its sides.
struct Rubber {
  static constexpr double young = 1e7, nu = 0.45;
  static constexpr double mu = young / (2 * (1 + nu)), lambda = young * nu / ((1 + nu) * (1 - 2 * nu));

  /// Of the sides: the stress across vanishes.
  static double width(double stretch) {
    double low = 0.05, high = 1.5;
    for (int i = 0; i < 200; ++i) {
      const double w = (low + high) / 2;
      (mu * (w - 1 / w) + lambda * std::log(stretch * w) / w > 0 ? high : low) = w;
    }
    return low;
  }
  static double nominal(double stretch) {
    return mu * (stretch - 1 / stretch) + lambda * std::log(stretch * width(stretch)) / stretch;
  }
  static double cauchy(double stretch) { return nominal(stretch) / width(stretch); }
};

}  // namespace

TEST_CASE("a bar of rubber bears most when Cauchy's stress is its strength", "[cohesive][finite]") {
  CLEAVE_ON_EVERY_DEVICE();
  const std::string element = GENERATE(std::string("T3"), std::string("T6"));
  const std::string law = GENERATE(std::string("ppr"), std::string("linear"), std::string("exponential"));
  const double stretch = GENERATE(1.04, 1.35, 2.01);
  CAPTURE(element, law, stretch);
  const double strength = Rubber::cauchy(stretch);
  // From 0.96 of the way on, in equilibrium, and as far again. The facets soften so slowly that no recoil pulls harder.
  constexpr double length = 0.04, height = 0.01, end = 6e-3;
  const double first = 1 + 0.96 * (stretch - 1), rate = 0.08 * (stretch - 1) / end, step = 1e-6;
  const double width = Rubber::width(first), narrowing = (Rubber::width(first + step) - width) / step * rate;
  const auto number = [](double value) { return fmt::format("{:.17g}", value); };
  const Model m = cleave::make_model(
      parse_case("mesh: {shape: rectangle, size: [0.04, 0.01], divisions: [8, 2], element: " + element +
                     ", thickness: 1}\n"
                     "material: {law: neo_hookean, young_modulus: " +
                     number(Rubber::young) + ", poisson_ratio: " + number(Rubber::nu) +
                     ", density: 1100, plane: strain}\n"
                     "time: {end: " +
                     number(end) +
                     ", safety: 0.3}\n"
                     "cohesive: {law: " +
                     law + ", normal: {strength: " + number(strength) + ", energy: " + number(5e-3 * strength) +
                     "}, insertion: {every: 1}}\n"
                     "initial: {strain: {xx: " +
                     number(first - 1) + ", yy: " + number(width - 1) + "}, velocity_gradient: {xx: " + number(rate) +
                     ", yy: " + number(narrowing) +
                     "}}\n"
                     "boundary:\n"
                     "  - {on: left, velocity: {x: " +
                     number(-rate * length / 2) +
                     "}}\n"
                     "  - {on: right, velocity: {x: " +
                     number(rate * length / 2) + "}}\n",
                 "bar.yaml"));
  const auto solver = make_solver(m, backend);
  double largest = 0;
  HistoryRow row = solver->history();
  while (static_cast<double>(solver->step()) * m.step < end) {
    solver->advance(5);
    row = solver->history();
    for (const auto& group : row.groups) largest = std::max(largest, group.reaction_x / height);
  }
  CHECK(row.cohesive_elements >= 2);
  CHECK(std::abs(row.balance_error) < 1e-9);
  CHECK(largest == Approx(Rubber::nominal(stretch)).epsilon(0.01));
  record("rubber bar", law + " " + element + ", stretch " + fmt::format("{:g}", stretch) + ": largest nominal stress",
         Rubber::nominal(stretch), largest, "Pa", "1 %");
}

}  // namespace cleave::verification
