#include "app/estimates.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "cleave/partition/part.hpp"

namespace cleave {

namespace {

/// The same of an assembly that stores stiffness matrices: rows, order of colours, matrices, stresses at Gauss points;
/// state, forces and mass of a node.
double coloured_memory(const Model& model) {
  const bool single = model.precision == Precision::single_precision;
  const double real = single ? 4 : 8, dropped = single ? 8 : 0;
  const int nodes = nodes_per_element(model.mesh.type);
  const double row = 8 * nodes + 12 + 23 + real, order = 4, stiffness = real * 4 * nodes * nodes;
  const double stress = real * (nodes == 6 ? 9 : 3), node = 3 + 19 * real + dropped;
  return model.mesh.element_count() * (row + order + stiffness + stress) + model.mesh.node_count() * node;
}

}  // namespace

double solver_memory(const Model& model) {
  return model.assembly == Assembly::gather ? intact_memory(model, false).solver : coloured_memory(model);
}

IntactMemory memory_of_rank(const Model& model, bool on_device, int rank, int ranks, bool in_parts) {
  IntactMemory memory = intact_memory(model, on_device, rank, ranks);
  if (!in_parts) return memory;
  const Part part = make_part(model.mesh, cut_blocks(model.material_ranges), interface_nodes_per_block, ranks, rank);
  memory.solver = intact_memory(model, on_device).solver * part.elements.count() / model.mesh.element_count();
  return memory;
}

FrameSize intact_frame(const Model& model) {
  return size_of_intact(model.mesh, model.touches(), fields_in_frames(model.processes));
}

double history_row_bytes(const Model& model) {
  const double row = 290, columns_of_group = 77, columns_of_obstacle = 70;
  return row + static_cast<double>(model.held_groups.size()) * columns_of_group +
         static_cast<double>(model.obstacles.size()) * columns_of_obstacle;
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

double cohesive_zone_length(const ElasticParameters& material, const CohesiveMode& mode) {
  return 9 * std::numbers::pi / 32 * plane_modulus(material) * mode.energy / (mode.strength * mode.strength);
}

}  // namespace cleave
