/// cleave bench step: the elastic step with its fracture check, by mesh, assembly and machine.
#include <fmt/format.h>

#include "app/case_text.hpp"
#include "bench/bench.hpp"
#include "bench/stage_bytes.hpp"

namespace cleave::benchmark {

Json step(const BenchOptions& options, const std::vector<Machine>& on) {
  const std::vector<std::string> otherwise{"ring:20x160", "rectangle:192x48", "rectangle:384x96", "ring:96x768",
                                           "ring:115x787"};
  const std::vector<NamedMesh> meshes = parse_meshes(options.meshes, otherwise);
  Json rows = Json::array();
  fmt::print("Elastic step with a fracture check every 10 steps\n");
  fmt::print("speedup: over one thread; efficiency: speedup / cores (threads, CUDA cores)\n");
  for (const Machine& m : on) fmt::print("  {}: copy {:.1f} GB/s\n", m.name, m.bandwidth * 1e-9);
  fmt::print("\n{:<22} {:>10} {:<9} {:<28} {:>11} {:>14} {:>9} {:>8} {:>10}\n", "mesh", "elements", "assembly",
             "machine", "us/step", "M el-steps/s", "of floor", "speedup", "efficiency");
  for (const NamedMesh& mesh : meshes) {
    for (const Assembly assembly : options.assemblies) {
      const Model model = make_model(unbreakable_case(mesh.mesh, assembly));
      const Index elements = model.mesh.element_count();
      double one_thread = 0;
      for (const Machine& m : on) {
        if (!m.takes(elements, options)) continue;
        const auto solver = m.solver(model);
        const Timing timing = time_steps([&](Step n) { solver->advance(n); }, options.least_seconds);
        const double t = timing.median, floor = floor_bytes(model.mesh.type) * elements / m.bandwidth;
        if (!m.cuda && m.threads == 1) one_thread = t;
        const double speedup = one_thread / t;
        const bool compared = one_thread > 0;
        fmt::print("{:<22} {:>10} {:<9} {:<28} {:>11.2f} {:>14.2f} {:>8.1f}% {:>8} {:>10}\n", mesh.name, elements,
                   assembly_name(assembly), m.short_name(), t * 1e6, elements / t * 1e-6, 100 * floor / t,
                   compared ? fmt::format("{:.1f}", speedup) : "-",
                   compared ? fmt::format("{:.3f}", speedup / m.cores) : "-");
        std::fflush(stdout);
        Json row{{"mesh", mesh.name},
                 {"elements", elements},
                 {"assembly", assembly_name(assembly)},
                 {"machine", m.name},
                 {"seconds_per_step", t},
                 {"fastest", timing.fastest},
                 {"slowest", timing.slowest},
                 {"repeats", timing.repeats},
                 {"steps_per_repeat", timing.steps},
                 {"element_steps_per_second", elements / t},
                 {"floor_bytes_per_element", floor_bytes(model.mesh.type)},
                 {"fraction_of_floor", floor / t},
                 {"memory_bytes", solver->memory().peak}};
        if (compared) {
          row["speedup_over_one_thread"] = speedup;
          row["efficiency"] = speedup / m.cores;
        }
        rows.push_back(row);
      }
    }
  }
  return rows;
}

}  // namespace cleave::benchmark
