#include "cleave/output/frame_size.hpp"

#include <algorithm>
#include <utility>

#include "output/array_names.hpp"

namespace cleave {
namespace {

double size_of(Precision real) { return real == Precision::double_precision ? 8 : 4; }

/// Number of components of those of the arrays that are written.
template <std::size_t n>
int components_of(const std::array<std::string, n>& arrays, const FrameChoice& choice) {
  int components = choice.has(arrays.front()) ? 6 : 0;
  for (std::size_t i = 1; i < n; ++i) components += choice.has(arrays[i]) ? 1 : 0;
  return components;
}

/// Number of components of stress and strain at a node or in a cell.
int tensor_components(const FrameChoice& choice) {
  return components_of(stress_arrays, choice) + components_of(strain_arrays, choice);
}

double node_bytes(const FrameChoice& choice, bool touches) {
  const double position = 3 * 8, id = 4;
  int reals = (choice.has("displacement") ? 3 : 0) + (choice.has("velocity") ? 3 : 0) + tensor_components(choice);
  if (touches) reals += (choice.has("contact_traction") ? 3 : 0) + (choice.has("contact_depth") ? 1 : 0);
  return position + reals * size_of(choice.real) + (choice.has("original_node") ? id : 0);
}

double element_bytes(ElementType type, const FrameChoice& choice) {
  const double id = 4, type_and_offset = 1 + 4, connectivity = 4.0 * nodes_per_element(type);
  int reals = tensor_components(choice) + (choice.has(energy_array) ? 1 : 0);
  for (const std::string& field : state_fields()) reals += choice.has(field) ? 1 : 0;
  const int ids = (choice.has("fragment") ? 1 : 0) + (choice.has("original_element") ? 1 : 0);
  return reals * size_of(choice.real) + ids * id + type_and_offset + connectivity;
}

/// Bytes of a cohesive element with all fields.
double crack_bytes(ElementType type, Precision fields) {
  const double real = size_of(fields);
  const double point = 3 * 8 + 3 * 3 * real + 4;  // position, 3 displacements, connectivity
  const double cell_data = 6 * real + 1 + 8, type_and_offset = 1 + 4;
  return nodes_per_facet(type) * point + cell_data + type_and_offset;
}

/// Number of selected values of processes, in all rows.
double process_values(const FrameSize& size, const FrameChoice& choice) {
  double values = 0;
  for (const ProcessField& field : size.process_fields) {
    const double rows = field.on == FieldOn::node      ? size.nodes
                        : field.on == FieldOn::element ? size.elements
                                                       : size.cohesive;
    if (choice.has(field.name)) values += rows * field.width;
  }
  return values;
}

/// Bytes of the grids of bulk and cracks.
double grid_bytes(const FrameSize& size, const FrameChoice& choice) {
  return size.nodes * node_bytes(choice, size.touches) + size.elements * element_bytes(size.type, choice) +
         size.cohesive * crack_bytes(size.type, choice.real) + process_values(size, choice) * size_of(choice.real);
}

/// Bytes of the files in INRIA's formats.
double inria_bytes(const FrameSize& size, const FrameChoice& choice) {
  if (choice.inria == InriaFrames::none) return 0;
  const bool binary = choice.inria == InriaFrames::meshb;
  const double real = binary ? 8 : 19, id = binary ? 4 : 8;  // with the blank behind it
  const int fields =
      (choice.has("displacement") ? 2 : 0) + (choice.has("velocity") ? 2 : 0) + (choice.has("stress") ? 3 : 0);
  return size.nodes * ((2 + fields) * real + id) + size.elements * (nodes_per_element(size.type) + 1) * id;
}

/// Bytes of what these files are made from: the present mesh and fields.
double inria_memory(const FrameSize& size, const FrameChoice& choice) {
  constexpr double point_and_fields = (2 + 2 + 2 + 3) * 8;
  return choice.inria == InriaFrames::none
             ? 0
             : size.nodes * point_and_fields + size.elements * 4 * nodes_per_element(size.type);
}

/// Bytes of the copied state (src/step/copied_state.hpp), with one mass per node as in the gather assembly.
double copied_memory(const FrameSize& size, double real, const SnapshotParts& parts) {
  const double motion = 6 * real, stress = parts.nodal_stress ? 4 * real : 0, with_mass = real + 8;
  const double rows = 4 * nodes_per_element(size.type) + (parts.neighbours ? 12 : 0), fragment = 4;
  double cohesive = 64 + real * (3 + 2 + 12) + 3 * 4 * real + 9;  // rows, frame and factors, motion, states
  if (size.touches) {  // both sides: traction and depth at two nodes of each part, three points with two contacts
    const int parts_of_side = nodes_per_facet(size.type) - 1;
    cohesive += 2 * (parts_of_side * 2 * 3 * real + 3 * 2 * (4 + 1));
  }
  return size.nodes * (motion + stress + with_mass) + size.elements * (rows + fragment) + size.cohesive * cohesive;
}

/// Bytes of a Snapshot without stresses.
double snapshot_memory(const FrameSize& size, const SnapshotParts& parts) {
  const double motion_and_mass = (6 + 1) * 8, contact = size.touches ? 3 * 8 : 0;
  const double rows = 4 * nodes_per_element(size.type) + (parts.neighbours ? 12 : 0), fragment = 4;
  return size.nodes * (motion_and_mass + contact) + size.elements * (rows + fragment) +
         size.cohesive * sizeof(Snapshot::Cohesive);
}
double stress_memory(const FrameSize& size, const SnapshotParts& parts) {
  constexpr double tensor = sizeof(StressTensor);
  const double node = parts.nodal_stress ? tensor : 0;
  const double element = (parts.element_stress ? tensor : 0) + (parts.energy_density ? 8 : 0);
  return size.nodes * node + size.elements * element;
}

}  // namespace

FrameSize size_of_intact(const Mesh& mesh, bool touches, std::vector<ProcessField> process_fields) {
  return {mesh.type,
          static_cast<double>(mesh.node_count()),
          static_cast<double>(mesh.element_count()),
          0,
          touches,
          std::move(process_fields)};
}

FrameSize size_of_broken(const Mesh& mesh, Index breakable_facets, const FrameSize& intact) {
  FrameSize size = intact;
  size.nodes = static_cast<double>(mesh.elements.size());
  size.cohesive = static_cast<double>(breakable_facets);
  return size;
}

double frame_bytes(const FrameSize& size, const FrameChoice& choice) {
  return grid_bytes(size, choice) + inria_bytes(size, choice);
}

double frame_memory(const FrameSize& size, const CopiedFrom& from, const FrameChoice& choice) {
  const SnapshotParts parts = choice.parts();
  const int gauss_points = size.type == ElementType::t3 ? 1 : 3;
  const double real = size_of(from.precision);
  const double across = parts.nodal_stress ? size.elements * gauss_points * real : 0;
  const double strain = choice.has_any(strain_arrays) ? size.elements * 24 * (gauss_points + 1) + size.nodes * 28 : 0;
  const double of_fragments = size.elements * 3 * 4 + size.nodes * 8;
  const double of_processes = 8 * process_values(size, choice);
  const double snapshot = snapshot_memory(size, parts) + of_processes, stress = stress_memory(size, parts);
  const double files = grid_bytes(size, choice), compressed = files;
  // Memory for copies from a device has room to grow and is reused for later frames (cuda/host_pool.cuh).
  const double copied = copied_memory(size, real, parts) + of_processes, stays = from.device ? 1.5 * copied : 0;
  const double copying = stress + across + (from.device ? 0 : copied);
  const double making = stress + of_fragments + strain + files, writing = of_fragments + files + compressed;
  const double inria = stress + inria_memory(size, choice) + inria_bytes(size, choice);
  return stays + snapshot + std::max({copying, inria, making, writing});
}

double kept_memory(const Mesh& mesh) {
  const double position = 3 * 8, connectivity = 4.0 * nodes_per_element(mesh.type), offset = 4, type = 1;
  const double original_node = 4, fragment = 4, original_element = 4, strength_scale = 8;
  return mesh.node_count() * (position + original_node) +
         mesh.element_count() * (connectivity + offset + type + fragment + original_element + strength_scale);
}

}  // namespace cleave
