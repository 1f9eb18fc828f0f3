/// cleave bench kernels: where the time of an elastic step goes, and what each kernel makes of the memory.
#include <fmt/format.h>

#include <algorithm>

#include "app/case_text.hpp"
#include "bench/bench.hpp"
#include "bench/stage_bytes.hpp"

namespace cleave::benchmark {
namespace {

/// Whether checks looked for a stress near the strength first. There is none, so that the stages behind did nothing.
bool looked_first(const std::vector<StageTime>& spent) {
  return std::any_of(spent.begin(), spent.end(), [](const StageTime& stage) { return stage.name == "near strength"; });
}

bool follows_look(const std::string& stage) { return stage == "stress blocks" || stage == "interface node stress"; }

}  // namespace

Json kernels(const BenchOptions& options, const std::vector<Machine>& on) {
  constexpr Step steps = 200;
  Json rows = Json::array();
  for (const NamedMesh& mesh : parse_meshes(options.meshes, {"ring:20x160", "ring:96x768"})) {
    for (const Assembly assembly : options.assemblies) {
      Model model = make_model(unbreakable_case(mesh.mesh, assembly));
      model.time_stages = true;
      const double elements = model.mesh.element_count();
      for (const Machine& m : on) {
        if (!m.takes(model.mesh.element_count(), options)) continue;
        const auto solver = m.solver(model);
        solver->advance(100);
        const auto before = solver->stage_times();
        solver->advance(steps);
        const std::vector<StageTime> spent = spent_between(before, solver->stage_times());
        const bool looked = looked_first(spent);
        double total = 0;
        for (const StageTime& stage : spent) total += stage.seconds;

        fmt::print("\n{} ({}), {}, copy {:.1f} GB/s; {} steps\n", mesh.name, assembly_name(assembly), m.name,
                   m.bandwidth * 1e-9, steps);
        fmt::print("  {:<22} {:>8} {:>12} {:>8} {:>14} {:>9} {:>9}\n", "stage", "launches", "us a launch", "share",
                   "bytes/element", "GB/s", "of copy");
        for (const StageTime& stage : spent) {
          auto bytes = stage_bytes(model, stage.name, m.cuda);
          if (looked && follows_look(stage.name)) bytes.reset();
          Json row{{"mesh", mesh.name},       {"assembly", assembly_name(assembly)},
                   {"machine", m.name},       {"stage", stage.name},
                   {"launches", stage.calls}, {"seconds", stage.seconds},
                   {"steps", steps},          {"share", stage.seconds / total}};
          fmt::print("  {:<22} {:>8} {:>12.2f} {:>7.1f}%", stage.name, stage.calls,
                     stage.seconds / static_cast<double>(stage.calls) * 1e6, 100 * stage.seconds / total);
          if (bytes) {
            const double passes = static_cast<double>(bytes->by_step ? steps : Step(stage.calls));
            const double rate = passes * bytes->per_element * elements / stage.seconds;
            fmt::print(" {:>14.1f} {:>9.1f} {:>8.1f}%", bytes->per_element, rate * 1e-9, 100 * rate / m.bandwidth);
            row["bytes_per_element"] = bytes->per_element;
            row["passes"] = passes;
            row["bytes_per_second"] = rate;
            row["fraction_of_copy"] = rate / m.bandwidth;
          }
          fmt::print("\n");
          rows.push_back(row);
        }
        std::fflush(stdout);
      }
    }
  }
  return rows;
}

}  // namespace cleave::benchmark
