/// cleave bench memory: bytes of solver memory by element and by broken facet, and the largest ring that fits.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "app/bench/bench.hpp"
#include "app/case_text.hpp"
#include "app/estimates.hpp"
#include "cleave/material/ppr.hpp"
#include "cleave/mesh/blocks.hpp"
#include "cleave/mesh/colouring.hpp"
#include "cleave/output/text.hpp"

namespace cleave::benchmark {
namespace {

constexpr int groups = 20;  ///< in which all facets are cut

/// Bytes that cutting all facets takes, by facet: cohesive elements, node copies and slots, each with room for all that
/// there can be, and the lists of one pass. See "Memory" in ARCHITECTURE.md.
double bytes_by_facet(const Model& model, double facets) {
  const Mesh& mesh = model.mesh;
  const bool gather = model.assembly == Assembly::gather;
  const double most = max_incidence(mesh), width = nodes_per_element(mesh.type);
  constexpr double points = 3, real = sizeof(Real);
  // Frame, stiffness, factors; at Gauss points offset, opening, traction, state of the law, account and what was
  // dissipated; step of insertion, failed; by element the row of the table and with gather force and work at the
  // Gauss points.
  const double state = 7 * real + points * (7 * real + sizeof(Ppr::State) + sizeof(double)) + sizeof(Step) + 1;
  const double parts = nodes_per_facet(mesh.type), row = 2 * (parts + 1) * sizeof(Index);
  const double cohesive = state + row + (gather ? points * (sizeof(Vec2) + real) : 0);
  const double node = 155.125 + (gather ? 40 + 16 : 0);
  const double elements = mesh.element_count(), after = width * elements;  // nodes, and entries of elements in all
  const double copies = (after - mesh.node_count()) / facets;
  const double pass = gather ? 2 * (16 * most + 16 + 12) + 8 : parts * 12;
  double slots = 0;
  if (gather) {
    const Index first_interface = first_nodes_of_blocks(mesh, cut_blocks(model.material_ranges)).back();
    double before = 0, interface_mid_sides = 0;
    for (Index e = 0; e < mesh.element_count(); ++e)
      for (int i = 0; i < nodes_per_element(mesh.type); ++i) {
        const bool shared = mesh.node(e, i) >= first_interface;
        before += shared;
        interface_mid_sides += shared && i >= 3 ? 0.5 : 0;
      }
    slots = after + interface_mid_sides - before;
  }
  return 1.5 * elements / facets * cohesive + copies * node + slots / facets * 44 + pass / groups;
}

/// Peak memory once every interior facet is cut, in groups.
double peak_of_cutting(const Machine& m, const Model& model, std::vector<Index> facets) {
  std::shuffle(facets.begin(), facets.end(), std::mt19937(1));
  const auto solver = m.solver(model);
  solver->reserve(nodes_per_element(model.mesh.type) * model.mesh.element_count(), static_cast<Index>(facets.size()),
                  static_cast<Index>(facets.size() / groups) + 1);
  for (int g = 0; g < groups; ++g) {
    const std::size_t size = facets.size(), first = size * g / groups, last = size * (g + 1) / groups;
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
      "Solver memory in bytes: of the intact mesh by element; of all interior facets cut, by facet, with the room\n"
      "that is made ahead; the formulas are those of ARCHITECTURE.md. Largest ring in {:.0f} GB, intact.\n\n",
      room * 1e-9);
  fmt::print("{:<18} {:>10} {:<9} {:>9} {:>9} {:>7} {:>9} {:>9} {:>7} {:>13}  {}\n", "mesh", "elements", "assembly",
             "intact", "formula", "off", "broken", "formula", "off", "fit", "largest ring");
  for (const NamedMesh& mesh : meshes) {
    for (const Assembly assembly : options.assemblies) {
      const Model model = make_model(unbreakable_case(mesh.mesh, assembly));
      const double elements = model.mesh.element_count();
      const std::vector<Index> facets = interior_facets(model.mesh);
      const double cut = static_cast<double>(facets.size());
      const double whole = static_cast<double>(m.solver(model)->memory().peak);
      const double intact = whole / elements;
      const double intact_formula = solver_memory(model) / elements;
      const double broken = (peak_of_cutting(m, model, facets) - whole) / cut;
      const double broken_formula = bytes_by_facet(model, cut);
      const double can_be_numbered = most_elements_of_body(mesh.mesh.element);
      const double fit = std::min(room / intact, can_be_numbered);
      const std::string ring = ring_of(fit, mesh.mesh.element == ElementType::t3 ? ":T3" : "");
      fmt::print("{:<18} {:>10.0f} {:<9} {:>9.1f} {:>9.1f} {:>6.1f}% {:>9.1f} {:>9.1f} {:>6.1f}% {:>13}  {}{}\n",
                 mesh.name, elements, assembly_name(assembly), intact, intact_formula,
                 100 * (intact_formula / intact - 1), broken, broken_formula, 100 * (broken_formula / broken - 1),
                 with_thousands(static_cast<Index>(fit)), ring, fit == can_be_numbered ? " (limit of the ids)" : "");
      std::fflush(stdout);
      Json row{{"mesh", mesh.name},
               {"elements", elements},
               {"assembly", assembly_name(assembly)},
               {"bytes_per_element", intact},
               {"formula_per_element", intact_formula},
               {"facets", cut},
               {"bytes_per_broken_facet", broken},
               {"formula_per_broken_facet", broken_formula},
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
