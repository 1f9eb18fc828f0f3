/// cleave bench: how fast the step, its stages and the insertion are, CPU against GPU, in one run.
#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <random>

#include "cleave/core/error.hpp"
#include "cleave/mesh/facet.hpp"
#include "cleave/solver/model.hpp"
#include "cleave/solver/solver.hpp"
#include "commands/case_text.hpp"
#include "commands/commands.hpp"

namespace cleave {
namespace {

using Json = nlohmann::ordered_json;

/// A mesh as the user names it: ring:20x160, rectangle:192x48, with :T3 for linear elements.
struct BenchMesh {
  std::string name;
  MeshCase mesh;
};

BenchMesh parse_mesh(const std::string& text) {
  BenchMesh m{text, {}};
  char shape[16] = "", element[4] = "T6";
  int a = 0, b = 0;
  const int read = std::sscanf(text.c_str(), "%15[a-z]:%dx%d:%3s", shape, &a, &b, element);
  const std::string kind = shape, type = element;
  if (read < 3 || (kind != "ring" && kind != "rectangle") || (type != "T3" && type != "T6") || a < 1 || b < 3)
    throw InputError(fmt::format("--mesh {}: expected ring:RADIALxAROUND or rectangle:NXxNY, and :T3 for T3", text));
  m.mesh.divisions = {a, b};
  m.mesh.element = type == "T3" ? ElementType::t3 : ElementType::t6;
  if (kind == "ring") {
    m.mesh.shape = MeshShape::ring;
    m.mesh.inner_radius = 0.08;
    m.mesh.outer_radius = 0.15;
  } else {
    m.mesh.shape = MeshShape::rectangle;
    m.mesh.size = {0.016, 0.016 * b / a};
  }
  return m;
}

/// Steel that is checked for fracture every 10 steps but never breaks, swinging freely.
Model unbreakable_model(const MeshCase& mesh, Assembly assembly) {
  Case c;
  c.file = "bench";
  c.mesh = mesh;
  c.material = {"linear_elastic", 210e9, 0.3, 7850, PlaneType::strain};
  c.cohesive.emplace();
  c.cohesive->normal = c.cohesive->tangential = {1e15, 1e15, 2};
  c.initial.strain = {1e-4, -5e-5, 2e-5};
  c.run.assembly = assembly;
  return make_model(c);
}

struct Machine {
  std::string name;
  bool cuda = false;
  int threads = 0;
  double bandwidth = 0;  ///< bytes/s of a copy

