/// cleave bench insertion: cohesive elements at every interior facet of a mesh, in 20 random groups
/// (A. Alhadeff et al., IJNME 103 (2015) 859, table 3.4).
#include <fmt/format.h>

#include <algorithm>
#include <random>

#include "app/case_text.hpp"
#include "bench/bench.hpp"
#include "bench/published.hpp"
#include "cleave/mesh/facet.hpp"

namespace cleave::benchmark {

std::vector<Index> interior_facets(const Mesh& mesh) {
  std::vector<Index> facets;
  for (Index code = 0; code < static_cast<Index>(mesh.neighbours.size()); ++code)
    if (is_intact(mesh.neighbours[code]) && element_of(mesh.neighbours[code]) > element_of(code))
      facets.push_back(code);
  return facets;
}

namespace {

constexpr int groups = 20;

/// How cohesive elements are inserted.
struct Insertion {
  Assembly assembly;
  bool by_counter;  ///< numbers of copies; otherwise in the order of facets

  std::string name() const { return std::string(assembly_name(assembly)) + (by_counter ? ", counter" : ""); }
};
std::vector<Insertion> insertions(const std::vector<Assembly>& assemblies) {
  std::vector<Insertion> all;
  for (const Assembly assembly : assemblies) {
    all.push_back({assembly, false});
    if (assembly == Assembly::coloured) all.push_back({assembly, true});
  }
  return all;
}

/// Times and counts of one machine.
struct Inserted {
  double seconds = 0;  ///< of all groups: the fastest of the repeats
  Index nodes = 0, cohesive = 0;
  std::vector<StageTime> stages;  ///< of the last repeat
};

/// The groups one after the other, three times if that takes no longer than a few seconds.
Inserted insert_groups(const Model& model, const std::vector<Index>& facets, const Machine& m) {
  Inserted result;
  constexpr double enough = 4;  // s
  double all = 0;
  for (int repeat = 0; repeat < 3 && all < enough; ++repeat) {
    const auto solver = m.solver(model);
    solver->reserve(nodes_per_element(model.mesh.type) * model.mesh.element_count(), static_cast<Index>(facets.size()),
                    static_cast<Index>(facets.size() / groups) + 1);
    double total = 0;
    for (int g = 0; g < groups; ++g) {
      const std::size_t size = facets.size(), first = size * g / groups, last = size * (g + 1) / groups;
      total += solver->insert_cohesive(std::vector<Index>(facets.begin() + first, facets.begin() + last));
    }
    all += total;
    result.seconds = repeat == 0 ? total : std::min(result.seconds, total);
    result.stages = solver->stage_times();
    solver->advance(1, Output::history);
    const HistoryRow end = solver->history();
    result.nodes = end.nodes;
    result.cohesive = end.cohesive_elements;
  }
  return result;
}

std::string ms(double seconds) { return fmt::format("{:.2f}", seconds * 1e3); }

}  // namespace

Json insertion(const BenchOptions& options, const std::vector<Machine>& on) {
  const std::vector<NamedMesh> meshes = parse_meshes(options.meshes, {"ring:100x600"});
  Json rows = Json::array();
  fmt::print("Insertion of cohesive elements at all interior facets, in {} random groups\n", groups);
  fmt::print("speedup: over one thread; efficiency: speedup / cores (threads, CUDA cores)\n");
  fmt::print("published (table 3.4): one core of a Core i7 at 2.8 GHz, GTX 480 ({} cores)\n\n", published_gpu_cores);
  fmt::print("{:<16} {:>9} {:>10} {:>11} {:>9} {:<17} {:<28} {:>10} {:>8} {:>10} | {:>9} {:>8} {:>8} {:>10}\n", "mesh",
             "elements", "nodes", "final nodes", "cohesive", "assembly", "machine", "ms", "speedup", "efficiency",
             "CPU ms", "GPU ms", "speedup", "efficiency");
  for (const NamedMesh& mesh : meshes) {
    for (const Insertion& way : insertions(options.assemblies)) {
      Case c = unbreakable_case(mesh.mesh, way.assembly);
      if (way.by_counter) c.cohesive->insertion.numbering = CopyNumbering::counter;
      Model model = make_model(c);
      model.time_stages = options.stages;
      std::vector<Index> facets = interior_facets(model.mesh);
      std::shuffle(facets.begin(), facets.end(), std::mt19937(1));
      const PublishedInsertion* published = published_insertion(model.mesh.element_count());
      const double published_speedup = published ? published->cpu_seconds / published->gpu_seconds : 0;
      double one_thread = 0;
      for (const Machine& m : on) {
        if (!m.takes(model.mesh.element_count(), options)) continue;
        const Inserted result = insert_groups(model, facets, m);
        if (!m.cuda && m.threads == 1) one_thread = result.seconds;
        const double speedup = one_thread / result.seconds;
        fmt::print("{:<16} {:>9} {:>10} {:>11} {:>9} {:<17} {:<28} {:>10} {:>8} {:>10} |", mesh.name,
                   model.mesh.element_count(), model.mesh.node_count(), result.nodes, result.cohesive, way.name(),
                   m.short_name(), ms(result.seconds), one_thread > 0 ? fmt::format("{:.1f}", speedup) : "-",
                   one_thread > 0 ? fmt::format("{:.3f}", speedup / m.cores) : "-");
        if (published)
          fmt::print(" {:>9} {:>8} {:>8.1f} {:>10.3f}\n", ms(published->cpu_seconds), ms(published->gpu_seconds),
                     published_speedup, published_speedup / published_gpu_cores);
        else
          fmt::print(" {:>9} {:>8} {:>8} {:>10}\n", "-", "-", "-", "-");
        for (const StageTime& stage : result.stages)
          fmt::print("  {:<24} {:>8} launches {:>10.1f} us in all\n", stage.name, stage.calls, stage.seconds * 1e6);
        std::fflush(stdout);
        Json row{{"mesh", mesh.name},
                 {"elements", model.mesh.element_count()},
                 {"nodes", model.mesh.node_count()},
                 {"final_nodes", result.nodes},
                 {"cohesive_elements", result.cohesive},
                 {"assembly", way.name()},
                 {"machine", m.name},
                 {"seconds", result.seconds}};
        if (one_thread > 0) {
          row["speedup_over_one_thread"] = speedup;
          row["efficiency"] = speedup / m.cores;
        }
        if (published)
          row["published"] = {{"cpu_seconds", published->cpu_seconds},
                              {"gpu_seconds", published->gpu_seconds},
                              {"speedup", published_speedup},
                              {"efficiency", published_speedup / published_gpu_cores}};
        rows.push_back(row);
      }
    }
  }
  return rows;
}

}  // namespace cleave::benchmark
