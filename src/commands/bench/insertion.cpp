/// cleave bench insertion: cohesive elements at every interior facet of a mesh, in 20 random groups
/// (A. Alhadeff et al., IJNME 103 (2015) 859, table 3.4).
#include <fmt/format.h>

#include <algorithm>
#include <random>

#include "cleave/mesh/facet.hpp"
#include "commands/bench/bench.hpp"
#include "commands/case_text.hpp"

namespace cleave::benchmark {

std::vector<Index> interior_facets(const Mesh& mesh) {
  std::vector<Index> facets;
  for (Index code = 0; code < static_cast<Index>(mesh.neighbours.size()); ++code)
    if (is_intact(mesh.neighbours[code]) && element_of(mesh.neighbours[code]) > element_of(code))
      facets.push_back(code);
  return facets;
}

Json insertion(const BenchOptions& options, const std::vector<Machine>& on) {
  constexpr int groups = 20;
  const std::vector<NamedMesh> meshes = parse_meshes(options.meshes, {"ring:100x600"});
  Json rows = Json::array();
  fmt::print("Insertion of cohesive elements at all interior facets, in {} random groups\n\n", groups);
  fmt::print("{:<22} {:>10} {:>12} {:>12} {:>12} {:<9} {:<28} {:>10}\n", "mesh", "elements", "nodes", "final nodes",
             "cohesive", "assembly", "machine", "ms");
  for (const NamedMesh& mesh : meshes) {
    for (const Assembly assembly : options.assemblies) {
      Model model = make_model(unbreakable_case(mesh.mesh, assembly));
      model.time_stages = options.stages;
      std::vector<Index> facets = interior_facets(model.mesh);
      std::shuffle(facets.begin(), facets.end(), std::mt19937(1));
      for (const Machine& m : on) {
        if (!m.cuda && m.threads != 1) continue;
        if (!m.takes(model.mesh.element_count(), options)) continue;
        std::vector<double> times;
        Index nodes = 0, cohesive = 0;
        for (int repeat = 0; repeat < (m.cuda ? 3 : 1); ++repeat) {
          const auto solver = m.solver(model);
          solver->reserve(nodes_per_element(model.mesh.type) * model.mesh.element_count(),
                          static_cast<Index>(facets.size()), static_cast<Index>(facets.size() / groups) + 1);
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
          solver->advance(1, Output::history);
          const HistoryRow end = solver->history();
          nodes = end.nodes;
          cohesive = end.cohesive_elements;
        }
        const double best = *std::min_element(times.begin(), times.end());
        fmt::print("{:<22} {:>10} {:>12} {:>12} {:>12} {:<9} {:<28} {:>10.2f}\n", mesh.name, model.mesh.element_count(),
                   model.mesh.node_count(), nodes, cohesive, assembly_name(assembly), m.short_name(), best * 1e3);
        std::fflush(stdout);
        rows.push_back({{"mesh", mesh.name},
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

}  // namespace cleave::benchmark
