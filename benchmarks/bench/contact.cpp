/// cleave bench contact: the cost of contact of a body's surface with itself.
#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <string>

#include "bench/bench.hpp"
#include "cleave/core/error.hpp"

namespace cleave::benchmark {
namespace {

constexpr Step counted_steps = 200;  ///< steps in which stages, searches and touching points are counted
constexpr int tile = 3;              ///< quads: their sides are about a tenth of all facets

/// Number of a triangle's tile, of `tile` by `tile` quads.
std::pair<int, int> tile_of(const Mesh& mesh, const MeshCase& shape, Index e) {
  Point p{};
  for (int i = 0; i < 3; ++i) {
    p.x += mesh.nodes[mesh.node(e, i)].x / 3;
    p.y += mesh.nodes[mesh.node(e, i)].y / 3;
  }
  double along = p.x / shape.size[0], across = p.y / shape.size[1];
  if (shape.shape == MeshShape::ring) {
    along = (std::hypot(p.x, p.y) - shape.inner_radius) / (shape.outer_radius - shape.inner_radius);
    across = std::atan2(p.y, p.x) / (2 * std::numbers::pi) + 0.5;
  }
  return {static_cast<int>(along * shape.divisions[0] / tile), static_cast<int>(across * shape.divisions[1] / tile)};
}

std::vector<Index> facets_between_tiles(const Mesh& mesh, const MeshCase& shape) {
  std::vector<Index> facets;
  for (const Index code : interior_facets(mesh))
    if (tile_of(mesh, shape, element_of(code)) != tile_of(mesh, shape, element_of(mesh.neighbours[code])))
      facets.push_back(code);
  return facets;
}

/// Steel that breaks where it is cut alone, and there at once, as it is under tension. Its parts draw back from each
/// other then, and a pressure drives them together.
Case brittle_case(const MeshCase& mesh, bool touches, bool is_pressed) {
  Case c = unbreakable_case(mesh, Assembly::gather);
  c.cohesive->parameters.normal = c.cohesive->parameters.tangential = {1e15, 1e-3, 2};
  c.initial.strain = {1e-4, 1e-4, 0};
  const bool is_ring = mesh.shape == MeshShape::ring;
  for (const char* side : {"left", "right", "bottom", "top", "outer"}) {
    if (!is_pressed || is_ring != (std::string(side) == "outer")) continue;
    BoundaryCase pressed;
    pressed.on = side;
    pressed.kind = BoundaryCase::Kind::pressure;
    pressed.pressure = 20e6;
    c.boundary.push_back(pressed);
  }
  if (touches) c.contact.emplace();
  return c;
}

/// A body whose tiles fly apart faster than they swing, and stay near each other.
Model expanding_model(const MeshCase& mesh) {
  Case c = brittle_case(mesh, true, false);
  c.initial.strain = {1e-6, 1e-6, 0};
  const double rate = 2e-5 / (static_cast<double>(counted_steps) * make_model(c).step);
  c.initial.velocity_gradient = {rate, 0, 0, rate};
  return make_model(c);
}

/// The body in tiles, which swing, and hit each other if they are pressed.
void cut_into_tiles(Solver& solver, const std::vector<Index>& facets) {
  solver.advance(1);
  solver.insert_cohesive(facets);
  solver.advance(counted_steps, Output::history);
}

/// Median time of a step, s.
double seconds_per_step(Solver& solver, double least) {
  return time_steps([&](Step n) { solver.advance(n); }, least).median;
}

/// Work of contact in steps.
struct Counts {
  double candidates = 0;  ///< in a step: pairs of a point and a part near it; lists of close parts leave most out
  double moved = 0;       ///< points in a step: they touch, or settle
  double touching = 0;    ///< points in a step
  double searches = 0;    ///< in a step
  double listing = 0;     ///< s in a step: points that may touch something are found among all
  double moving = 0;      ///< s in a step: these points
  Json stages;            ///< s in a step, by name
};
Counts count(Solver& solver) {
  constexpr Step every = 20;
  Counts counts;
  const auto before = solver.stage_times();
  for (Step at = 0; at < counted_steps; at += every) {
    solver.advance(every, Output::history);
    counts.moved += static_cast<double>(every) / counted_steps * solver.contact_counts().engaged;
    counts.touching += static_cast<double>(every) / counted_steps * solver.history().contact_points;
  }
  for (const StageTime& stage : spent_between(before, solver.stage_times())) {
    if (stage.name == "near contact points") counts.listing = stage.seconds / counted_steps;
    if (stage.name == "contact points") counts.moving = stage.seconds / counted_steps;
    counts.stages[stage.name] = stage.seconds / counted_steps;
    if (stage.name == "contact cells") counts.searches = static_cast<double>(stage.calls) / counted_steps;
  }
  counts.candidates = solver.contact_counts().candidates;
  return counts;
}

/// The body in one piece, which moves on: with so many searches, and nothing touches.
Model moving_model(const MeshCase& mesh, double distance) {
  Case c = brittle_case(mesh, true, false);
  Model model = make_model(c);
  c.initial.velocity = {distance / model.step, 0};
  return make_model(c);
}

}  // namespace

Json contact(const BenchOptions& options, const std::vector<Machine>& on) {
  Json rows = Json::array();
  fmt::print(
      "Contact of a body's surface with itself: steps of the body in one piece and in tiles of {} x {} quads, without\n"
      "contact, and what contact adds: to the body in one piece; to tiles that touch nothing; to tiles that hit each\n"
      "other, whose points move, of which some touch\n\n",
      tile, tile);
  fmt::print("{:<22} {:<28} {:>9} {:>9} {:>9} {:>9} {:>9} {:>9} {:>12} {:>11} {:>11} {:>11}\n", "mesh", "machine",
             "us, whole", "contact", "us, tiles", "apart", "hitting", "facets", "candidates/s", "moving/s",
             "touching/s", "us a search");
  for (const NamedMesh& mesh : parse_meshes(options.meshes, {"rectangle:96x96", "rectangle:192x192:T3"})) {
    const Model without = make_model(brittle_case(mesh.mesh, false, false)),
                loose = make_model(brittle_case(mesh.mesh, true, false)), expanding = expanding_model(mesh.mesh),
                with = make_model(brittle_case(mesh.mesh, true, true));
    const std::vector<Index> cut = facets_between_tiles(with.mesh, mesh.mesh);
    const double share = static_cast<double>(cut.size()) / static_cast<double>(interior_facets(with.mesh).size());
    Model staged = with, expanding_staged = expanding;
    staged.time_stages = expanding_staged.time_stages = true;
    // A search comes when a node has moved by half of the shortest part of a side: here after some ten steps.
    const double cell = mesh.mesh.shape == MeshShape::ring
                            ? (mesh.mesh.outer_radius - mesh.mesh.inner_radius) / mesh.mesh.divisions[0]
                            : mesh.mesh.size[0] / mesh.mesh.divisions[0];
    Model moving = moving_model(mesh.mesh, cell / 50), moving_staged = moving;
    moving_staged.time_stages = true;
    for (const Machine& m : on) {
      if (!m.takes(with.mesh.element_count(), options)) continue;
      const auto time_of = [&](const Model& model, bool in_tiles) {
        const auto solver = m.solver(model);
        if (in_tiles) cut_into_tiles(*solver, cut);
        return seconds_per_step(*solver, options.least_seconds);
      };
      const double alone = time_of(without, false), idle = time_of(loose, false), tiles = time_of(without, true),
                   apart = time_of(expanding, true), touching = time_of(with, true), moved = time_of(moving, false);
      const auto solver = m.solver(staged), lone = m.solver(expanding_staged), searching = m.solver(moving_staged);
      cut_into_tiles(*solver, cut);
      cut_into_tiles(*lone, cut);
      const Counts counts = count(*solver), of_lone = count(*lone), of_moving = count(*searching);
      const double search = (moved - idle) / of_moving.searches;
      const auto added = [](double contact, double none) { return 100 * (contact / none - 1); };
      fmt::print(
          "{:<22} {:<28} {:>9.2f} {:>+8.1f}% {:>9.2f} {:>+8.1f}% {:>+8.1f}% {:>8.1f}% {:>10.1f} M {:>9.2f} M {:>9.2f} "
          "M {:>11.1f}\n",
          mesh.name, m.short_name(), alone * 1e6, added(idle, alone), tiles * 1e6, added(apart, tiles),
          added(touching, tiles), 100 * share, counts.candidates / counts.listing * 1e-6,
          counts.moved / counts.moving * 1e-6, counts.touching / counts.moving * 1e-6, search * 1e6);
      std::fflush(stdout);
      rows.push_back({{"mesh", mesh.name},
                      {"elements", with.mesh.element_count()},
                      {"machine", m.name},
                      {"seconds_per_step", alone},
                      {"seconds_per_step_with_contact", idle},
                      {"facets_on_surfaces", share},
                      {"seconds_per_step_of_tiles", tiles},
                      {"seconds_per_step_of_tiles_apart_with_contact", apart},
                      {"touching_points_of_tiles_apart", of_lone.touching},
                      {"seconds_per_step_of_tiles_with_contact", touching},
                      {"candidates", counts.candidates},
                      {"moving_points", counts.moved},
                      {"touching_points", counts.touching},
                      {"seconds_of_listing", counts.listing},
                      {"seconds_of_moving", counts.moving},
                      {"searches", counts.searches},
                      {"seconds_of_stages", counts.stages},
                      {"seconds_of_stages_apart", of_lone.stages},
                      {"candidates_per_second", counts.candidates / counts.listing},
                      {"touching_points_per_second", counts.touching / counts.moving},
                      {"seconds_per_search", search}});
    }
  }
  return rows;
}

}  // namespace cleave::benchmark