  std::unique_ptr<Solver> solver(const Model& model) const {
    return cuda ? make_cuda_solver(model) : make_cpu_solver(model, threads);
  }
};

std::vector<Machine> machines(const BenchOptions& options) {
  std::vector<Machine> list;
  const int all = options.threads > 0 ? options.threads : omp_get_num_procs();
  if (options.backend != "cuda") {
    list.push_back({"CPU, 1 thread", false, 1, 0});
    if (all > 1) list.push_back({fmt::format("CPU, {} threads", all), false, all, 0});
  }
  const std::string why = why_no_cuda();
  if (options.backend != "cpu") {
    if (why.empty())
      list.push_back({cuda_devices().front(), true, 0, 0});
    else if (options.backend == "cuda")
      throw InputError("--backend cuda: " + why);
    else
      fmt::print(stderr, "no GPU in this table: {}\n", why);
  }
  for (Machine& m : list) m.bandwidth = m.cuda ? cuda_copy_bandwidth() : cpu_copy_bandwidth(m.threads);
  return list;
}

double seconds_of(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Median time of one step: warm-up, then five repeats of at least `least` seconds each.
double time_of_step(Solver& solver, double least) {
  Step steps = 20;
  solver.advance(steps);
  while (true) {
    const double t = seconds_of([&] { solver.advance(steps); });
    if (t >= least) break;
    steps = std::max<Step>(2 * steps, static_cast<Step>(steps * std::min(50.0, 1.1 * least / t)) / 10 * 10);
  }
  std::vector<double> times;
  for (int repeat = 0; repeat < 5; ++repeat) times.push_back(seconds_of([&] { solver.advance(steps); }) / steps);
  std::nth_element(times.begin(), times.begin() + 2, times.end());
  return times[2];
}

/// Bytes that a step of the gather assembly cannot avoid, per element: what an element reads once (node ids, slots,
/// gradients) and what its share of nodes (T6: 2, T3: 1/2) reads and writes (displacement, velocity: both; mass, slot
/// range, flags: read). The fracture check, every 10 steps, is not in it.
double floor_bytes(ElementType type) {
  const double nodes = type == ElementType::t6 ? 2 : 0.5;
  const int width = nodes_per_element(type);
  const double element = width * (sizeof(Index) + sizeof(Index)) + 4 * sizeof(Real) + 1;
  const double node = 2 * 2 * sizeof(Vec2) + sizeof(Real) + 2 * sizeof(Index) + 1;
  return element + nodes * node;
}

Json bench_step(const BenchOptions& options, const std::vector<Machine>& on) {
  Json rows = Json::array();
  fmt::print("Elastic step with a fracture check every 10 steps\n");
  for (const Machine& m : on) fmt::print("  {}: copy {:.1f} GB/s\n", m.name, m.bandwidth * 1e-9);
  fmt::print("\n{:<22} {:>10} {:<9} {:<28} {:>11} {:>14} {:>8} {:>8}\n", "mesh", "elements", "assembly", "machine",
             "us/step", "M el-steps/s", "of floor", "speedup");
  for (const std::string& name : options.meshes) {
    const BenchMesh mesh = parse_mesh(name);
    for (const Assembly assembly : options.assemblies) {
      const Model model = unbreakable_model(mesh.mesh, assembly);
      const Index elements = model.mesh.element_count();
      double one_thread = 0;
      for (const Machine& m : on) {
        const auto solver = m.solver(model);
        const double t = time_of_step(*solver, options.least_seconds);
        const double floor = floor_bytes(model.mesh.type) * elements / m.bandwidth;
        if (!m.cuda && m.threads == 1) one_thread = t;
        const std::string speedup = one_thread > 0 ? fmt::format("{:.1f}", one_thread / t) : "-";
        fmt::print("{:<22} {:>10} {:<9} {:<28} {:>11.2f} {:>14.2f} {:>7.1f}% {:>8}\n", name, elements,
                   assembly_name(assembly), m.name.substr(0, 28), t * 1e6, elements / t * 1e-6, 100 * floor / t, speedup);
        std::fflush(stdout);
        rows.push_back({{"mesh", name},
                        {"elements", elements},
                        {"assembly", assembly_name(assembly)},
                        {"machine", m.name},
                        {"seconds_per_step", t},
                        {"element_steps_per_second", elements / t},
                        {"floor_bytes_per_element", floor_bytes(model.mesh.type)},
                        {"fraction_of_floor", floor / t},
                        {"speedup_over_one_thread", one_thread > 0 ? one_thread / t : 0},
                        {"memory_bytes", solver->peak_memory()}});
      }
    }
  }
  return rows;
}

Json bench_kernels(const BenchOptions& options, const std::vector<Machine>& on) {
  Json rows = Json::array();
  for (const std::string& name : options.meshes) {
    for (const Assembly assembly : options.assemblies) {
      Model model = unbreakable_model(parse_mesh(name).mesh, assembly);
      model.time_stages = true;
      for (const Machine& m : on) {
        const auto solver = m.solver(model);
        solver->advance(100);
        double total = 0;
        const auto before = solver->stage_times();
        solver->advance(200);
        const auto after = solver->stage_times();
        fmt::print("\n{} ({}), {}, every launch waited for: time of 200 steps\n", name, assembly_name(assembly), m.name);
        std::vector<StageTime> spent;
        for (StageTime stage : after) {
          for (const StageTime& b : before)
            if (b.name == stage.name) stage.seconds -= b.seconds, stage.calls -= b.calls;
          if (stage.calls > 0) spent.push_back(stage);
          total += stage.seconds;
        }
        for (const StageTime& stage : spent) {
          fmt::print("  {:<24} {:>8} launches {:>10.2f} us each {:>6.1f} %\n", stage.name, stage.calls,
                     stage.seconds / stage.calls * 1e6, 100 * stage.seconds / total);
          rows.push_back({{"mesh", name},
                          {"assembly", assembly_name(assembly)},
                          {"machine", m.name},
                          {"stage", stage.name},
                          {"launches", stage.calls},
                          {"seconds", stage.seconds}});
        }
      }
    }
  }
  return rows;
}

/// Cuts every interior facet of a mesh in 20 random groups (A. Alhadeff et al., IJNME 103 (2015) 859, table 3.4).
Json bench_insertion(const BenchOptions& options, const std::vector<Machine>& on) {
  constexpr int groups = 20;
  Json rows = Json::array();
  fmt::print("Insertion of cohesive elements at all interior facets, in {} random groups\n\n", groups);
  fmt::print("{:<22} {:>10} {:>12} {:>12} {:>12} {:<9} {:<28} {:>10}\n", "mesh", "elements", "nodes", "final nodes",
             "cohesive", "assembly", "machine", "ms");
  for (const std::string& name : options.meshes) {
    for (const Assembly assembly : options.assemblies) {
      Model model = unbreakable_model(parse_mesh(name).mesh, assembly);
      model.time_stages = options.stages;
      std::vector<Index> facets;
      for (Index code = 0; code < static_cast<Index>(model.mesh.neighbours.size()); ++code)
        if (element_of(model.mesh.neighbours[code]) > element_of(code) && is_intact(model.mesh.neighbours[code]))
          facets.push_back(code);
      std::shuffle(facets.begin(), facets.end(), std::mt19937(1));
      for (const Machine& m : on) {
        if (!m.cuda && m.threads != 1) continue;
        std::vector<double> times;
        Index nodes = 0, cohesive = 0;
        for (int repeat = 0; repeat < (m.cuda ? 3 : 1); ++repeat) {
          const auto solver = m.solver(model);
          solver->reserve(nodes_per_element(model.mesh.type) * model.mesh.element_count(),
                          static_cast<Index>(facets.size()));
          double total = 0;
          for (int g = 0; g < groups; ++g) {
            const std::size_t size = facets.size(), first = size * g / groups, last = size * (g + 1) / groups;
            const std::vector<Index> group(facets.begin() + first, facets.begin() + last);
            total += solver->insert_cohesive(group);
          }
          times.push_back(total);
          if (options.stages)
            for (const StageTime& stage : solver->stage_times())
              fmt::print("  {:<24} {:>8} launches {:>10.1f} us in all\n", stage.name, stage.calls, stage.seconds * 1e6);
          const HistoryRow end = solver->history();
          nodes = end.nodes;
          cohesive = end.cohesive_elements;
        }
        const double best = *std::min_element(times.begin(), times.end());
        fmt::print("{:<22} {:>10} {:>12} {:>12} {:>12} {:<9} {:<28} {:>10.2f}\n", name, model.mesh.element_count(),
                   model.mesh.node_count(), nodes, cohesive, assembly_name(assembly), m.name.substr(0, 28), best * 1e3);
        std::fflush(stdout);
        rows.push_back({{"mesh", name},
                        {"elements", model.mesh.element_count()},
                        {"nodes", model.mesh.node_count()},
                        {"final_nodes", nodes},
                        {"cohesive_elements", cohesive},
                        {"assembly", assembly_name(assembly)},
                        {"machine", m.name},
                        {"seconds", best}});
      }
    }
  }
  return rows;
}

}  // namespace

int bench(const BenchOptions& options) {
  const std::vector<Machine> on = machines(options);
  Json rows;
  if (options.what == "step") rows = bench_step(options, on);
  if (options.what == "kernels") rows = bench_kernels(options, on);
  if (options.what == "insertion") rows = bench_insertion(options, on);
  if (!options.json.empty()) {
    Json machines_json = Json::array();
    for (const Machine& m : on) machines_json.push_back({{"name", m.name}, {"copy_bytes_per_second", m.bandwidth}});
    std::ofstream file(options.json);
    file << Json{{"bench", options.what}, {"version", CLEAVE_VERSION}, {"machines", machines_json}, {"rows", rows}}.dump(2)
         << '\n';
    if (!file) throw InputError(fmt::format("--json {}: cannot be written", options.json.string()));
  }
  return 0;
}

}  // namespace cleave
