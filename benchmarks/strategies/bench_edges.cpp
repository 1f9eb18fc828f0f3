/// cleave_studies edges: neighbours of elements and edges of a mesh, by the host and by sorting on a device.
#include <fmt/format.h>

#include "strategies/bench.hpp"
#include "strategies/bench_ways.hpp"

namespace cleave::benchmark {

Json edges(const StudyOptions& options, const std::vector<Machine>& on) {
  Json rows = Json::array();
  fmt::print("Neighbours of all facets, and every edge once with its two corners\n");
  for (const NamedMesh& mesh : parse_meshes(options.meshes, {"ring:20x160", "ring:115x787", "ring:400x2400"})) {
    const Model model = make_model(unbreakable_case(mesh.mesh, Assembly::gather));
    for (const Machine& m : on) {
      if (!m.takes(model.mesh.element_count(), options)) continue;
      const auto study = m.cuda ? make_cuda_edge_study(model.mesh) : make_cpu_edge_study(model.mesh, m.threads);
      time_ways(*study, mesh.name, model.mesh.element_count(), m, options.least_seconds, rows);
    }
  }
  return rows;
}

}  // namespace cleave::benchmark
