/// A mesh in packed blocks, for tests of single kernels.
#pragma once

#include <numeric>

#include "backend/device_mesh.hpp"
#include "cleave/mesh/numbering.hpp"
#include "step/gather_state.hpp"

namespace cleave::test {

/// The mesh in a numbering that can be cut into blocks.
inline Mesh numbered_by_blocks(Mesh mesh) {
  std::vector<Index> elements(mesh.element_count());
  std::iota(elements.begin(), elements.end(), 0);
  renumber(mesh, block_node_order(mesh, cut_blocks({0, mesh.element_count()}), elements), elements);
  return mesh;
}

/// Cuts a mesh into blocks and lists the slots of its nodes.
/// @param node_room  nodes that there may be
template <class Element>
void list_slots(Backend& backend, DeviceMesh<Element>& device, GatherState<Backend, Element>& gather,
                Fields<Backend>& fields, Index node_room) {
  const Mesh& mesh = device.mesh;
  auto rows = device.rows.download(mesh.element_count());
  gather.cut_into_blocks(mesh, {0, mesh.element_count()}, nullptr, true);
  gather.declare(fields, false);
  fields.reserve(backend, On::element, mesh.element_count());
  fields.reserve(backend, On::node, node_room);
  gather.list_slots(mesh, rows.table());
  device.rows.upload(rows);
  fields.reserve(backend, On::slot, static_cast<Index>(gather.most_slots()));
  backend.launch(ListIncidence<Element>{device.table(), gather.incidence(), gather.assembly.data()});
}

/// Packs the blocks of the intact mesh.
template <class Element>
void pack(Backend& backend, DeviceMesh<Element>& device, GatherState<Backend, Element>& gather) {
  backend.launch(CountPartials{gather.first_interface, gather.first_copy - gather.first_interface,
                               gather.interface_entries.data(), gather.finder(), gather.assembly.data()});
  backend.launch(gather.pack_blocks(device.table()));
}

}  // namespace cleave::test
