/// A crack in a strip that was drawn and held: straight or branched, by how far it was drawn.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <numbers>
#include <string>

#include "cleave/case/case.hpp"
#include "support.hpp"

namespace cleave::verification {
namespace {

constexpr double rayleigh = 907.5;  // m/s, in plane stress
constexpr double slice = 0.25e-3;   // m

/// Lowest and highest failed facet of each slice across the strip.
struct Slice {
  double low = 1, high = 0;
  double width() const { return high - low; }
};
using Crack = std::map<int, Slice>;

Crack crack_of(const Snapshot& s) {
  Crack crack;
  for (const auto& facet : s.cohesive) {
    if (!facet.failed) continue;
    const Point a = s.position[facet.nodes[0]], b = s.position[facet.nodes[1]];
    Slice& at = crack[static_cast<int>((a.x + b.x) / 2 / slice)];
    at.low = std::min(at.low, (a.y + b.y) / 2);
    at.high = std::max(at.high, (a.y + b.y) / 2);
  }
  return crack;
}

/// The longest way that two branches go side by side, at least 0.5 mm apart.
struct Fork {
  int first = 0, slices = 0;
  double length() const { return slices * slice; }
};
Fork longest_fork(const Crack& crack) {
  Fork longest, now;
  for (const auto& [at, of] : crack) {
    if (of.width() < 0.5e-3) {
      now = {};
      continue;
    }
    if (now.slices == 0 || at != now.first + now.slices) now = {at, 0};
    ++now.slices;
    if (now.slices > longest.slices) longest = now;
  }
  return longest;
}
/// Angle between the branches, degrees: from how fast they part over the first 2 mm in which they are apart.
double angle_of(const Crack& crack, const Fork& fork) {
  const int last = fork.first + std::min(fork.slices, 8) - 1;
  const double apart = crack.at(last).width() - crack.at(fork.first).width();
  return std::atan(apart / ((last - fork.first) * slice)) * 180 / std::numbers::pi;
}

}  // namespace

TEST_CASE("a crack in stretched PMMA runs straight, or branches at higher energy", "[long]") {
  CLEAVE_ON_EVERY_DEVICE();
  const double drawn = GENERATE(0.035, 0.038, 0.040, 0.045);  // mm, at each edge
  CAPTURE(drawn);
  const double strain = 2 * drawn / 16;
  const Model m = cleave::make_model(read_case(
      std::filesystem::path(CLEAVE_SOURCE_DIR) / "configs/pmma_branching.yaml",
      {"initial.strain.yy=" + std::to_string(strain), "initial.strain.xx=" + std::to_string(-0.35 * strain)}));
  const auto solver = make_solver(m, backend, 2);
  std::vector<std::vector<double>> tips, facets;  // time, place each time the tip has gone on by 2 mm; ends, damage
  Crack crack;
  while (static_cast<double>(solver->step()) * m.step < 60e-6) {
    solver->advance(100);
    if (solver->history().failed_elements == 0) continue;
    crack = crack_of(solver->snapshot());
    const double tip = (crack.rbegin()->first + 1) * slice;
    if (tips.empty() || tip >= tips.back()[1] + 2e-3)
      tips.push_back({static_cast<double>(solver->step()) * m.step, tip});
    if (tip > 31.5e-3) break;
  }
  CHECK(std::abs(solver->history().balance_error) < 1e-11);
  REQUIRE(tips.size() >= 4);
  double fastest = 0;
  for (std::size_t i = 1; i < tips.size(); ++i)
    fastest = std::max(fastest, (tips[i][1] - tips[i - 1][1]) / (tips[i][0] - tips[i - 1][0]));
  const auto& start = tips[tips.size() / 3];
  const double plateau = (tips.back()[1] - start[1]) / (tips.back()[0] - start[0]);
  CHECK(fastest < 0.7 * rayleigh);
  const Fork fork = longest_fork(crack);
  const std::string name = "dU " + std::to_string(drawn).substr(0, 5) + " mm: ";
  if (drawn < 0.039) CHECK(fork.length() < 0.5e-3);
  if (drawn > 0.044) {
    CHECK(fork.length() > 2e-3);
    CHECK(angle_of(crack, fork) > 20);
    CHECK(angle_of(crack, fork) < 40);
    record("crack branching in PMMA", name + "angle between the branches", 30, angle_of(crack, fork), "degrees", "10");
  }
  record("crack branching in PMMA", name + "length of the longest fork", 0, fork.length() * 1e3, "mm",
         drawn < 0.039   ? "below 0.5"
         : drawn > 0.044 ? "above 2"
                         : "none");
  record("crack branching in PMMA", name + "speed over the last two thirds", 0.6, plateau / rayleigh,
         "of the Rayleigh speed", "none");
  record("crack branching in PMMA", name + "fastest 2 mm", 0.7, fastest / rayleigh, "of the Rayleigh speed",
         "0.7 at most");
  const Snapshot s = solver->snapshot();
  for (const auto& facet : s.cohesive) {
    const Point a = s.position[facet.nodes[0]], b = s.position[facet.nodes[1]];
    facets.push_back({a.x, a.y, b.x, b.y, facet.damage});
  }
  const std::string load = std::to_string(static_cast<int>(drawn * 1000 + 0.5));
  write_series("branching_tip_" + load, "time,tip", tips);
  write_series("branching_" + load, "x0,y0,x1,y1,damage", facets);
}

}  // namespace cleave::verification
