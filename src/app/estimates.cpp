#include "app/estimates.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <type_traits>

#include "cleave/material/material_laws.hpp"
#include "cleave/mesh/blocks.hpp"

namespace cleave {

namespace {

/// Memory of material states and of their dissipated energies.
double material_memory(const Model& model) {
  const double real = model.precision == Precision::single_precision ? 0.5 : 1;  // relative to double precision
  const int points = model.mesh.type == ElementType::t3 ? 1 : 3;
  double bytes = 0;
  for (std::size_t m = 0; m < model.materials.size(); ++m) {
    const double elements = model.material_ranges[m + 1] - model.material_ranges[m];
    MaterialLaws::for_each([&]<class Law>() {
      if (model.materials[m].law != Law::name) return;
      if constexpr (!std::is_empty_v<typename Law::State>)
        bytes += elements * points * real * sizeof(typename Law::State);
      if constexpr (requires { Law::dissipation; }) bytes += elements * sizeof(double);
    });
  }
  return bytes;
}

/// Memory of body force, absorbing sides, damping, artificial viscosity, supports and erosion, bytes.
double memory_of_outside(const Model& model, double real) {
  const double elements = model.mesh.element_count(), nodes = model.mesh.node_count();
  const bool viscous = model.has_artificial_viscosity();
  double bytes = 0;
  const bool drags = model.drag.rate > 0;
  if (model.has_body_force() || !model.damping.empty() || drags) bytes += nodes * (4 * real + 16);
  if (drags) bytes += nodes * (2 * real + 8);
  if (!model.damping.empty()) bytes += nodes * 3 * real;
  if (viscous) bytes += elements * 6 * real + nodes * (2 * real + 16);
  if (!model.support.empty()) bytes += nodes * (4 * real + 8);
  if (viscous && !model.support.empty()) bytes += nodes * 2 * real;
  if (std::any_of(model.materials.begin(), model.materials.end(),
                  [](const MaterialCase& m) { return m.erosion.any(); }))
    bytes += elements * 16;
  return bytes;
}

}  // namespace

double solver_memory(const Model& model) {
  const Mesh& mesh = model.mesh;
  const bool single = model.precision == Precision::single_precision;
  const double real = single ? 4 : 8, dropped = single ? 8 : 0;
  const int nodes = nodes_per_element(mesh.type);
  // Rows and lists of an element, state and forces of a node; see src/body/body_state.hpp and gather_state.hpp.
  const double row = 8 * nodes + 12 + 23 + real;
  if (model.assembly == Assembly::gather) {
    const double geometry = 4 * real, incidence = 4 * nodes, works = 39 * 8 / 128.0;
    const double node = 12 + 20 * real + dropped + (model.held_groups.empty() ? 0 : 4 * real);
    const Index first_interface = first_nodes_of_blocks(mesh, cut_blocks(model.material_ranges))
                                      .back();  // forces and stresses at interface nodes
    const auto slots =
        std::count_if(mesh.elements.begin(), mesh.elements.end(), [&](Index n) { return n >= first_interface; });
    return mesh.element_count() * (row + geometry + incidence + works) + mesh.node_count() * node +
           material_memory(model) + memory_of_outside(model, real) + static_cast<double>(slots) * (4 + 5 * real) +
           (mesh.node_count() - first_interface) * works;
  }
  const double stiffness = real * 4 * nodes * nodes, gauss_stress = real * (nodes == 6 ? 9 : 3), colour_order = 4,
               node = 3 + 19 * real + dropped;
  return mesh.element_count() * (row + colour_order + stiffness + gauss_stress) + mesh.node_count() * node +
         memory_of_outside(model, real);
}

double memory_of_others(const Model& model, const Partition& part, bool on_device) {
  if (part.rank == 0 && !on_device) return 0;
  const bool single = model.precision == Precision::single_precision;
  const double real = single ? 4 : 8, dropped = single ? 8 : 0;
  const int of_motion = 4 * 2, of_output = 2 * 2, of_stress = 4, of_geometry = 4;  // real numbers per node; per element
  const std::vector<Index> first = first_nodes_of_blocks(model.mesh, cut_blocks(model.material_ranges));
  const Index own_nodes = first[part.first_block[part.rank + 1]] - first[part.first_block[part.rank]],
              own_elements = part.first_element[part.rank + 1] - part.first_element[part.rank];
  const double elements = model.mesh.element_count() - own_elements;
  return (first.back() - own_nodes) * (real * (of_motion + of_output + of_stress) + dropped) +
         elements * real * of_geometry + material_memory(model) * elements / model.mesh.element_count();
}

double history_row_bytes(const Model& model) {
  const double row = 280, columns_of_group = 77;
  return row + static_cast<double>(model.held_groups.size()) * columns_of_group;
}

double line_row_bytes() { return 210; }

double plane_modulus(const ElasticParameters& m) {
  return m.plane == PlaneType::stress ? m.young_modulus : m.young_modulus / (1 - m.poisson_ratio * m.poisson_ratio);
}

WaveSpeeds wave_speeds(const ElasticParameters& m) {
  const double nu = m.poisson_ratio;
  const double shear_modulus = m.young_modulus / (2 * (1 + nu));
  // Plane stress equals plane strain with this Poisson's ratio and the same shear modulus.
  const double nu_plane = m.plane == PlaneType::strain ? nu : nu / (1 + nu);
  WaveSpeeds speeds;
  speeds.shear = std::sqrt(shear_modulus / m.density);
  speeds.dilatational = speeds.shear * std::sqrt(2 * (1 - nu_plane) / (1 - 2 * nu_plane));
  speeds.rayleigh = speeds.shear * (0.87 + 1.12 * nu_plane) / (1 + nu_plane);
  return speeds;
}

double fastest_wave(const Model& model) {
  double fastest = 0;
  for (const MaterialCase& material : model.materials)
    fastest = std::max(fastest, wave_speeds(material.parameters).dilatational);
  return fastest;
}

Extent extent_of(const Mesh& mesh) {
  Extent e{mesh.nodes.front(), mesh.nodes.front()};
  for (const Point& p : mesh.nodes) {
    e.low = {std::min(e.low.x, p.x), std::min(e.low.y, p.y)};
    e.high = {std::max(e.high.x, p.x), std::max(e.high.y, p.y)};
  }
  return e;
}

double cohesive_zone_length(const ElasticParameters& material, const CohesiveMode& mode) {
  return 9 * std::numbers::pi / 32 * plane_modulus(material) * mode.energy / (mode.strength * mode.strength);
}

}  // namespace cleave
