/// cleave bench memory: bytes of solver memory by element and by broken facet, and the largest ring that fits.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "app/case_text.hpp"
#include "app/estimates.hpp"
#include "bench/bench.hpp"
#include "cleave/output/text.hpp"

namespace cleave::benchmark {
namespace {

constexpr int passes = 20;  ///< in which all facets are cut

/// Peak memory once every interior facet is cut, in groups.
double peak_of_cutting(const Machine& m, const Model& model, std::vector<Index> facets) {
  std::shuffle(facets.begin(), facets.end(), std::mt19937(1));
  const auto solver = m.solver(model);
  solver->reserve(nodes_per_element(model.mesh.type) * model.mesh.element_count(), static_cast<Index>(facets.size()),
                  static_cast<Index>(facets.size() / passes) + 1);
  for (int g = 0; g < passes; ++g) {
    const std::size_t size = facets.size(), first = size * g / passes, last = size * (g + 1) / passes;
    solver->insert_cohesive({facets.begin() + first, facets.begin() + last});
  }
  return static_cast<double>(solver->memory().peak);
}

/// The ring of about eight times as many quads around as across with at most that many elements.
std::string ring_of(double elements, const std::string& type) {
  const int across = static_cast<int>(std::sqrt(elements / 32));
  return fmt::format("ring:{}x{}{}", across, 8 * across, type);
}

/// Builds the ring, takes some steps and tells.
Json try_ring(const std::string& name, Assembly assembly, const Machine& m) {
  constexpr Step steps = 20;
  const NamedMesh mesh = parse_meshes({name}, {}).front();
  const Model model = make_model(unbreakable_case(mesh.mesh, assembly));
  const auto solver = m.solver(model);
  solver->advance(steps);
  const double t = seconds_of([&] { solver->advance(steps); }) / steps;
  fmt::print("  tried {}: {} of solver memory, {:.2f} ms a step\n", name,
             as_bytes(static_cast<double>(solver->memory().peak)), t * 1e3);
  return {{"mesh", name}, {"memory_bytes", solver->memory().peak}, {"seconds_per_step", t}};
}

}  // namespace

Json memory(const BenchOptions& options, const std::vector<Machine>& on) {
  const auto meshes = parse_meshes(options.meshes, {"ring:96x768", "ring:96x768:T3"});
  const Machine& m = on.back();  // what a solver takes does not depend on the device
  const double room = options.memory > 0 ? options.memory * 1e9
                      : m.cuda           ? static_cast<double>(cuda_memory_size())
                                         : 139e9;
  Json rows = Json::array();
  fmt::print(
      "Solver memory in bytes: of the intact mesh by element, and as counted before a run; of all interior facets "
      "cut,\n"
      "by facet, with the room that is made ahead. Largest ring in {:.0f} GB, intact.\n\n",
      room * 1e-9);
  fmt::print("{:<18} {:>10} {:<9} {:>9} {:>9} {:>9} {:>13}  {}\n", "mesh", "elements", "assembly", "intact", "counted",
             "broken", "fit", "largest ring");
  for (const NamedMesh& mesh : meshes) {
    for (const Assembly assembly : options.assemblies) {
      const Model model = make_model(unbreakable_case(mesh.mesh, assembly));
      const double elements = model.mesh.element_count();
      const std::vector<Index> facets = interior_facets(model.mesh);
      const double cut = static_cast<double>(facets.size());
      const double whole = static_cast<double>(m.solver(model)->memory().peak);
      const double intact = whole / elements;
      const double counted = solver_memory(model) / elements;
      const double broken = (peak_of_cutting(m, model, facets) - whole) / cut;
      const double can_be_numbered = most_elements_of_body(mesh.mesh.element);
      const double fit = std::min(room / intact, can_be_numbered);
      const std::string ring = ring_of(fit, mesh.mesh.element == ElementType::t3 ? ":T3" : "");
      fmt::print("{:<18} {:>10.0f} {:<9} {:>9.1f} {:>9.1f} {:>9.1f} {:>13}  {}{}\n", mesh.name, elements,
                 assembly_name(assembly), intact, counted, broken, with_thousands(static_cast<Index>(fit)), ring,
                 fit == can_be_numbered ? " (limit of the ids)" : "");
      std::fflush(stdout);
      Json row{{"mesh", mesh.name},
               {"elements", elements},
               {"assembly", assembly_name(assembly)},
               {"bytes_per_element", intact},
               {"counted_per_element", counted},
               {"facets", cut},
               {"bytes_per_broken_facet", broken},
               {"room_bytes", room},
               {"elements_that_fit", fit},
               {"largest_ring", ring}};
      if (options.try_largest)
        row["tried"] = try_ring(ring_of(0.97 * fit, ring.ends_with(":T3") ? ":T3" : ""), assembly, m);
      rows.push_back(row);
    }
  }
  return rows;
}

}  // namespace cleave::benchmark
