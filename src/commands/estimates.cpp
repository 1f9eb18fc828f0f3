#include "commands/estimates.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "cleave/mesh/blocks.hpp"

namespace cleave {

double solver_memory(const Model& model) {
  const Mesh& mesh = model.mesh;
  const bool single = model.precision == Precision::single_precision;
  const double real = single ? 4 : 8, dropped = single ? 8 : 0;
  const int nodes = nodes_per_element(mesh.type);
  // Rows and lists of an element, state and forces of a node: src/scheme/state.hpp, gather_state.hpp.
  const double row = 8 * nodes + 12 + 22 + real;
  if (model.assembly == Assembly::gather) {
    const double geometry = 5 * real, incidence = 4 * nodes, works = 37 * 8 / 128.0;
    const double node = 12 + 24 * real + dropped;
    const Index first_interface = first_nodes_of_blocks(mesh, cut_blocks(model.material_ranges))
                                      .back();  // forces and stresses of nodes between blocks
    const auto slots =
        std::count_if(mesh.elements.begin(), mesh.elements.end(), [&](Index n) { return n >= first_interface; });
    return mesh.element_count() * (row + geometry + incidence + works) + mesh.node_count() * node +
           slots * (4 + 5 * real) + (mesh.node_count() - first_interface) * works;
  }
  const double stiffness = real * 4 * nodes * nodes, gauss_stress = real * (nodes == 6 ? 9 : 3),
               node = 3 + 19 * real + dropped;
  return mesh.element_count() * (row + stiffness + gauss_stress) + mesh.node_count() * node;
}

namespace {

double bulk_bytes(const Mesh& mesh, double nodes) {
  constexpr double node = (3 + 3 + 3 + 3) * 8;  // position, displacement, velocity, stress
  constexpr double cell_data = 3 * 8 + 8 + 4 + 4, type_and_offset = 1 + 8;
  const double connectivity = 8.0 * nodes_per_element(mesh.type);
  return nodes * node + mesh.element_count() * (cell_data + type_and_offset + connectivity);
}

}  // namespace

double frame_bytes(const Mesh& mesh) { return bulk_bytes(mesh, mesh.node_count()); }

double broken_frame_bytes(const Mesh& mesh, Index interior_facets) {
  constexpr double point = 4 * 3 * 8 + 8;  // position, 3 displacements, connectivity
  constexpr double cell_data = 5 * 8 + 1 + 8, type_and_offset = 1 + 8;
  const double crack = nodes_per_facet(mesh.type) * point + cell_data + type_and_offset;
  return bulk_bytes(mesh, static_cast<double>(mesh.elements.size())) + interior_facets * crack;
}

double history_row_bytes() { return 280; }

double plane_modulus(const ElasticParameters& m) {
  return m.plane == PlaneType::stress ? m.young_modulus : m.young_modulus / (1 - m.poisson_ratio * m.poisson_ratio);
}

WaveSpeeds wave_speeds(const ElasticParameters& m) {
  const double nu = m.poisson_ratio;
  const double shear_modulus = m.young_modulus / (2 * (1 + nu));
  // Plane stress is plane strain of a material with this ratio and the same shear modulus.
  const double nu_plane = m.plane == PlaneType::strain ? nu : nu / (1 + nu);
  WaveSpeeds speeds;
  speeds.shear = std::sqrt(shear_modulus / m.density);
  speeds.dilatational = speeds.shear * std::sqrt(2 * (1 - nu_plane) / (1 - 2 * nu_plane));
  speeds.rayleigh = speeds.shear * (0.87 + 1.12 * nu_plane) / (1 + nu_plane);
  return speeds;
}

double cohesive_zone_length(const ElasticParameters& material, const CohesiveMode& mode) {
  return 9 * std::numbers::pi / 32 * plane_modulus(material) * mode.energy / (mode.strength * mode.strength);
}

}  // namespace cleave
