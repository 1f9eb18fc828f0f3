#include <algorithm>
#include <cmath>
#include <limits>

#include "cleave/mesh/generators.hpp"
#include "cleave/mesh/topology.hpp"
#include "mesh/ids.hpp"
#include "mesh/random.hpp"
#include "mesh/report.hpp"

namespace cleave {
namespace {

/// [node] Length of the shortest side at a corner node, m; 0 for nodes that do not move: mid-side and boundary nodes.
std::vector<double> cell_sizes(const Mesh& mesh) {
  constexpr double none = std::numeric_limits<double>::infinity();
  std::vector<double> cell(mesh.node_count(), none);
  for (Index e = 0; e < mesh.element_count(); ++e) {
    for (int k = 0; k < 3; ++k) {
      const auto [a, b] = mesh.ends(facet_code(e, k));
      double side = distance(mesh.nodes[a], mesh.nodes[b]);
      if (mesh.neighbour(e, k) == boundary_facet) side = 0;
      cell[a] = std::min(cell[a], side);
      cell[b] = std::min(cell[b], side);
    }
  }
  std::replace(cell.begin(), cell.end(), none, 0.0);
  return cell;
}

}  // namespace

void perturb(Mesh& mesh, double amplitude, std::uint64_t seed) {
  Report report;
  if (!(amplitude >= 0 && std::isfinite(amplitude))) report.add("it must be a number not below 0");
  report.throw_if_any(fmt::format("mesh perturbation of amplitude {}", amplitude));
  if (amplitude == 0) return;

  const std::vector<double> cell = cell_sizes(mesh);
  Random random(seed);
  for (Index node : input_order(mesh.original_nodes, mesh.node_count())) {
    if (cell[node] == 0) continue;
    mesh.nodes[node].x += amplitude * cell[node] * random.symmetric();
    mesh.nodes[node].y += amplitude * cell[node] * random.symmetric();
  }
  for (Index e = 0; e < mesh.element_count(); ++e) {
    for (int k = 0; k < 3 && mesh.type == ElementType::t6; ++k) {
      const auto [a, b] = mesh.ends(facet_code(e, k));
      if (cell[a] != 0 || cell[b] != 0)
        mesh.nodes[mesh.facet_node(facet_code(e, k), 1)] = facet_middle(mesh, facet_code(e, k));
    }
  }

  try {
    check_mesh(mesh, "perturbed mesh");
  } catch (const InputError& error) {
    throw InputError(fmt::format("mesh perturbation of amplitude {} turns elements over: lower the amplitude\n{}",
                                 amplitude, error.what()));
  }
}

}  // namespace cleave
