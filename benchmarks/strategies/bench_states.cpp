/// cleave_studies states: how wide the rows of materials' states should be.
#include <fmt/format.h>

#include "cleave/core/error.hpp"
#include "strategies/bench.hpp"
#include "strategies/bench_ways.hpp"

namespace cleave::benchmark {

Json states(const StudyOptions& options, const std::vector<Machine>& on) {
  Json rows = Json::array();
  fmt::print(
      "Forces of T6 elements by a law that keeps 22 values a point (one, six, four, a 3 x 3 matrix, a flag), which "
      "lie\n"
      "so many elements side by side: {} bytes of states read and written an element\n",
      2 * 3 * 22 * sizeof(double));
  for (const NamedMesh& mesh : parse_meshes(options.meshes, {"ring:20x160", "ring:96x768"})) {
    if (mesh.mesh.element == ElementType::t3)
      throw InputError(fmt::format("--mesh {}: this study is that of T6", mesh.name));
    const Model model = make_model(unbreakable_case(mesh.mesh, Assembly::gather));
    const Index elements = model.mesh.element_count();
    for (const Machine& m : on) {
      if (!m.takes(elements, options)) continue;
      const auto study = m.cuda ? make_cuda_state_study(model) : make_cpu_state_study(model, m.threads);
      time_ways(*study, mesh.name, elements, m, options.least_seconds, rows);
    }
  }
  return rows;
}

}  // namespace cleave::benchmark
