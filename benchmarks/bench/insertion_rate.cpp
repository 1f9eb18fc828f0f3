/// cleave bench insertion-rate: how fast steps are while facets break, against the steps before the first one did.
#include <fmt/format.h>

#include <algorithm>

#include "app/case_text.hpp"
#include "bench/bench.hpp"
#include "cleave/core/error.hpp"

namespace cleave::benchmark {
namespace {

/// The ring of configs/bursting_ring.yaml: pressure inside, cracks everywhere along the inner wall.
Case bursting_ring(const NamedMesh& mesh, Assembly assembly) {
  if (mesh.mesh.shape != MeshShape::ring)
    throw InputError(fmt::format("--mesh {}: insertion-rate bursts rings", mesh.name));
  Case c = unbreakable_case(mesh.mesh, assembly);
  c.mesh.perturbation_amplitude = 0.1;
  c.initial = {};
  c.cohesive->parameters.normal = c.cohesive->parameters.tangential = {850e6, 2000, 2};
  c.time.safety = 0.4;  // small meshes, too, take a few hundred steps until they break
  BoundaryCase pressed;
  pressed.on = "inner";
  pressed.kind = BoundaryCase::Kind::pressure;
  pressed.pressure = 400e6;
  pressed.curve = "pulse";
  c.boundary = {pressed};
  c.curves.emplace("pulse", Curve::exponential(100e-6));
  return c;
}

constexpr Step part = 50;                   // steps; a whole number of checks
constexpr int window = 10;                  // parts that are timed together
constexpr std::size_t longest_wait = 2000;  // parts until the first facet breaks
constexpr Step timed = window * part;

/// Two stretches of `timed` steps: the last before the first facet breaks, and the one in which most break.
struct Stretches {
  Step elastic = 0, breaking = 0;  ///< first step
  Index inserted = 0;              ///< cohesive elements, while breaking
  Index cohesive = 0;              ///< at the end of it
};

Stretches find_stretches(Solver& solver) {
  std::vector<Index> count{0};  // cohesive elements after each part
  const auto onset = [&] {
    return std::find_if(count.begin(), count.end(), [](Index n) { return n > 0; }) - count.begin();
  };
  while (static_cast<Step>(count.size()) <= onset() + 4 * window) {
    if (count.back() == 0 && count.size() > longest_wait) throw InputError("bench insertion-rate: nothing breaks");
    solver.advance(part);
    count.push_back(solver.history().cohesive_elements);
  }
  if (onset() <= window + 1) throw InputError("bench insertion-rate: facets break too early; take a finer mesh");
  Stretches s;
  s.elastic = part * (onset() - 1 - window);
  for (std::size_t i = 0; i + window < count.size(); ++i)
    if (count[i + window] - count[i] > s.inserted)
      s = {s.elastic, part * static_cast<Step>(i), count[i + window] - count[i], count[i + window]};
  return s;
}

double seconds_from(Solver& solver, Step first) {
  solver.advance(first - solver.step());
  return seconds_of([&] { solver.advance(timed); });
}

/// Times of the stages.
std::vector<StageTime> stages_from(const Machine& m, Model model, Step first) {
  model.time_stages = true;
  const auto solver = m.solver(model);
  solver->advance(first);
  const auto before = solver->stage_times();
  solver->advance(timed);
  return spent_between(before, solver->stage_times());
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

}  // namespace

Json insertion_rate(const BenchOptions& options, const std::vector<Machine>& on) {
  constexpr int repeats = 3;
  const auto meshes = parse_meshes(options.meshes, {"ring:40x320", "ring:40x320:T3"});
  Json rows = Json::array();
  fmt::print(
      "Steps of a bursting ring, check every 10: the last {} before the first facet breaks, the {} in which most "
      "break\n\n",
      timed, timed);
  fmt::print("{:<22} {:>10} {:<9} {:<28} {:>9} {:>10} {:>13} {:>13} {:>7}\n", "mesh", "elements", "assembly", "machine",
             "inserted", "cohesive", "elastic us", "breaking us", "rate");
  for (const NamedMesh& mesh : meshes) {
    for (const Assembly assembly : options.assemblies) {
      const Model model = make_model(bursting_ring(mesh, assembly));
      for (const Machine& m : on) {
        if (!m.takes(model.mesh.element_count(), options)) continue;
        const Stretches at = find_stretches(*m.solver(model));
        std::vector<double> elastic, breaking;
        for (int i = 0; i < repeats; ++i) {
          const auto solver = m.solver(model);
          elastic.push_back(seconds_from(*solver, at.elastic));
          breaking.push_back(seconds_from(*solver, at.breaking));
        }
        const double before = median(elastic) / timed, during = median(breaking) / timed;
        fmt::print("{:<22} {:>10} {:<9} {:<28} {:>9} {:>10} {:>13.2f} {:>13.2f} {:>6.1f}%\n", mesh.name,
                   model.mesh.element_count(), assembly_name(assembly), m.short_name(), at.inserted, at.cohesive,
                   before * 1e6, during * 1e6, 100 * before / during);
        std::fflush(stdout);
        Json row{{"mesh", mesh.name},
                 {"elements", model.mesh.element_count()},
                 {"assembly", assembly_name(assembly)},
                 {"machine", m.name},
                 {"steps", timed},
                 {"first_elastic_step", at.elastic},
                 {"first_breaking_step", at.breaking},
                 {"inserted", at.inserted},
                 {"cohesive_elements", at.cohesive},
                 {"elastic_seconds_per_step", before},
                 {"breaking_seconds_per_step", during},
                 {"rate_while_breaking", before / during}};
        if (options.stages)
          for (const StageTime& stage : stages_from(m, model, at.breaking)) {
            fmt::print("  {:<24} {:>8} launches {:>10.2f} us a step\n", stage.name, stage.calls,
                       stage.seconds / timed * 1e6);
            row["stages"].push_back({{"stage", stage.name}, {"launches", stage.calls}, {"seconds", stage.seconds}});
          }
        rows.push_back(row);
      }
    }
  }
  return rows;
}

}  // namespace cleave::benchmark
