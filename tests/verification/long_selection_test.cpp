/// Which facets break in a check (cohesive.insertion.selection), how often it comes (every), and what that does to peak
/// stress and dissipated energy when the mesh is refined: a tension bar, a thin bar that fragments, a thick ring.
#include <algorithm>
#include <cmath>

#include "stretching.hpp"

namespace cleave::verification {
namespace {

const char* name_of(Selection selection) { return selection == Selection::all ? "all" : "local_maximum"; }

CohesiveCase fracture(double strength, double energy, int every, Selection selection) {
  CohesiveCase c;
  c.parameters.normal = c.parameters.tangential = {strength, energy, 2};
  c.insertion.every = every;
  c.insertion.selection = selection;
  return c;
}

struct Tension {
  double peak;        ///< mean stress over the strength
  double dissipated;  ///< over G b
  int cracks;         ///< cohesive elements
};

/// A bar of 20 x 30 mm that is drawn along y. It stretches evenly until it breaks; plane stress, unstructured mesh.
/// @param rate  of strain, 1/s
Tension draw(double h, double rate, int every, Selection selection, unsigned seed, const std::string& backend) {
  constexpr double width = 0.02, length = 0.03, young = 50e9, strength = 10e6, energy = 40, thickness = 1e-3;
  const std::array divisions{std::max(1, static_cast<int>(std::lround(width / h))),
                             static_cast<int>(std::lround(length / h))};
  Mesh mesh = delaunay(rectangle(ElementType::t3, divisions, {width, length}), ElementType::t6, seed);
  Model m = make_model(mesh, ElasticParameters{young, 0.2, 2400, PlaneType::stress}, 0.4, thickness);
  m.cohesive = fracture(strength, energy, every, selection);
  const double start = 0.9 * strength / young, speed = rate * length;
  set_displacement(m, [&](Point p) { return Point{-0.2 * start * (p.x - width / 2), start * p.y}; });
  set_velocity(m, [&](Point p) { return Point{-0.2 * rate * (p.x - width / 2), rate * p.y}; });
  move_y(m, "bottom", add_motion(m, 0));
  move_y(m, "top", add_motion(m, speed));
  const Group& top = *m.mesh.find_group("top");
  m.held_groups.push_back({"top", top.nodes, std::vector<std::uint8_t>(top.nodes.size(), HeldGroup::y)});
  const auto solver = make_solver(m, backend);
  double peak = 0;
  HistoryRow row;
  for (const double end = 2.5 * 2 * energy / strength / speed; static_cast<double>(solver->step()) * m.step < end;) {
    solver->advance(10);
    row = solver->history();
    peak = std::max(peak, row.groups.at(0).reaction_y / (width * thickness));
    CHECK(std::abs(row.balance_error) < 1e-10);
  }
  return {peak / strength, row.dissipated_energy / (energy * width * thickness),
          static_cast<int>(row.cohesive_elements)};
}

}  // namespace

TEST_CASE("a tension bar reaches 95 % of its strength for any selection of facets and mesh", "[long]") {
  CLEAVE_ON_EVERY_DEVICE();
  // The faster the ends go, the more cracks share the opening before one of them wins.
  std::vector<std::vector<double>> rows;
  for (const auto& [rate, intervals] : {std::pair(10.0, std::vector{1, 2, 5, 10}), {2.0, std::vector{1, 10}}})
    for (const Selection selection : {Selection::all, Selection::local_maximum})
      for (const int every : intervals)
        for (const double h : {10e-3, 5e-3, 2.5e-3, 1.25e-3}) {
          Tension mean{0, 0, 0};
          constexpr int seeds = 2;
          for (unsigned seed = 1; seed <= seeds; ++seed) {
            const Tension t = draw(h, rate, every, selection, seed, backend);
            mean.peak += t.peak / seeds;
            mean.dissipated += t.dissipated / seeds;
            mean.cracks += t.cracks;
          }
          const std::string name = "rate " + std::to_string(static_cast<int>(rate)) + "/s, " + name_of(selection) +
                                   ", every " + std::to_string(every) + ", h " + std::to_string(1e3 * h).substr(0, 4) +
                                   " mm: ";
          UNSCOPED_INFO(name << mean.peak << ", " << mean.dissipated);
          CHECK(mean.peak > 0.95);
          record("tension bar, selection of facets", name + "peak / strength", 1, mean.peak, "", "none");
          record("tension bar, selection of facets", name + "dissipated / (G b)", 1, mean.dissipated, "", "none");
          rows.push_back({rate, selection == Selection::all ? 0.0 : 1.0, double(every), h, mean.peak, mean.dissipated,
                          double(mean.cracks) / seeds});
        }
  write_series("selection_tension", "rate,local_maximum,every,h,peak,dissipated,cohesive_elements", rows);
}

namespace {

/// Mean fragment size over that of the fit, and what cracks dissipate over G times the wall times the fragments that
/// the fit expects.
std::pair<double, double> burst(const Stretching& body, int every, Selection selection, const std::string& backend) {
  const Model m = body.make(fracture(Ceramic::strength, Ceramic::energy, every, selection));
  const auto solver = make_solver(m, backend);
  solver->advance(static_cast<Step>(std::ceil(12 * Ceramic::t0 / m.step)));
  const auto pieces = body.pieces(m.mesh, solver->snapshot());
  return {body.fragments / static_cast<double>(pieces.size()),
          solver->history().dissipated_energy / (Ceramic::energy * body.thickness() * 1e-3 * body.fragments)};
}

}  // namespace

TEST_CASE("bars and rings break into fragments above half the fitted size for any selection of facets", "[long]") {
  CLEAVE_ON_EVERY_DEVICE();
  std::vector<std::vector<double>> rows;
  for (const Stretching& body : {Stretching{true, 0.1, 2, 0.3, 40},
                                 {false, 0.1, 2, 0.3, 40},
                                 {false, 0.5, 2, 1.0, 40},
                                 {false, 0.5, 4, 1.0, 40}})
    for (const Selection selection : {Selection::all, Selection::local_maximum})
      for (const int every : {1, 2, 5, 10}) {
        const auto [size, dissipated] = burst(body, every, selection, backend);
        const std::string name = std::string(body.straight ? "bar" : "ring") + ", wall " +
                                 std::to_string(body.wall).substr(0, 3) + ", " + std::to_string(body.quads) +
                                 " quads, " + name_of(selection) + ", every " + std::to_string(every) + ": ";
        CHECK(size > 0.5);
        record("bar and rings, selection of facets", name + "mean size / fit", 1, size, "", "none");
        record("bar and rings, selection of facets", name + "dissipated / (G b n)", 1, dissipated, "", "none");
        rows.push_back({body.straight ? 1.0 : 0.0, body.wall, double(body.quads),
                        selection == Selection::all ? 0.0 : 1.0, double(every), size, dissipated});
      }
  write_series("selection_rings", "straight,wall,quads,local_maximum,every,size,dissipated", rows);
}

}  // namespace cleave::verification
