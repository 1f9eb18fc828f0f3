/// cleave_studies ladder: kernels for internal forces, from the naive one up, in one table and checked against each
/// other.
#include <fmt/format.h>

#include "cleave/core/error.hpp"
#include "strategies/bench.hpp"
#include "strategies/bench_ways.hpp"

namespace cleave::benchmark {

Json ladder(const StudyOptions& options, const std::vector<Machine>& on) {
  Json rows = Json::array();
  fmt::print(
      "Internal forces f += K u of a T6 mesh, colour by colour (8 colours; 9 or so without a structure)\n"
      "loads: of matrix entries and displacements from memory, an element, as counted by the kernel\n");
  for (const NamedMesh& mesh : parse_meshes(options.meshes, {"ring:20x160", "ring:96x768"})) {
    if (mesh.mesh.element == ElementType::t3)
      throw InputError(fmt::format("--mesh {}: the ladder is that of T6", mesh.name));
    const Model model = make_model(unbreakable_case(mesh.mesh, Assembly::coloured));
    const Index elements = model.mesh.element_count();
    for (const Machine& m : on) {
      if (!m.takes(elements, options)) continue;
      const auto study = m.cuda ? make_cuda_ladder(model) : make_cpu_ladder(model, m.threads);
      time_ways(*study, mesh.name, elements, m, options.least_seconds, rows);
      if (!m.cuda) fmt::print("  {:<28} {:<34}\n", "internal forces", "texture objects: a CPU has none");
    }
  }
  return rows;
}

}  // namespace cleave::benchmark
